"""Report on runs in one page."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any, Unpack

from rankconv.analysis.check import check
from rankconv.analysis.cite import cite
from rankconv.analysis.sensitivity.sensitivity import varied
from rankconv.analysis.significance.significance import test_compared
from rankconv.basics.errors import RankconvError
from rankconv.data import inputs
from rankconv.data.inputs.reading import one_run, several
from rankconv.data.labels_and_rankings import Labels, Run
from rankconv.evaluation.compare import compare, requested_presets
from rankconv.evaluation.joining import SideDataLike, takes_side_data
from rankconv.evaluation.results.comparison import Comparison
from rankconv.presets.arguments import Metrics
from rankconv.presets.preset import Preset
from rankconv.presets.preset_registry import ALL, HOUSE
from rankconv.rendering.pages.display import PagedResult
from rankconv.rendering.pages.page import Page, Paragraph, Title


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
class Report(PagedResult):
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
    users, seen, catalogue, train, item_features, parents
        As in `rc.compare`.

    Returns
    -------
    Report
        The chapters: a summary, the values by preset, problems of the data, sensitivity, tests of several runs, and
        the paragraphs for a paper. A chapter that these data do not allow gives the reason.

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
    ['Values', 'Data', 'Range of map@2', 'Text for a paper']
    """
    known, chosen = inputs.labels(labels), None if users is None else list(users)
    named = several(run)
    by_name = {"": one_run(run)} if named is None else named.by_name
    runs = by_name[""] if named is None else named
    among = requested_presets(preset, run_plugin=False)
    compared = compare(known, runs, metrics, among, users=chosen, **side)
    writer = _Chapters(known, among, compared, chosen, side)
    chapters = [
        Chapter("Values", [Page([[Paragraph(HOW_TO_READ + BEST * (len(compared.runs) > 1))]]), *compared._pages()]),
        *(_chapter(f"Data{_of_run(name)}", partial(writer.data, one)) for name, one in by_name.items()),
        *(_chapter(f"Range of {metric}", partial(writer.range, metric)) for metric in compared.metrics),
        *([_chapter("Significance", writer.chance)] if len(by_name) > 1 else []),
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
        return [found._page(whole=True)]

    def chance(self) -> list[Page]:
        """Which run is better, and how sure that is."""
        found = test_compared(self.compared)
        return [found._pictures(), found._page(whole=True)]

    def paper(self) -> list[Page]:
        """What a paper says of the numbers under the first preset that has them."""
        presets = sorted(self.compared.presets, key=lambda name: name != HOUSE)
        cells = ([self.compared.cell(metric, name) for name in presets] for metric in self.compared.metrics)
        return [cite([next(cell for cell in each if cell is not None).definition for each in cells])._page()]
