"""Learning curves as pages and pictures."""

import numpy as np

from rankconv.pages import forms
from rankconv.pages.curve_plot import Curve, Curves, draw
from rankconv.pages.page import Page
from rankconv.pages.picture import Target
from rankconv.pages.shown import Drawn
from rankconv.protocols.learning_curves.page import curve_page
from rankconv.protocols.learning_curves.result import CurveNumbers
from rankconv.specs.spec import preset_and_rest


class LearningCurve(CurveNumbers, Drawn):
    """How good the lists of recommenders are, by how many ratings of a user they were given.

    `labels` and `runs` are the ordinary ones, with one user for each (user, given), and go into `rc.compare`, `rc.why`,
    `rc.test`; `to_frame` has every point that is drawn.
    """

    def plot(self, path: Target, metric: str | None = None) -> None:
        """Draw the curves of one metric, or of all, into an SVG or PNG file."""
        chosen = [metric] if metric else self.metrics
        curves = [self._drawn(name, one, len(chosen) > 1) for one in chosen for name in self.recommenders]
        best = sorted(self.crossings.get(chosen[0], []), key=lambda one: -one.share)[:1]
        marks = [(f"{one.first}, then {one.then}", one.at, one.interval.low, one.interval.high) for one in best]
        title = f"{', '.join(chosen)} after so many ratings given ({self.split.protocol.text}, seed {self.split.seed})"
        marked = marks if len(chosen) == 1 else []
        up = " and ".join(dict.fromkeys(preset_and_rest(one)[1] for one in chosen))
        draw(Curves(title, "ratings given", up, curves, marked, counted="users"), path)

    def _drawn(self, name: str, metric: str, several: bool) -> Curve:
        grid = self.grids[name, metric]
        low, high = self.band(name, metric)
        given, counts = grid.given[grid.shown], grid.users[grid.shown]
        label = f"{name}, {metric}" if several and len(self.recommenders) > 1 else metric if several else name
        return Curve(label, given.astype(np.float64), grid.means(), low, high, counts)

    def page(self, digits: int = 4) -> Page:
        """The numbers of each curve, some of its points, crossings and faults."""
        return curve_page(self, digits)

    def text(self, width: int | None = 100) -> str:
        """For a terminal of this width."""
        return forms.text(self.page(), width)
