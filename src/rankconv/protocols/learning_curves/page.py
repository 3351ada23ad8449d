"""Learning curves as pages and pictures."""

from collections.abc import Iterator

import numpy as np

from rankconv.pages.cells import ABSENT, number, plural
from rankconv.pages.curve_plot import Curve, Curves, draw
from rankconv.pages.display import Drawn
from rankconv.pages.page import Heading, Line, Page, Paragraph, Piece
from rankconv.pages.picture import Target
from rankconv.pages.table import Table
from rankconv.protocols.learning_curves.result import CurveNumbers
from rankconv.specs.spec import preset_and_rest

SHOWN = (1, 2, 3, 5, 10, 20, 30, 50, 75, 100, 150, 199, 200)
"""Of many numbers given those that a terminal shows, and the last."""


def curve_page(curve: CurveNumbers, digits: int) -> Page:
    """The numbers of the curves, some of their points, crossings, and faults."""
    sections: list[list[Piece]] = [
        [Heading(f"One number for each curve: {metric}"), numbers_table(curve, metric, digits)]
        for metric in curve.metrics
    ]
    if curve.split.nested:
        sections += [
            [Heading(f"{metric} after so many ratings"), points_table(curve, metric, digits)]
            for metric in curve.metrics
        ]
        sections.append([Heading("Where to switch"), *_crossings(curve, digits)])
    faults = [
        Line(f"{name}: {', '.join(f'{kind} {count:,}' for kind, count in found.items())}")
        for name, found in curve.faults.items()
        if found
    ]
    sections += [[Heading("Faults of recommenders"), *faults]] if faults else []
    return Page([*sections, [Paragraph(curve.split.sentence)]])


def numbers_table(curve: CurveNumbers, metric: str, digits: int) -> Table:
    """A row for each recommender: both readings of the one number, with intervals."""
    rows = []
    for name in curve.recommenders:
        row = [name]
        for users_first in (True, False):
            between = curve.number_interval(name, metric, users_first=users_first)
            text = number(curve.number(name, metric, users_first=users_first), digits)
            row += [text, f"{number(between.low, digits)} to {number(between.high, digits)}"]
        rows.append(row)
    return Table(["recommender", "users first", "95 %", "given first", "95 %"], rows)


def points_table(curve: CurveNumbers, metric: str, digits: int) -> Table:
    """A row for each number given, with users and the mean of each recommender."""
    first = curve.grids[curve.recommenders[0], metric]
    given = first.given[first.shown]
    chosen = [
        at for at, one in enumerate(given.tolist()) if len(given) <= len(SHOWN) or one in SHOWN or at == len(given) - 1
    ]
    rows = []
    for at in chosen:
        row = [str(given[at]), str(first.users[first.shown][at])]
        for name in curve.recommenders:
            grid = curve.grids[name, metric]
            place = np.flatnonzero(grid.given[grid.shown] == given[at])
            row.append(number(float(grid.means()[place[0]]), digits) if len(place) else ABSENT)
        rows.append(row)
    few = f"No number given has {first.least} users: least-users of the protocol leaves out all points."
    return Table(["given", "users", *curve.recommenders], rows, 0, [] if rows else [few])


def _crossings(curve: CurveNumbers, digits: int) -> Iterator[Piece]:
    found = [(metric, one) for metric, each in curve.crossings.items() for one in each]
    for metric, one in found:
        yield Paragraph(
            f"{metric}: {one.first} first, {one.then} from {plural(one.at, 'rating')} on "
            f"(95 % from {one.interval.low:g} to {one.interval.high:g}; best in {one.share:.0%} of the draws). "
            f"Together {number(one.combined, digits)}, the switch being chosen on the same users; the curves change "
            f"places {'once' if one.changes == 1 else f'{one.changes} times'}.",
            rest="  ",
        )
    if not found:
        yield Line("No switch between two of them is better than one of them throughout.")


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
