"""Report on runs in one page."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, Unpack

from rankconv.analysis.check import USUAL_PRESETS, CheckResult, check, check_compared
from rankconv.analysis.cite import cite
from rankconv.analysis.report_data import data_page
from rankconv.analysis.report_summary import MetricRanking, summary_sentences, summary_table
from rankconv.analysis.sensitivity.sensitivity import varied
from rankconv.analysis.significance.significance import SignificanceResult, test_compared
from rankconv.basics.errors import RankconvError
from rankconv.basics.output_files import check_text, write_text
from rankconv.basics.progress import INTERRUPTED, INTERRUPTS, stage, watching
from rankconv.data import inputs
from rankconv.data.inputs.several_runs import one_run, several
from rankconv.data.labels_and_rankings import Labels, Run
from rankconv.evaluation.compare import compare, requested_presets
from rankconv.evaluation.joining import SideDataLike, takes_side_data
from rankconv.evaluation.results.comparison import Comparison, page
from rankconv.evaluation.results.strips import strips
from rankconv.presets.arguments import Metrics
from rankconv.presets.preset import Preset
from rankconv.presets.preset_registry import ALL, HOUSE
from rankconv.rendering.pages.display import PagedResult
from rankconv.rendering.pages.page import Fold, Note, Page, Paragraph, Piece, Title
from rankconv.rendering.pages.strip_plot import StripPlot
from rankconv.rendering.pages.table import Table


@dataclass(frozen=True)
class Chapter:
    """One convention that the report shows."""

    title: str
    bodies: Sequence[Page]

    @property
    def _page(self) -> Page:
        """Its title, and below it what was found."""
        return Page([[Title(self.title)], *self._sections])

    @property
    def _fold(self) -> Fold:
        """What was found, below its title that opens it."""
        return Fold(self.title, [*chain.from_iterable(self._sections)])

    @property
    def _sections(self) -> list[Sequence[Piece]]:
        return [*chain.from_iterable(one.sections for one in self.bodies)]


@dataclass(frozen=True, eq=False, repr=False)
class Report(PagedResult):
    """What `rc.report` gives: the summary in a few sentences, a picture, a table, and chapters about the same runs."""

    title: str
    summary: Sequence[str]
    """At most six sentences."""
    pictures: Sequence[StripPlot]
    """The values of each metric under all presets."""
    table: Table
    """A row for each metric and run."""
    chapters: Sequence[Chapter]
    interrupted: bool = False
    """Whether it was stopped before all chapters were made."""

    def _first(self) -> Page:
        """What is to be seen first."""
        said = f"{INTERRUPTED * self.interrupted}{' '.join(self.summary)}"
        return Page([[Paragraph(said)], [*self.pictures[:1]], [self.table]])

    def _page(self) -> Page:
        """All of it, the chapters below each other."""
        chapters = chain.from_iterable(one._page.sections for one in self.chapters)
        return Page([[Title(self.title)], *self._first().sections, *chapters])

    def _printed(self, width: int | None) -> Page:
        chapters = Note(f"Chapters: {', '.join(one.title for one in self.chapters)}; save(path) writes all.")
        return Page([[Title(self.title)], *self._first().sections, [chapters]])

    def _pages(self) -> list[Page]:
        """What is seen first, then a fold for each chapter."""
        return [self._first(), Page([[one._fold] for one in self.chapters])]

    def to_html(self, title: str = "") -> str:
        """A document that opens by double click, prints well and loads nothing from anywhere."""
        return super().to_html(title or self.title)

    def save(self, path: str | Path) -> None:
        """Write the report into a file that ends in .html; one that exists is replaced.

        Raises
        ------
        InputError
            If the path ends in another way, or cannot be written.
        """
        file = Path(path)
        check_text(file, ".html", force=True)
        write_text(self.to_html(), file, force=True)


METRICS = ("ndcg@10", "map@10")
BEST = "Presets that give the same values share a row, and the best run of each row is bold."


@takes_side_data
def report(
    labels: Any,
    run: Any,
    metrics: Metrics = METRICS,
    preset: str | Preset | Sequence[str | Preset] = ALL,
    *,
    users: Iterable[Any] | None = None,
    progress: bool | None = None,
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
    users, progress, seen, catalogue, train, item_features, parents, propensities, shown, group_target
        As in `rc.compare`.

    Returns
    -------
    Report
        The `summary` in a few sentences, the values of all presets as a picture, a table, and chapters: tests of
        several runs, problems of the data, each metric by preset, and the paragraphs for a paper. A chapter that these
        data do not allow gives the reason. `save` writes it. Interrupted once the presets are compared, it has the
        chapters made until then, and `interrupted` is True.

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
    ['Data', 'map@2 by preset', 'Text for a paper']
    """
    known, chosen = inputs.labels(labels), None if users is None else list(users)
    named = several(run)
    by_name = {"": one_run(run)} if named is None else named.by_name
    runs = by_name[""] if named is None else named
    among = requested_presets(preset, run_plugin=False)
    with watching(progress):
        compared = compare(known, runs, metrics, among, users=chosen, **side)
        return _report_of(_Chapters(known, by_name, among, compared, chosen, side))


def _report_of(writer: "_Chapters") -> Report:
    """The report, whose parts say on the bar what they do."""
    compared, by_name = writer.compared, writer.by_name
    rankings = [MetricRanking(compared, metric) for metric in compared.metrics]
    pictures = strips(compared)
    tested: SignificanceResult | str | None = None
    checks: dict[str, CheckResult | str] = {}
    chapters, interrupted = list[Chapter](), False
    try:
        tested = writer.tested() if len(by_name) > 1 else None
        chapters += [writer.significance(tested)] if tested is not None else []
        checks = {name: writer.checked(name) for name in by_name}
        chapters.append(writer.data(checks))
        for metric in compared.metrics:
            chapters.append(writer.metric(metric, pictures))
        chapters.append(writer.paper())
    except INTERRUPTS:
        interrupted = True
    title = f"{', '.join(compared.metrics)} under {len(compared.presets)} definitions"
    said = summary_sentences(rankings, tested, checks)
    return Report(title, said, pictures, summary_table(rankings, compared.runs), chapters, interrupted)


@dataclass(frozen=True, eq=False)
class _Chapters:
    """The parts of the report, all of the same data."""

    labels: Labels
    by_name: Mapping[str, Run]
    among: Sequence[Preset]
    compared: Comparison
    users: list[Any] | None
    side: SideDataLike

    def tested(self) -> SignificanceResult | str:
        """Which run is better; a message where that cannot be tested."""
        stage("Testing differences")
        try:
            return test_compared(self.compared)
        except RankconvError as error:
            return str(error)

    def checked(self, run: str) -> CheckResult | str:
        """The data problems of labels and one run; a message where these data cannot be checked."""
        stage("Checking the data")
        usual = [name for name in USUAL_PRESETS if name in self.compared.presets]
        presets = usual or self.compared.presets[: len(USUAL_PRESETS)]
        try:
            if self.users is None:
                return check_compared(self.compared, run, self.labels, self.by_name[run], presets, **self.side)
            return check(self.labels, self.by_name[run], self.compared.metrics, presets, **self.side)
        except RankconvError as error:
            return str(error)

    def significance(self, tested: SignificanceResult | str) -> Chapter:
        """Which run is better, with the forest plot."""
        if isinstance(tested, str):
            return Chapter("Significance", [Page([[Paragraph(tested)]])])
        return Chapter("Significance", [tested._pictures(), tested._page(whole=True, warned=False)])

    def data(self, checks: Mapping[str, CheckResult | str]) -> Chapter:
        """The problems of labels and runs, what is the same for all runs once."""
        found = {run: one for run, one in checks.items() if isinstance(one, CheckResult)}
        refused = dict.fromkeys(one for one in checks.values() if isinstance(one, str))
        pages = [data_page(found)] if found else []
        return Chapter("Data", [*pages, *(Page([[Paragraph(why)]]) for why in refused)])

    def metric(self, metric: str, pictures: Sequence[StripPlot]) -> Chapter:
        """The values of one metric by preset, their range, and which run is first under how many presets."""
        alone = replace(self.compared, metrics=[metric])
        outside = [note for note in alone.outside_notes if note.startswith(f"{metric}:")]
        notes: list[Piece] = list(map(Note, [*alone.absent_notes, *outside]))
        values = [Paragraph(BEST)] if len(self.compared.runs) > 1 and self.compared.directed(metric) else []
        bodies = [
            Page([[one] for one in pictures[1:] if one.measure == metric]),
            Page([values, *page(alone, drawn=False).sections, notes]),
            *self._range(metric),
        ]
        return Chapter(f"{metric} by preset", bodies)

    def _range(self, metric: str) -> list[Page]:
        """How much one metric depends on its definition; the reason where that is not known."""
        offering = [preset for preset in self.among if self.compared.cell(metric, preset.name) is not None]
        try:
            return [varied(self.compared, metric, offering, users=self.users)._without_presets()]
        except RankconvError as error:
            return [Page([[Paragraph(str(error))]])]

    def paper(self) -> Chapter:
        """What a paper says of the numbers under the first preset that has them."""
        presets = sorted(self.compared.presets, key=lambda name: name != HOUSE)
        cells = ([self.compared.cell(metric, name) for name in presets] for metric in self.compared.metrics)
        try:
            said = cite([next(cell for cell in each if cell is not None).definition for each in cells])._page()
        except RankconvError as error:
            said = Page([[Paragraph(str(error))]])
        return Chapter("Text for a paper", [said])
