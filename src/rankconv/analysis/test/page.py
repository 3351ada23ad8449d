"""Which runs are better, as a page: the tests of each metric, what was corrected for, and what stands behind it."""

from collections.abc import Iterable, Iterator, Sequence

from rankconv.analysis.test.paper import SCALES, family_of
from rankconv.analysis.test.reasons import turning
from rankconv.analysis.test.tables import definitions_values, effects_table, few, pairs_table
from rankconv.analysis.test.tested import Tested
from rankconv.analysis.test.tested_runs import TestedRuns, Verdict
from rankconv.analysis.test.warnings import of_one_person, warnings
from rankconv.pages.cells import number
from rankconv.pages.page import Beside, Heading, Page, Paragraph, Piece
from rankconv.statistics.intervals import kinds_of

MANY = 12
"""So many rows of a table are printed, unless the whole is asked for."""
ALL = "--full prints all, --format csv and json have them"


def page(found: TestedRuns, digits: int, whole: bool) -> Page:
    """All that is told; many definitions in short, unless `whole`."""
    sections = []
    for metric in dict.fromkeys(one.metric for one in found.tests):
        tests = [one for one in found.tests if one.metric == metric]
        several = len({tuple(one.presets) for one in tests}) > 1
        each = _definitions(found, metric, digits, whole) if several else _pairs(found, metric, tests, digits)
        sections += [list(pieces) for pieces in each]
    return Page([*sections, list(behind(found))])


def _pairs(found: TestedRuns, metric: str, tests: Sequence[Tested], digits: int) -> Iterator[Iterator[Piece]]:
    heading = Heading(f"{metric} ({few(tests[0].presets)})")
    means = found.comparison.means(metric)[tests[0].presets[0]]
    told = Paragraph(f"Means: {', '.join(f'{run} {number(mean, digits)}' for run, mean in means.items())}.")
    named = f"{tests[0].presets[0]} has the fingerprint {tests[0].fingerprint}." if tests[0].fingerprint else ""
    yield iter([heading, told, pairs_table(tests, digits)])
    effects = effects_table(tests, found.difference, digits, found.unit)
    yield iter([effects, *_apart(found, tests, named), *map(Paragraph, warnings(tests, found.unit))])


def _definitions(found: TestedRuns, metric: str, digits: int, whole: bool) -> Iterator[Iterator[Piece]]:
    for runs in found.pairs:
        yield _of_pair(found, metric, runs, digits, whole)


def _of_pair(found: TestedRuns, metric: str, runs: tuple[str, str], digits: int, whole: bool) -> Iterator[Piece]:
    tests, verdicts = found.of(metric, runs), found.verdicts[metric, runs]
    yield Heading(f"{metric}: {runs[0]} against {runs[1]}")
    yield Paragraph(f"{runs[0]} is {'; '.join(_said(one, runs) for one in verdicts)}.")
    shown = tests if whole or len(tests) <= MANY else [*tests[: MANY // 2], *tests[-MANY // 2 :]]
    yield definitions_values(shown, digits)
    if len(shown) < len(tests):
        yield Paragraph(f"{len(tests) - len(shown)} definitions between them are left out: {ALL}.")
    yield from _apart(found, tests)
    yield from map(Paragraph, warnings(tests, found.unit))
    for one in turning(found.comparison, metric, verdicts):
        place = metric, runs, one.preset, one.near
        settings = ", ".join(one.settings) or "no setting"
        parted = f"{_users(len(found.discordant(*place)))} of opposite sign"
        alone = len(found.counted_in_one(*place))
        more = f", {alone} count under one alone" if alone else ""
        yield Beside("", f"{one.preset} differs from {one.near} in {settings}: {parted}{more}")


def _said(one: Verdict, runs: tuple[str, str]) -> str:
    what = "not told apart" if one.better is None else "better" if one.better == runs[0] else "worse"
    presets = "1 preset" if len(one.presets) == 1 else f"{len(one.presets)} presets"
    definitions = "1 definition" if one.definitions == 1 else f"{one.definitions} different definitions"
    return f"{what} under {presets} ({definitions})"


def _users(count: int) -> str:
    return "1 user" if count == 1 else f"{count} users"


def _apart(found: TestedRuns, tests: Sequence[Tested], more: str = "") -> Iterator[Piece]:
    """Who is looked at, and who counts in one run alone."""
    counted = _range(one.users for one in tests)
    whole = (
        "" if found.cluster is None else f", {_range(one.units for one in tests)} clusters of them with one sign each"
    )
    alone = [one for one in tests if any(one.alone)]
    told = f" {max(sum(one.alone) for one in alone)} at most count in one run of a pair alone." if alone else ""
    what = "users" if found.cluster is None else "ids"
    yield Paragraph(f"{counted} {what} are put against themselves{whole}.{told} {more}".strip())


def _range(counts: Iterable[int]) -> str:
    each = sorted({*counts})
    return f"{each[0]}" if len(each) == 1 else f"{each[0]} to {each[-1]}"


def behind(found: TestedRuns) -> Iterator[Piece]:
    yield Paragraph(
        f"p, two-sided: how often the difference is as large under {'; '.join(_signs(found))}. {family_of(found)}"
    )
    told = kinds_of(one.interval for one in found.tests)
    yield from [Paragraph(told)] if told else []
    yield Paragraph(SCALES)
    yield from map(Paragraph, found.comparison.outside_notes)
    if found.warning:
        yield Paragraph(f"Warning: {found.warning}.")
    if found.cluster is None:
        yield from map(Paragraph, of_one_person(found.comparison))
    yield from (Paragraph(f"Not tested: {few(one.presets)} ({one.metric}): {one.why}.") for one in found.untested)


def _signs(found: TestedRuns) -> Iterator[str]:
    """Under which signs of the differences one looks how large they are."""
    chances = [one.chance for one in found.tests]
    if not all(one.exact for one in chances):
        yield f"{found.draws:,} random signs (seed {found.seed}) of the {found.unit}' differences"
    elif not all(one.mid for one in chances):
        yield f"every choice of signs of the {found.unit}' differences"
    if any(one.mid for one in chances):
        yield (
            f"every choice of signs of the {found.unit}' differences where these are -1, 0 and 1, in which those that "
            "give the difference observed count by half (McNemar's mid-p)"
        )
