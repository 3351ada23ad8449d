"""The page of an agreement: the conclusion in sentences, the tables of grades and of runs, and notes."""

from collections.abc import Iterator, Sequence

import numpy as np

from rankconv.addons.agreement.agreement_measures import DISTANCE, EqualGrades, GradeAgreement, Kappa
from rankconv.addons.agreement.leaderboards import LeaderboardAgreement, SwappedRuns
from rankconv.analysis.significance.significance_page import p, signed
from rankconv.conventions.spec import read_number
from rankconv.evaluation.statistics.intervals import interval_head, shown
from rankconv.rendering.pages.cells import ABSENT, number, plural
from rankconv.rendering.pages.page import Heading, Piece
from rankconv.rendering.pages.table import Table

DIGITS = 3
"""Decimals of values in sentences."""


def conclusion(grades: GradeAgreement, runs: LeaderboardAgreement | None) -> Iterator[str]:
    """Say how far the order of runs and the grades agree, in a few sentences."""
    first, second = grades.names
    if runs is not None:
        yield from _of_runs(grades.names, runs)
    same = float(np.trace(grades.pairs.counts) / len(grades.pairs))
    others = {text: one for text, one in grades.measures.items() if not isinstance(one, EqualGrades)}
    values = ", ".join(f"{text} {number(grades.value(one), DIGITS)}" for text, one in others.items())
    measured = f": {values}" if values else ""
    yield f"{second} gives {same:.1%} of {plural(len(grades.pairs), 'pair')} the grade that {first} gives{measured}."
    higher, lower = grades.moved
    if higher or lower:
        yield f"Its grade is higher in {higher:.1%} of the pairs, and lower in {lower:.1%}."


def _of_runs(names: tuple[str, str], runs: LeaderboardAgreement) -> Iterator[str]:
    """How far the leaderboards agree: the best run, the pairs of runs in the same order, and the swapped ones."""
    best = [[one.run for one in runs.runs if one.ranks[side] == 1] for side in (0, 1)]
    firsts = [" and ".join(each) for each in best]
    if best[0] == best[1]:
        yield f"{firsts[0]} {'is' if len(best[0]) == 1 else 'are'} best under both label sets by {runs.metric}."
    else:
        yield f"By {runs.metric} the best run is {firsts[0]} under {names[0]}, and {firsts[1]} under {names[1]}."
    same = runs.pairs - len(runs.swapped) - runs.tied
    values = ", ".join(f"{name} {number(value, DIGITS)}" for name, value in runs.correlations.items())
    measured = f" ({values})" if values else ""
    yield f"{same} of {plural(runs.pairs, 'pair')} of runs {_have(same)} the same order under both{measured}."
    if runs.swapped:
        yield f"{_swaps(names, runs)}."
    if runs.tied:
        yield f"{plural(runs.tied, 'pair')} {'is' if runs.tied == 1 else 'are'} equal under one label set alone."


def _have(count: int) -> str:
    return "has" if count == 1 else "have"


def _swaps(names: tuple[str, str], runs: LeaderboardAgreement) -> str:
    """How many pairs of runs are swapped, and how many of them differ significantly under which label sets."""
    text = f"{plural(len(runs.swapped), 'pair')} {'is' if len(runs.swapped) == 1 else 'are'} swapped"
    if runs.untested:
        return f"{text}; significance was not tested: {runs.untested}"
    each = [sum(one.significant[side] for one in runs.swapped) for side in (0, 1)]
    both = sum(all(one.significant) for one in runs.swapped)
    return f"{text}: significant under {names[0]} {each[0]}, under {names[1]} {each[1]}, under both {both}"


def measures_table(grades: GradeAgreement, digits: int) -> Table:
    """The value of each measure, with its definition."""
    rows = [[text, number(grades.value(one), digits), one.text] for text, one in grades.measures.items()]
    return Table(["measure", "value", "definition"], rows, labels=1, prose=frozenset({2}))


def by_grade_table(grades: GradeAgreement, digits: int) -> Table:
    """The pairs of each grade of the first label set."""
    first, second = grades.names
    rows = [
        [f"{one.grade:g}", f"{one.pairs:,}", f"{one.same:.1%}", number(one.mean, digits)] for one in grades.by_grade
    ]
    return Table([f"grade in {first}", "pairs", "same grade", f"mean in {second}"], rows)


def confusion_table(grades: GradeAgreement) -> Table:
    """How many pairs have which grade in the first set, and which in the second."""
    values = [f"{value:g}" for value in grades.pairs.grade_values]
    rows = [
        [value, *(f"{count:,.0f}" for count in row)] for value, row in zip(values, grades.pairs.counts, strict=True)
    ]
    return Table([f"{grades.names[0]} ↓  {grades.names[1]} →", *values], rows)


def runs_sections(names: tuple[str, str], runs: LeaderboardAgreement, digits: int) -> list[Sequence[Piece]]:
    """The runs under both label sets, and the pairs whose order differs."""
    found: list[Sequence[Piece]] = [[Heading(f"Runs by {runs.metric}"), runs_table(names, runs, digits)]]
    if runs.swapped:
        found.append([Heading("Swapped pairs of runs"), swapped_table(names, runs.swapped, digits)])
    return found


def runs_table(names: tuple[str, str], runs: LeaderboardAgreement, digits: int) -> Table:
    """The runs, best first under the first label set; with the mean from both sets where there are more users."""
    heads = ["run", f"mean ({names[0]})", f"mean ({names[1]})", "rank", "rank"]
    rows = [[one.run, *(number(mean, digits) for mean in one.means), *map(str, one.ranks)] for one in runs.runs]
    intervals = [one.interval for one in runs.runs if one.interval is not None]
    if intervals:
        heads += ["mean from both", interval_head(intervals[0].confidence)]
        for row, one in zip(rows, runs.runs, strict=True):
            found = one.interval
            row += [ABSENT] * 2 if found is None else [number(found.estimate, digits), shown(found, digits)]
    return Table(heads, rows)


def swapped_table(names: tuple[str, str], swapped: Sequence[SwappedRuns], digits: int) -> Table:
    """Two runs a row: by how much the first is better under either label set, and whether that is significant."""
    heads = ["run", "other run", *(f"difference ({name})" for name in names), *(f"p ({name})" for name in names)]
    rows = [
        [*one.runs, *(signed(value, digits) for value in one.differences), *map(p, one.p), _significant(one, names)]
        for one in swapped
    ]
    return Table([*heads, "significant under"], rows, labels=2)


def _significant(one: SwappedRuns, names: tuple[str, str]) -> str:
    return " and ".join(name for name, found in zip(names, one.significant, strict=True) if found) or ABSENT


def grade_notes(grades: GradeAgreement) -> Iterator[str]:
    """What was left out, and what to know of the grades."""
    pairs, names = grades.pairs, grades.names
    for what, alone in (("Pairs", pairs.alone), ("Users", pairs.users_alone)):
        if any(alone):
            counts = ", ".join(f"{count:,} of {name}" for count, name in zip(alone, names, strict=True) if count)
            yield f"{what} of one label set alone are left out: {counts} (pairs={grades.pairing.given('pairs')})."
    level = read_number(grades.pairing.given("level"))
    if level is not None:
        yield f"Grades of {level:g} and more are 1, others 0 (level)."
    occurring = [np.unique(one) for one in pairs.grades]
    if len(pairs.grade_values) == 1:
        yield "Both label sets give one grade to all pairs: kappa and alpha are 0/0."
    elif min(map(len, occurring)) == 1:
        [name, *_] = [name for name, values in zip(names, occurring, strict=True) if len(values) == 1]
        yield f"{name} gives one grade to all pairs: kappa is 0 whatever the other set says."
    for name, values in zip(names, occurring, strict=True):
        if values.min() > 0:
            yield f"{name} has no grade of 0: if it lists relevant items alone, its other pairs are missing here."
    yield from _other_distances(grades)


def _other_distances(grades: GradeAgreement) -> Iterator[str]:
    """A weighted kappa that would be another with the other distance of grades."""
    for text, one in grades.measures.items():
        others = DISTANCE.names if isinstance(one, Kappa) else ()
        for name in others:
            value = grades.value(one.with_setting("distance", name))
            if not np.isclose(value, grades.value(one), equal_nan=True):
                yield f"{text} would be {number(value)} with distance={name}, as grades between others do not occur."


def run_notes(grades: GradeAgreement, runs: LeaderboardAgreement | None) -> Iterator[str]:
    """What leaderboards are made of, and how means from both label sets are."""
    if runs is None:
        return
    if any(grades.pairs.users_alone):
        yield f"Leaderboards are on the {plural(runs.users, 'user')} of both label sets."
    if runs.untested and not runs.swapped:
        yield f"Significance was not tested: {runs.untested}."
    if runs.no_interval:
        yield f"There are no means from both label sets: {runs.no_interval}."
    intervals = {one.run: one.interval for one in runs.runs if one.interval is not None}
    if intervals:
        sizes = next(iter(intervals.values()))
        users = f"{plural(sizes.human, 'user')} of both label sets and {sizes.others:,} of {grades.names[1]} alone"
        yield f"Means from both are prediction-powered ({runs.interval}), of {users}."
    for text in dict.fromkeys(filter(None, (one.why or one.note for one in intervals.values()))):
        of_runs = [run for run, one in intervals.items() if text in (one.why, one.note)]
        yield f"{', '.join(of_runs)}: {text}."
