"""Report on runs in one page."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from typing import Any, Unpack

import numpy as np

from rankconv import inputs
from rankconv.analysis.check import check
from rankconv.analysis.cite import cite
from rankconv.analysis.explain.explain import explain_measured
from rankconv.analysis.sensitivity.sensitivity import varied
from rankconv.analysis.test.test import test_compared
from rankconv.data.arrays import Numbers
from rankconv.data.ids import typed
from rankconv.data.joined import Joined
from rankconv.data.labels_and_rankings import Labels, Run
from rankconv.errors import RankconvError
from rankconv.escaping import printable
from rankconv.evaluation.compare.compare import compare, requested_presets
from rankconv.evaluation.compare.comparison import Comparison
from rankconv.evaluation.joining import SideDataLike, takes_side_data
from rankconv.inputs.reading import one_run, several
from rankconv.pages.cells import number
from rankconv.pages.display import Shown
from rankconv.pages.page import Fold, Page, Paragraph, Piece, Title
from rankconv.presets.arguments import Metrics
from rankconv.presets.registry import ALL, HOUSE
from rankconv.presets.resolved import Preset


@dataclass(frozen=True)
class FarMoved:
    """A user whose number is different under two presets."""

    metric: str
    user: Any
    code: int
    """The user's, among the users of the joined data."""
    lowest: str
    """The preset that gives them the least; of several, the first by name."""
    highest: str
    low: float
    high: float


def far_moved(compared: Comparison, joined: Joined, run: str, most: int) -> list[FarMoved]:
    """At most so many users of a run, the farthest moved first: as many for each metric, as far as there are any.

    Users with a number under one preset only are not among them.
    """
    share, found = max(1, most // max(1, len(compared.metrics))), []
    for metric in compared.metrics:
        cells = {preset: compared.cell(metric, preset, run) for preset in sorted(compared.presets)}
        values = {preset: cell.values for preset, cell in cells.items() if cell is not None and not cell.refusals}
        found += list(islice(_moved(metric, values, joined), share))
    return found[:most]


def _moved(metric: str, by_preset: Mapping[str, Numbers], joined: Joined) -> Iterator[FarMoved]:
    """The users of one metric, the largest range first; each preset has values of shape (users,)."""
    if len(by_preset) < 2:
        return
    names, values = list(by_preset), np.stack(list(by_preset.values()))
    low, high = np.where(np.isnan(values), np.inf, values), np.where(np.isnan(values), -np.inf, values)
    ranges = high.max(axis=0) - low.min(axis=0)
    for user in np.argsort(-ranges, kind="stable"):
        if not ranges[user] > 0:
            return
        least, most = int(low[:, user].argmin()), int(high[:, user].argmax())
        name = joined.users.values[user]
        yield FarMoved(metric, name, int(user), names[least], names[most], values[least, user], values[most, user])


@dataclass(frozen=True)
class Chapter:
    """One convention that the report shows."""

    title: str
    bodies: Sequence[Page]

    @property
    def _page(self) -> Page:
        """Its title, and below it what was found."""
        return Page([[Title(self.title)], *chain.from_iterable(one.sections for one in self.bodies)])


@dataclass(frozen=True, eq=False, repr=False)
class Report(Shown):
    """What `rc.report` gives: chapters, each about one point of the same runs."""

    title: str
    chapters: Sequence[Chapter]

    def _page(self) -> Page:
        """All chapters below each other."""
        return Page([[Title(self.title)], *chain.from_iterable(one._page.sections for one in self.chapters)])

    def _pages(self) -> list[Page]:
        """A page for each chapter."""
        return [one._page for one in self.chapters]

    def to_html(self, title: str = "") -> str:
        """A document that opens by double click, prints well and loads nothing from anywhere."""
        return super().to_html(title or self.title)


METRICS = ("ndcg@10", "map@10")
HOW_TO_READ = "Where few presets are compared, values that differ from those of the first one are underlined."
BEST = " Below, presets that give the same values share a row, and the best run of each row is underlined."


@takes_side_data
def report(
    labels: Any,
    run: Any,
    metrics: Metrics = METRICS,
    preset: str | Preset | Sequence[str | Preset] = ALL,
    *,
    explained: int = 50,
    users: Iterable[Any] | None = None,
    **side: Unpack[SideDataLike],
) -> Report:
    """Report on runs in one page.

    Parameters
    ----------
    labels, run
        As in `rc.compare`.
    metrics : MetricLike, default ("ndcg@10", "map@10")
        As in `rc.compare`.
    preset : str, path, Preset or a list of these, default "all"
        As in `rc.compare`.
    explained : int, default 50
        The number of users whose values are explained: those with the largest differences between two presets.
    users, seen, catalogue, train, item_features, parents
        As in `rc.compare`.

    Returns
    -------
    Report
        The chapters: a summary, the values by preset, problems of the data, sensitivity, tests of several runs, users,
        and the paragraphs for a paper. A chapter that these data do not allow gives the reason.

    Raises
    ------
    InputError, ConventionError, MetricError
        As in `rc.compare`.

    Examples
    --------
    >>> import rankconv as rc
    >>> labels, run = {"ada": ["a", "b"], "bob": ["b"]}, {"ada": ["a", "x"], "bob": ["x", "b"]}
    >>> found = rc.report(labels, run, "map@2", ["blog", "mllib"])
    >>> [chapter.title for chapter in found.chapters]
    ['Values', 'Data', 'Range of map@2', 'Users with the largest changes', 'Text for a paper']
    """
    known, chosen = inputs.labels(labels), None if users is None else list(users)
    named = several(run)
    by_name = {"": one_run(run)} if named is None else named.by_name
    runs = by_name[""] if named is None else named
    among = requested_presets(preset, run_plugin=False)
    compared = compare(known, runs, metrics, among, users=chosen, **side)
    first = next(iter(by_name))
    writer = _Chapters(known, among, compared, chosen, side)
    chapters = [
        Chapter("Values", [Page([[Paragraph(HOW_TO_READ + BEST * (len(compared.runs) > 1))]]), *compared._pages()]),
        *(_chapter(f"Data{_of_run(name)}", partial(writer.data, one)) for name, one in by_name.items()),
        *(_chapter(f"Range of {metric}", partial(writer.range, metric)) for metric in compared.metrics),
        *([_chapter("Significance", writer.chance)] if len(by_name) > 1 else []),
        _chapter(f"Users with the largest changes{_of_run(first)}", partial(writer.movers, first, explained)),
        _chapter("Text for a paper", writer.paper),
    ]
    return Report(f"{', '.join(compared.metrics)} under {len(compared.presets)} definitions", chapters)


def _of_run(run: str) -> str:
    return f" of {run}" if run else ""


def _chapter(title: str, writer: Callable[[], Sequence[Page]]) -> Chapter:
    """What came out, or why nothing did."""
    try:
        return Chapter(title, writer())
    except RankconvError as error:
        return Chapter(title, [Page([[Paragraph(str(error))]])])


@dataclass(frozen=True, eq=False)
class _Chapters:
    """The parts of the report, all of the same data."""

    labels: Labels
    among: Sequence[Preset]
    compared: Comparison
    users: list[Any] | None
    side: SideDataLike

    def data(self, run: Run) -> list[Page]:
        """The data problems of labels and one run."""
        return [check(self.labels, run, self.compared.metrics, **self.side)._page(whole=True)]

    def range(self, metric: str) -> list[Page]:
        """How much one metric depends on its definition."""
        offering = [preset for preset in self.among if self.compared.cell(metric, preset.name) is not None]
        found = varied(self.compared, metric, offering, users=self.users)
        return [found._pictures(), found._page(whole=True)]

    def chance(self) -> list[Page]:
        """Which run is better, and how sure that is."""
        found = test_compared(self.compared)
        return [found._pictures(), found._page(whole=True)]

    def movers(self, name: str, most: int) -> list[Page]:
        """The users of a run whose number is most different, each with both workings."""
        joined = self.compared.facts[name].joined
        moved = far_moved(self.compared, joined, name, most)
        return [Page([[Fold(_said(one), self._worked(one, joined, name))]]) for one in moved]

    def _worked(self, one: FarMoved, joined: Joined, run: str) -> list[Piece]:
        lowest, highest = (self.compared.cell(one.metric, preset, run) for preset in (one.lowest, one.highest))
        assert lowest is not None
        found = explain_measured(joined, one.code, lowest, highest)
        return [piece for section in found._printed(None).sections for piece in section]

    def paper(self) -> list[Page]:
        """What a paper says of the numbers under the first preset that has them."""
        presets = sorted(self.compared.presets, key=lambda name: name != HOUSE)
        cells = ([self.compared.cell(metric, name) for name in presets] for metric in self.compared.metrics)
        return [cite([next(cell for cell in each if cell is not None).definition for each in cells])._page()]


def _said(one: FarMoved) -> str:
    low, high = number(one.low), number(one.high)
    return f"{one.metric} of user {printable(typed(one.user))}: {low} under {one.lowest}, {high} under {one.highest}"
