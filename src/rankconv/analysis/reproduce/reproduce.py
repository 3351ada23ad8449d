"""The reproduction of printed values: what a file claims, what its preset gives, and the verdict on each number."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rankconv.analysis.reproduce.reproduction import (
    ERRATUM,
    EXACT,
    UNEXPLAINED,
    Disagreement,
    Printed,
    Reproduction,
    Row,
    calculated,
    read_printed,
    reproduced,
)
from rankconv.analysis.reproduce.sources import (
    Contradiction,
    Erratum,
    Number,
    Source,
    Table,
    left_out,
    named,
    published,
    source,
    unpacked,
)
from rankconv.data.joined import Joined
from rankconv.engine import measure
from rankconv.engine.metric_result import Measured
from rankconv.errors import ConventionError, InputError, MetricError, RankconvError, nearest, unknown
from rankconv.evaluation.evaluate import evaluate
from rankconv.evaluation.result import Result
from rankconv.pages.cells import plain
from rankconv.pages.display import Tabular
from rankconv.pages.page import Page, Paragraph
from rankconv.pages.table import Table as PageTable
from rankconv.presets import folders
from rankconv.presets.definition import Definition, inapplicable, settings_of
from rankconv.presets.folders import modified_name, split
from rankconv.presets.preset_file import Check
from rankconv.presets.preset_page import any_definition
from rankconv.presets.registry import preset as find_preset
from rankconv.presets.resolved import Preset
from rankconv.presets.resolver import with_unretrieved
from rankconv.presets.yaml_file import Path as YamlPath
from rankconv.specs.spec import preset_and_rest

OTHERS_COME_OUT = "all else of its table comes out"


@dataclass(frozen=True)
class NumberSource:
    """A spec under a preset, on inputs, for one user or the mean."""

    inputs: str
    preset: str
    settings: tuple[tuple[str, Any], ...]
    """Options of the run."""
    spec: str
    user: str | int | None
    line: str
    """File and line, for messages."""

    @property
    def requested(self) -> tuple[object, ...]:
        """What one definition gives: of all users, and their mean."""
        return self.preset, self.settings, self.spec

    @property
    def definition(self) -> Definition:
        """What the spec asks for; errors get the line."""
        try:
            (found,) = find_preset(self.preset).replace(**dict(self.settings)).define(self.spec)
        except RankconvError as error:
            raise error.at(self.line) from None
        except ValueError:
            raise ConventionError(f"'{self.spec}' has several cutoffs", where=self.line) from None
        return found


@dataclass(frozen=True)
class PrintedNumber:
    """A number in print, and what must give it."""

    number_source: NumberSource
    where: str
    table: int
    """The place of its table in the file."""
    printed: Printed
    mark: bool | Erratum
    note: str


def claims(source: Source) -> Iterator[PrintedNumber]:
    """All numbers of a source."""
    for place, table in enumerate(source.file.tables):
        if not table.numbers and not table.output:
            raise ConventionError("the table has no numbers", where=source.document.place(("tables", place)))
        if table.output:
            yield from _of_output(source, place, table)
        for row, number in enumerate(table.numbers):
            yield from _of_number(source, place, ("tables", place, "numbers", row), number)


def _of_number(source: Source, place: int, path: YamlPath, number: Number) -> Iterator[PrintedNumber]:
    line = source.document.place(path)
    given = [number.printed is not None, bool(number.at), bool(number.by_user)]
    if sum(given) != 1:
        raise ConventionError("a number has exactly one of printed, at, by-user", where=line)
    table = source.file.tables[place]
    cells = [(number.metric, number.user, number.printed or "")]
    if number.at:
        cells = [(f"{number.metric}@{k}", number.user, text) for k, text in number.at.items()]
    elif number.by_user:
        cells = [(number.metric, user, text) for user, text in number.by_user.items()]
    where, note = ", ".join(filter(None, (table.where, number.where))), number.note or table.note
    for spec, user, text in cells:
        given_by = _source_of(source, (number, table), spec, user, line)
        yield PrintedNumber(given_by, where, place, _printed(text, line), number.erratum, note)


def _of_output(source: Source, place: int, table: Table) -> Iterator[PrintedNumber]:
    line = source.document.place(("tables", place))
    for text in unpacked(source.read, table.output).splitlines():
        metric, user, number = (*text.split(), "", "", "")[:3]
        if not metric or metric == "runid" or metric.startswith("relstring"):
            continue  # these two print words
        who = None if user == "all" else user
        given_by = _source_of(source, (table,), metric, who, line)
        yield PrintedNumber(given_by, table.where, place, _printed(number, line), False, table.note)


def _source_of(
    source: Source, statements: tuple[Number | Table | Contradiction, ...], spec: str, user: str | int | None, line: str
) -> NumberSource:
    """Inputs and preset as the innermost of them tells, or as the file does."""
    names = list(source.file.inputs)
    name = next((one.inputs for one in statements if one.inputs), names[0] if len(names) == 1 else "")
    if name not in names:
        raise unknown("name of inputs", name, names, where=line)
    named, rest = preset_and_rest(spec)
    preset = named or next((one.preset for one in (*statements, source.file) if one.preset), "")
    if not preset:
        raise ConventionError("no preset is named", where=line, do="Add 'preset:' to the number, table or file.")
    if folders.is_path(preset) and isinstance(source.folder, Path):
        preset = str(source.folder / preset)
    settings = [setting for one in statements if isinstance(one, Table) for setting in one.settings.items()]
    return NumberSource(name, preset, tuple(settings), rest, user, line)


def _printed(text: str, line: str) -> Printed:
    try:
        return read_printed(text)
    except ConventionError as error:
        raise error.at(line) from None


@dataclass(frozen=True)
class Outcome:
    """A number, or why there is none."""

    value: float | None
    why: str = ""


def outcomes(source: Source, numbers: Iterable[NumberSource]) -> dict[NumberSource, Outcome]:
    """What each of them gives."""
    by_inputs: dict[str, list[NumberSource]] = {}
    for one in dict.fromkeys(numbers):
        by_inputs.setdefault(one.inputs, []).append(one)
    found: dict[NumberSource, Outcome] = {}
    for inputs, group in by_inputs.items():
        joined = source.joined[inputs]
        first: dict[tuple[object, ...], NumberSource] = {}
        for one in group:
            first.setdefault(one.requested, one)
        definitions = [one.definition for one in first.values()]
        measured = dict(zip(first, measure(joined, definitions, None), strict=True))
        found |= {one: _outcome(joined, measured[one.requested], one) for one in group}
    return found


def _outcome(joined: Joined, measured: Measured, number: NumberSource) -> Outcome:
    refusals = measured.refusals
    if any(refusal.policy == "needs" for refusal in refusals):
        raise InputError(refusals[0].why, where=number.line)
    if number.user is None:
        return Outcome(None, refusals[0].why) if refusals else Outcome(measured.mean)
    users = [str(user) for user in joined.users.values]
    if str(number.user) not in users:
        raise unknown("known user", str(number.user), users, where=number.line)
    place = users.index(str(number.user))
    state, settings = measured.state_names[measured.states[place]], measured.definition.aggregation.settings
    policy = state.partition(": ")[0]
    refused = policy in settings and settings[policy].trait("refuses")
    return Outcome(None, state) if refused else Outcome(float(measured.values[place]))


Verdicts = Mapping[PrintedNumber, str | None]
"""How each number is reproduced, if it is."""


def judged(source: Source) -> list[Row]:
    """All numbers of a source, in the order of its file."""
    found = list(claims(source))
    given = outcomes(source, [claim.number_source for claim in found])
    verdicts = {claim: reproduced(claim.printed, given[claim.number_source].value) for claim in found}
    faults = {claim: _fault(claim, verdicts, given) for claim, verdict in verdicts.items() if verdict is None}
    return [_row(source, claim, verdicts[claim], faults.get(claim, ""), given[claim.number_source]) for claim in found]


def _fault(claim: PrintedNumber, verdicts: Verdicts, given: Mapping[NumberSource, Outcome]) -> str:
    """Why a number that does not come out is no erratum either; empty where it is one."""
    if not claim.mark:
        return "it does not come out"
    table = [other for other in verdicts if other.table == claim.table and other is not claim]
    same_preset = any(other.number_source.preset == claim.number_source.preset for other in table)
    others = [verdicts[other] for other in table] if same_preset else []
    return not_borne_out(claim.mark, claim.printed, given[claim.number_source].value, others)


def not_borne_out(mark: bool | Erratum, printed: Printed, ours: float | None, others: Sequence[str | None]) -> str:
    """Why the source does not bear out that a number is an erratum; empty where it does.

    `others` are the verdicts on all other numbers of its table.
    """
    if isinstance(mark, Erratum):
        return _not_given(read_printed(mark.gives), printed, ours)
    if not others:
        return "marked as an erratum without a contradicting sentence: name that sentence"
    wrong = sum(verdict is None for verdict in others)
    return f"marked as an erratum, but {wrong} more of its table do not come out" if wrong else ""


def _not_given(gives: Printed, printed: Printed, ours: float | None) -> str:
    if gives.unit is not None and (printed.unit is None or gives.unit > printed.unit):
        return f"marked as an erratum, but {gives.text} has fewer digits than the number itself"
    if reproduced(gives, ours) == EXACT:
        return ""
    return f"marked as an erratum, but what the source says gives {gives.text}, and the preset does not"


def _row(source: Source, claim: PrintedNumber, verdict: str | None, fault: str, outcome: Outcome) -> Row:
    verdict_text = verdict or (UNEXPLAINED if fault else ERRATUM)
    wrongly = verdict is not None and bool(claim.mark)
    note = "marked as an erratum, and the preset gives it" if wrongly else fault
    if verdict_text == ERRATUM:
        shows = f'the source says "{claim.mark.says}"' if isinstance(claim.mark, Erratum) else OTHERS_COME_OUT
        note = "; ".join(filter(None, (shows, claim.note)))
    return Row(
        source=source.file.name,
        where=claim.where,
        preset=claim.number_source.preset,
        metric=claim.number_source.spec,
        user=claim.number_source.user,
        printed=claim.printed.text,
        ours=outcome.value,
        shown=shown(outcome.value, claim.printed, differs=verdict is None),
        verdict=verdict_text,
        note=note or outcome.why or claim.note,
        wrongly_marked=wrongly,
        computed=source.file.tables[claim.table].computed,
    )


def shown(ours: float | None, printed: Printed, differs: bool = False) -> str:
    """Our number to the digits printed, or to more where that distinguishes the two."""
    if ours is None:
        return "refused"
    decimals = printed.decimals
    if decimals is None or not math.isfinite(ours):
        return f"{ours:.6g}"
    if not differs:
        return f"{ours:.{min(decimals, 16)}f}"
    whole, _, digits = f"{ours:.{decimals + 2}f}".partition(".")
    return f"{whole}.{digits[:decimals]}{digits[decimals:].rstrip('0')}"


def reproduce(*sources: str | Path) -> Reproduction:
    """Reproduce the printed values of sources with the presets that their files name.

    Parameters
    ----------
    *sources : str or path
        Names of shipped files (`conventions/published/`), presets, or paths of your own; by default all shipped files.

    Returns
    -------
    Reproduction
        `rows`, `summary` and `ok`. The verdict on a number is computed: exact, truncated, float32, an erratum that the
        source itself shows, or unexplained. A number must be that of the preset that the file names; `rc.identify`
        finds others.

    Raises
    ------
    ConventionError
        If a source is unknown, or a file is not valid, with file and line.

    Examples
    --------
    >>> import rankconv as rc
    >>> found = rc.reproduce("ndcg-video")
    >>> found.summary
    '3 numbers, 2 exact, 0 truncated, 0 float32, 1 errata, 0 unexplained, 0 left out'
    >>> [(row.metric, row.printed, row.shown) for row in found if row.verdict == "erratum"]
    [('ndcg@3', '0.94', '0.9501')]
    """
    for one in sources:
        if not isinstance(one, (str, Path)):
            allowed = "A source is a name or a path; pass several one after another, reproduce('a', 'b')"
            raise ConventionError(f"{one!r:.100} is not a source", allowed=allowed)
    known = published()
    chosen = [source(name) for name in dict.fromkeys(one for given in sources or known for one in named(given))]
    names = {one.file.name for one in chosen}
    return Reproduction(
        {one.file.name: one.file.title for one in chosen},
        tuple(row for one in chosen for row in judged(one)),
        tuple(found for one in chosen for found in _disagreements(one)),
        tuple(entry for entry in left_out() if not sources or entry.source in names & known.keys()),
        tuple((one.file.name, slip) for one in chosen for slip in one.file.slips),
    )


def _disagreements(source: Source) -> Iterator[Disagreement]:
    for place, one in enumerate(source.file.contradictions):
        line = source.document.place(("contradictions", place))
        reading, against = (_source_of(source, (one,), spec, one.user, line) for spec in (one.reading, one.against))
        found = outcomes(source, [reading, against])
        gives, ours = found[reading].value, found[against].value
        printed = read_printed(one.printed)
        yield Disagreement(
            source=source.file.name,
            where=one.where,
            says=one.says,
            reading=one.reading,
            gives=gives,
            against=one.against,
            printed=one.printed,
            ours=ours,
            failed=reproduced(printed, gives) is not None or reproduced(printed, ours) != EXACT,
            shown=shown(gives, printed),
        )


@dataclass(frozen=True)
class CheckResult:
    """One number that a preset's file asks for, and what came out."""

    preset: str
    metric: str
    user: str
    """Whose value it is; empty where it is the mean."""
    expected: str
    """The number or the sum, as it is in the file."""
    found: float
    """NaN where there is no number."""
    ok: bool
    why: str = ""
    """Why there is no number."""


@dataclass(frozen=True, eq=False, repr=False)
class PresetChecks(Tabular):
    """What became of the checks of a preset."""

    preset: str
    checks: Sequence[CheckResult]

    @property
    def ok(self) -> bool:
        """Whether all checks agree."""
        return all(one.ok for one in self.checks)

    def table(self) -> PageTable:
        """Return a row per check."""
        return checks_table(self.checks)

    def _page(self) -> Page:
        return Page([[Paragraph(f"{self.preset}: {closing_line(self.checks, 1)}")], [self.table()]])

    def to_dict(self) -> dict[str, Any]:
        """Return the checks as plain data."""
        return {"preset": self.preset, "ok": self.ok, "checks": [plain(vars(one)) for one in self.checks]}


def checks_of(preset: Preset) -> PresetChecks:
    """Run the checks of one preset."""
    return PresetChecks(preset.name, list(run_checks([preset])))


def run_checks(presets: Iterable[str | Preset]) -> Iterator[CheckResult]:
    """Each check of each preset, in the order of its file; a number that is not available is a check that fails.

    Those that a file marks `with: unretrieved` follow, under that modifier, if `presets` lacks the modified preset.
    A value agrees if it is equal to 1e-12 of it; where the check says `printed: true`, rounded to the digits given.
    A preset that does not hold together is one check that fails.

    >>> first, *rest = run_checks(["mllib"])
    >>> first.ok, all(one.ok for one in rest)
    (True, True)
    """
    listed = list(presets)
    names = {one.name if isinstance(one, Preset) else one for one in listed}
    for one in listed:
        try:
            preset = find_preset(one)
            marked = len(preset.checks) < len(preset.file.checks) and not split(preset.name)[1]
            modified = [with_unretrieved(preset)] if marked and modified_name(preset.name) not in names else []
        except RankconvError as error:
            yield CheckResult(str(one), "", "", "", math.nan, ok=False, why=str(error))
        else:
            yield from (_checked(each, check) for each in (preset, *modified) for check in each.checks)


def _checked(preset: Preset, check: Check) -> CheckResult:
    user = "" if check.user is None else str(check.user)
    found, why = math.nan, ""
    try:
        run = check.scores or check.rankings
        found = _value(evaluate(check.labels, run, check.metric, preset, catalogue=check.catalogue), check)
    except RankconvError as error:
        why = str(error)
    wanted = math.nan if check.value.strip().casefold() == "nan" else calculated(check.value)
    if wanted is None:
        why = why or f"'{check.value:.80}' is no number or sum"
    ok = not why and wanted is not None and _agree(found, wanted, check)
    return CheckResult(preset.name, check.metric, user, check.value, found, ok, why)


def _value(result: Result, check: Check) -> float:
    spec, *more = result.specs
    if more:
        raise MetricError(f"'{check.metric}' has several cutoffs", do="Give one cutoff.")
    if check.user is None:
        return result[spec]
    users = [str(user) for user in result.users.tolist()]
    if str(check.user) not in users:
        raise InputError(f"there is no user '{check.user}' in the check", nearest=nearest(str(check.user), users))
    return float(result.per_user[spec][users.index(str(check.user))])


def _agree(found: float, wanted: float, check: Check) -> bool:
    if check.printed:
        return round(found, len(check.value.partition(".")[2])) == wanted
    if math.isnan(wanted):
        return math.isnan(found)
    return math.isclose(found, wanted, rel_tol=1e-12, abs_tol=1e-15)


def without_effect(preset: Preset) -> Iterator[str]:
    """Tell which settings of a preset's own file have no effect with another one that the file states with them.

    Inherited settings and those that say that the system leaves something undefined are no complaints.
    """
    file = preset.file
    general = {**file.preparation, **file.aggregation, **file.metric_settings}
    entries = {key: entry.settings for key, entry in file.entries.items()}
    definitions = {key: any_definition(preset, key) for key in preset.metrics}
    for convention_name in general:
        rules = [one.idle_rules.get(convention_name) for one in definitions.values() if convention_name in one.settings]
        if rules and all(rule is not None and rule.by in general for rule in rules):
            yield from _setting_lines(convention_name, next(iter(definitions.values())))
    for key, own in entries.items():
        rule_of = definitions[key].idle_rules
        for convention_name in own:
            if convention_name in rule_of and rule_of[convention_name].by in own:
                yield from _setting_lines(convention_name, definitions[key])


def _setting_lines(convention_name: str, definition: Definition) -> Iterator[str]:
    if not settings_of(*definition.parts)[convention_name].trait("undefined"):
        yield inapplicable(convention_name, definition, definition.idle_rules[convention_name]).wrong


def checks_table(found: Sequence[CheckResult]) -> PageTable:
    """One row per check; what fails says so."""
    rows = []
    for one in found:
        number = "–" if one.why else "NaN" if math.isnan(one.found) else f"{one.found:.15g}"
        rows.append([one.preset, one.metric, one.user, one.expected, number, "ok" if one.ok else "fails"])
    notes = [f"{', '.join(filter(None, (one.preset, one.metric)))}: {one.why}" for one in found if one.why]
    return PageTable(["preset", "metric", "user", "expected", "found", "check"], rows, labels=6, notes=notes)


def closing_line(found: Sequence[CheckResult], presets: int) -> str:
    """How many there are, and how many fail."""
    checks = [one for one in found if one.metric]
    invalid, failed = len(found) - len(checks), sum(not one.ok for one in checks)
    valid = f"{presets - invalid} of {presets} presets are valid" if presets > 1 else "The preset is valid"
    if not checks:
        return f"{valid}. It has no checks: write values that it must give under 'checks:'."
    text = f"{valid}. {len(checks)} check{'s' if len(checks) > 1 else ''}"
    return f"{text}: {f'{failed} fail' + ('' if failed > 1 else 's') if failed else 'all agree'}."
