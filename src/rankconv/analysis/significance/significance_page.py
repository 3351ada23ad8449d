"""The page of a test of runs: tables and forest plot."""

from collections.abc import Iterable, Iterator, Sequence
from string import ascii_lowercase

import numpy as np

from rankconv.analysis.significance.runs import SCALES, PairTest, PairTests, PairVerdict, counts, family_of, turning
from rankconv.evaluation.results.comparison import Comparison
from rankconv.evaluation.statistics.intervals import interval_head, kinds_of, shown
from rankconv.evaluation.statistics.paired_tests import EXACT
from rankconv.rendering.pages.cells import ABSENT, number, plural, some
from rankconv.rendering.pages.forest_plot import Forest
from rankconv.rendering.pages.page import Aside, Heading, Page, Paragraph, Piece, Values
from rankconv.rendering.pages.table import Table


def of_one_person(comparison: Comparison) -> Iterator[str]:
    """A sentence on ids such as (user, ratings given), several of which are the same person."""
    users = {user for data in comparison.facts.values() for user in data.joined.users.values.tolist()}
    people = {user[0] for user in users if isinstance(user, tuple)}
    if people and len(people) < len(users):
        yield (
            f"Each of the {len(users):,} ids counts as a user of its own, and only {len(people):,} have another first "
            "part. If that is the person, their values hang together, and p is too small: test whole persons, "
            "cluster=1 (--cluster 1)."
        )


def warnings(tests: Sequence[PairTest], unit: str = "users") -> Iterator[str]:
    """Sentences on runs that are equal, few users or other units that differ, and tests that find too much."""
    equal = list(dict.fromkeys(one.runs for one in tests if not one.differing))
    if equal:
        text = "; ".join(" and ".join(runs) for runs in equal[:3]) + (" and more" if len(equal) > 3 else "")
        yield f"No {unit.removesuffix('s')} differs between {text}: the difference is 0, and p is 1."
    hopeless = [one for one in tests if one.differing and one.smallest_p > one.alpha]
    if hopeless:
        one = min(hopeless, key=lambda one: one.differing)
        yield f"Where {one.differing} {unit} differ, no difference of theirs can reach p = {one.alpha:g}."
    wide = [one for one in tests if one.t_size > one.alpha]
    if wide:
        most, alpha = max(one.t_size for one in wide), wide[0].alpha
        yield f"Read p, not p of t, where the size of t is above {alpha:g}: of equal runs it finds up to {most:.1%}."
    few = [one for one in tests if 0 < one.differing < EXACT and one not in hopeless]
    if few:
        least = min(few, key=lambda one: one.differing)
        yield (
            f"As few as {least.differing} of {least.units} {unit} differ: the test then finds less than it may, "
            "as simulations in the repository show (tests/benchmarks/coverage.md)."
        )


def letters(runs: Sequence[str], distinct: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The letters of each run, best first; two runs share a letter if and only if they are not `distinct`.

    They are a to z, then a2 to z2, and so on.

    Source: Piepho, An algorithm for a letter-based representation of all-pairwise comparisons, Journal of Computational
    and Graphical Statistics 13, 2004 (insert and absorb).

    >>> letters(["x", "y", "z"], [("x", "z")])
    {'x': 'a', 'y': 'ab', 'z': 'b'}
    """
    groups = [frozenset(runs)]
    for one, other in distinct:
        split = [group - {left} if {one, other} <= group else group for group in groups for left in (one, other)]
        groups = [group for group in dict.fromkeys(split) if not any(group < other for other in split)]
    place = {run: at for at, run in enumerate(runs)}
    groups.sort(key=lambda group: sorted(place[run] for run in group))
    signs = [ascii_lowercase[at % 26] + (str(at // 26 + 1) if at >= 26 else "") for at in range(len(groups))]
    return {run: "".join(sign for sign, group in zip(signs, groups, strict=True) if run in group) for run in runs}


FEW = 3
"""So many names of presets are shown."""


def tests_table(tests: Sequence[PairTest], digits: int) -> Table:
    """Every test: a row for each metric, pair of runs and definition."""
    heads = ["metric", "preset", "fingerprint", "run", "against", "mean", "mean"]
    rows = [
        [
            *(one.metric, some(one.presets, FEW), one.fingerprint, *one.runs),
            *(number(value, digits) for value in one.means),
            *(*_difference(one, digits), p(one.permutation.p), p(one.p)),
        ]
        for one in tests
    ]
    return Table([*heads, "difference", _interval_head(tests), "p", "corrected"], rows, labels=5)


def _heads(tests: Sequence[PairTest]) -> list[str]:
    return ["difference", _interval_head(tests), "p", "better"]


def _cells(one: PairTest, digits: int) -> list[str]:
    return [*_difference(one, digits), p(one.p), one.better or ABSENT]


def effects_table(tests: Sequence[PairTest], unit: str = "users") -> Table:
    """How large each difference is, its t-test, and how many users, or other units, it takes to find it."""
    wide = any(one.t_size > one.alpha for one in tests)
    heads = ["run", "against", "effect", "wins", "ties", "losses", "p of t", *(["size of t"] if wide else [])]
    heads += [f"{unit} for 80 %"]
    rows = []
    for one in tests:
        size = number(one.effect.standardised, 2) if np.isfinite(one.effect.standardised) else ABSENT
        shares = [f"{count / one.units:.0%}" for count in (one.effect.wins, one.effect.ties, one.effect.losses)]
        users = one.users_needed()
        t = [p(one.t), *([ABSENT if np.isnan(one.t_size) else f"{one.t_size:.1%}"] if wide else [])]
        rows.append([*one.runs, size, *shares, *t, ABSENT if users is None else f"{users:,}"])
    return Table(heads, rows, labels=2)


def _interval_head(tests: Sequence[PairTest]) -> str:
    return interval_head(1 - (tests[0].alpha if tests else 0.05))


def _difference(one: PairTest, digits: int) -> list[str]:
    return [signed(one.effect.mean, digits), shown(one.interval, digits, "+")]


def signed(value: float, digits: int) -> str:
    """A difference with its sign."""
    return f"{value:+.{digits}f}" if value else number(0.0, digits)


LEAST_P = 1e-5
"""Smaller p-values are printed as smaller than this."""


def p(value: float) -> str:
    """A p-value with two digits that count; it is never 0.

    >>> p(0.0312), p(0.00002), p(1.0), p(0.25), p(3e-9), p(0.0)
    ('0.031', '0.00002', '1', '0.25', '< 1e-5', '< 1e-5')
    """
    if np.isnan(value):
        return ABSENT
    if value < LEAST_P:
        return "< 1e-5"
    if value >= 0.1:
        return f"{value:.2g}"
    return f"{float(f'{value:.2g}'):.10f}".rstrip("0").rstrip(".")


def p_equation(value: float) -> str:
    """A p-value in a sentence.

    >>> p_equation(0.0312), p_equation(3e-9)
    ('p = 0.031', 'p < 1e-5')
    """
    shown = p(value)
    return f"p {shown}" if shown.startswith("<") else f"p = {shown}"


def rows_of(found: PairTests, digits: int) -> list[Forest]:
    """A row for each test; of one pair under many definitions from the largest difference to the smallest."""
    places = dict.fromkeys((one.metric, one.runs) for one in found.tests)
    tests = [one for place in places for one in found.of(*place)]
    metrics, presets = {one.metric for one in tests}, {tuple(one.presets) for one in tests}

    def name(one: PairTest) -> str:
        parts = [one.metric] if len(metrics) > 1 else []
        parts += [" - ".join(one.runs)] if len(found.pairs) > 1 else []
        return ": ".join([*parts, *([_presets(one.presets)] if len(presets) > 1 or not parts else [])])

    def text(one: PairTest) -> str:
        return f"{signed(one.effect.mean, digits)}  {p_equation(one.p)}"

    return [
        Forest(name(one), one.effect.mean, one.interval.low, one.interval.high, text(one), one.is_significant)
        for one in tests
    ]


def _presets(presets: Sequence[str]) -> str:
    """The first presets, and how many more."""
    return some(presets, FEW if len(", ".join(presets[:FEW])) <= LONGEST else 1)


LONGEST = 44
"""Letters of presets next to a row."""


def title_of(found: PairTests) -> str:
    """What is drawn."""
    pairs, metrics = found.pairs, list(dict.fromkeys(one.metric for one in found.tests))
    what = " against ".join(pairs[0]) if len(pairs) == 1 else f"{len(pairs)} pairs of runs"
    level = f"{100 * (1 - found.alpha):g} % intervals"
    marks = "filled: significant, corrected for all; to the right the first run is better"
    return f"{', '.join(metrics)}: {what}; {level}; {marks}"


MANY = 12
"""So many rows of a table are printed, unless the whole is requested."""
ALL = "--full prints all, --format csv and json have them"


def page(found: PairTests, digits: int, whole: bool, warned: bool = True) -> Page:
    """The whole page; many definitions in short, unless `whole`; without the data problem where it is not `warned`."""
    sections: list[list[Piece]] = []
    for metric in dict.fromkeys(one.metric for one in found.tests):
        tests = [one for one in found.tests if one.metric == metric]
        if len({tuple(one.presets) for one in tests}) > 1:
            sections += [list(_definitions(found, metric, runs, digits, whole)) for runs in found.pairs]
        else:
            sections += _pairs(found, metric, tests, digits)
    return Page([*sections, list(appendix(found, warned))])


def _pairs(found: PairTests, metric: str, tests: Sequence[PairTest], digits: int) -> list[list[Piece]]:
    """All pairs of runs under one definition."""
    preset, fingerprint = tests[0].presets[0], tests[0].fingerprint
    means = (f"{run} {number(mean, digits)}" for run, mean in found.comparison.means(metric)[preset].items())
    named = f"{preset} has the fingerprint {fingerprint}." if fingerprint else ""
    heading = Heading(f"{metric} ({some(tests[0].presets, FEW)})")
    effects = effects_table(tests, found.unit)
    rows = [[*one.runs, *_cells(one, digits)] for one in tests]
    table = Table(["run", "against", *_heads(tests)], rows, labels=2)
    return [
        [heading, Paragraph(f"Means: {', '.join(means)}."), table],
        [effects, _users(found, tests, named), *map(Paragraph, warnings(tests, found.unit))],
    ]


def _definitions(found: PairTests, metric: str, runs: tuple[str, str], digits: int, whole: bool) -> Iterator[Piece]:
    """One pair of runs under many definitions."""
    tests, verdicts = found.of(metric, runs), found.verdicts[metric, runs]
    yield Heading(f"{metric}: {runs[0]} against {runs[1]}")
    yield Paragraph(f"{runs[0]} is {'; '.join(_verdict_text(one, runs) for one in verdicts)}.")
    printed = tests if whole or len(tests) <= MANY else [*tests[: MANY // 2], *tests[-MANY // 2 :]]
    heads, rows = _heads(printed), [(_cells(one, digits), [some(one.presets, FEW)]) for one in printed]
    sizes = [max(map(len, column)) + 2 for column in zip(heads, *(cells for cells, _ in rows), strict=True)]
    yield Values(rows, sizes, heads, ["presets"])
    if len(printed) < len(tests):
        yield Paragraph(f"{len(tests) - len(printed)} definitions between them are left out: {ALL}.")
    yield _users(found, tests)
    yield from map(Paragraph, warnings(tests, found.unit))
    for one in turning(found.comparison, metric, verdicts):
        yield Aside("", f"{one.preset} differs from {one.near} in {', '.join(one.settings) or 'no setting'}")


def _verdict_text(one: PairVerdict, runs: tuple[str, str]) -> str:
    what = "not significantly different" if one.better is None else "better" if one.better == runs[0] else "worse"
    definitions = plural(one.definitions, "definition" if one.definitions == 1 else "different definition")
    return f"{what} under {plural(len(one.presets), 'preset')} ({definitions})"


def _users(found: PairTests, tests: Sequence[PairTest], more: str = "") -> Paragraph:
    """Who is looked at, and who counts in one run alone."""
    whole, what = "", "users"
    if found.cluster is not None:
        whole, what = f", {counts(one.units for one in tests)} clusters of them with one sign each", "ids"
    alone = max(sum(one.alone) for one in tests)
    text = f" {alone} at most count in one run of a pair alone." if alone else ""
    return Paragraph(f"{counts(one.users for one in tests)} {what} are compared in pairs{whole}.{text} {more}".strip())


def appendix(found: PairTests, warned: bool = True) -> Iterator[Piece]:
    yield Paragraph(
        f"p, two-sided: how often the difference is as large under {'; '.join(_signs(found))}. {family_of(found)}"
    )
    sentence = kinds_of(one.interval for one in found.tests)
    yield from [Paragraph(sentence)] if sentence else []
    yield Paragraph(SCALES)
    yield from map(Paragraph, found.comparison.outside_notes)
    if warned and found.warning:
        yield Paragraph(f"Warning: {found.warning}.")
    if found.cluster is None:
        yield from map(Paragraph, of_one_person(found.comparison))
    yield from (Paragraph(f"Not tested: {some(one.presets, FEW)} ({one.metric}): {one.why}.") for one in found.untested)


def _signs(found: PairTests) -> Iterator[str]:
    """Under which signs of the differences one looks how large they are."""
    chances = [one.permutation for one in found.tests]
    if not all(one.exact for one in chances):
        yield f"{found.n_resamples:,} random signs (seed {found.seed}) of the {found.unit}' differences"
    if any(one.exact for one in chances):
        yield f"every choice of signs of the {found.unit}' differences"
