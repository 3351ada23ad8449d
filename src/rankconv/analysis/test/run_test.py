"""Which runs are better, under which definitions, and how sure that is: printed, or as data."""

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from rankconv.analysis.test.page import page, rows_of, tests_table, title_of
from rankconv.analysis.test.paper import TestMethods, said_of
from rankconv.analysis.test.runs import PairTest, PairTests
from rankconv.pages.cells import plain
from rankconv.pages.display import Drawn, Tabular
from rankconv.pages.forest_plot import READABLE, draw
from rankconv.pages.page import Page
from rankconv.pages.picture import Target
from rankconv.pages.table import Table

if TYPE_CHECKING:
    import polars as pl

Place = tuple[str, tuple[str, str], str]
"""Metric, runs, preset."""


@dataclass(frozen=True, eq=False, repr=False)
class SignificanceResult(Drawn, Tabular, PairTests):
    """Which of several runs is better, under one definition or many, and how sure that is.

    `tests` has one entry for each metric, pair of runs and definition that differs on these users; `untested` the
    presets that give no mean of users' values, with the reason. p-values are corrected for all `tests`.
    """

    def page(self, digits: int = 4, *, whole: bool = False) -> Page:
        """The tests of each metric, what was corrected for, and what they rest on."""
        return page(self, digits, whole)

    def power(self, detect: float | None = None, power: float = 0.8) -> dict[Place, int | None]:
        """Compute the number of users needed to detect each difference, or a stated one, with this power.

        By metric, runs and the first preset; None where there is no difference, or all users differ by the same amount.
        """
        return {(one.metric, one.runs, one.presets[0]): one.users_needed(power, detect) for one in self.tests}

    def methods(self) -> TestMethods:
        """What a paper says of these tests: the sentence, the definitions, and the sources of both."""
        return TestMethods.of(self)

    def plot(self, path: Target, digits: int = 4) -> None:
        """Draw the differences with their intervals, a row for each test, into an SVG or PNG file. Needs matplotlib.

        Under many definitions there is a row for each class of equal ones.
        """
        draw(rows_of(self, digits), title_of(self), "difference", path)

    def pictures(self) -> Page:
        """The tests as they are plotted, unless these are more than can be read in a page."""
        return super().pictures() if len(self.tests) <= READABLE else Page([])

    def table(self, digits: int = 4) -> Table:
        """A row for each test."""
        return tests_table(self.tests, digits)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data; NaN is None, as JSON has it."""
        options = {name: getattr(self, name) for name in ("baseline", "correction", "family", "include_users")}
        options |= {name: getattr(self, name) for name in ("alpha", "n_resamples", "seed")}
        options |= {} if self.cluster is None else {"cluster": said_of(self.cluster)}
        tests = [plain(asdict(one)) | {"better": one.better} for one in self.tests]
        options["sentence"] = self.methods().paragraph
        options["notes"] = [*self.comparison.outside_notes, *([self.warning] if self.warning else [])]
        return options | {"tests": tests, "untested": [asdict(one) for one in self.untested]}

    def to_frame(self) -> "pl.DataFrame":
        """One row per test, as a polars frame."""
        import polars as pl

        return pl.DataFrame([_flat(one) for one in self.tests])


def _flat(one: PairTest) -> dict[str, Any]:
    low, high = (None, None) if one.interval is None else (one.interval.low, one.interval.high)
    return {
        "metric": one.metric,
        "presets": ", ".join(one.presets),
        "fingerprint": one.fingerprint,
        "run": one.runs[0],
        "against": one.runs[1],
        "users": one.users,
        "units": one.units,
        "mean": one.means[0],
        "other_mean": one.means[1],
        "difference": one.effect.mean,
        "low": low,
        "high": high,
        "standardised": one.effect.standardised,
        "wins": one.effect.wins,
        "losses": one.effect.losses,
        "ties": one.effect.ties,
        "p": one.permutation.p,
        "mid_p": one.permutation.mid,
        "p_t": one.t,
        **{f"p_{name}": value for name, value in one.extra_tests.items()},
        "p_corrected": one.p,
        "better": one.better,
    }
