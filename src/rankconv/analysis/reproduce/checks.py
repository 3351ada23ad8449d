"""The checks of presets: the values that a preset's file says it must give, and what came out."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from typing_extensions import TypedDict

from rankconv.analysis.reproduce.reproduction import calculated
from rankconv.basics.errors import InputError, MetricError, RankconvError, nearest
from rankconv.evaluation.evaluate import evaluate
from rankconv.evaluation.results.result import Result
from rankconv.preparation.ties import TieTraits
from rankconv.presets.definition import Definition, inapplicable, settings_of
from rankconv.presets.folders import modified_name, split
from rankconv.presets.preset import Preset
from rankconv.presets.preset_file import Check, ContrastedCheck
from rankconv.presets.preset_page import any_definition, claim_text
from rankconv.presets.preset_registry import preset as find_preset
from rankconv.presets.resolver import with_unretrieved
from rankconv.rendering.pages.cells import finite
from rankconv.rendering.pages.display import Tabular
from rankconv.rendering.pages.page import Page, Paragraph
from rankconv.rendering.pages.table import Table


class PresetCheckData(TypedDict):
    """One number that a preset's file states, and what came out."""

    preset: str
    metric: str
    user: str
    """Whose value it is; empty where it is the mean."""
    expected: str
    """The number or the sum, as it is in the file."""
    found: float | None
    """Null where there is no number."""
    ok: bool
    why: str
    """Why there is no number, or why the check does not hold."""
    claim: str
    """The sentence of the file that the check holds; empty where it is one of its `checks:`."""
    unlike: str
    """The definition that must give another number on these data."""
    other: float | None
    """What that gives; null where there is none."""


class PresetChecksData(TypedDict):
    """The checks of a preset."""

    preset: str
    ok: bool
    checks: list[PresetCheckData]


@dataclass(frozen=True)
class PresetCheck:
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
    """Why there is no number, or why the check does not hold."""
    claim: str = ""
    """The sentence of the file that the check holds; empty where it is one of its `checks:`."""
    unlike: str = ""
    """The definition that must give another number on these data, for otherwise the check would hold any sentence."""
    other: float = math.nan
    """What that gives."""

    def to_dict(self) -> PresetCheckData:
        """Return plain data; NaN is None, as JSON has it."""
        return {
            "preset": self.preset,
            "metric": self.metric,
            "user": self.user,
            "expected": self.expected,
            "found": finite(self.found),
            "ok": self.ok,
            "why": self.why,
            "claim": self.claim,
            "unlike": self.unlike,
            "other": finite(self.other),
        }


@dataclass(frozen=True, eq=False, repr=False)
class PresetChecks(Tabular):
    """What became of the checks of a preset."""

    preset: str
    checks: Sequence[PresetCheck]

    @property
    def ok(self) -> bool:
        """Whether all checks agree."""
        return all(one.ok for one in self.checks)

    def table(self) -> Table:
        """Return a row per check."""
        return checks_table(self.checks)

    def _page(self) -> Page:
        return Page([[Paragraph(f"{self.preset}: {closing_line(self.checks, 1)}")], [self.table()]])

    def to_dict(self) -> PresetChecksData:
        """Return the checks as plain data."""
        return {"preset": self.preset, "ok": self.ok, "checks": [one.to_dict() for one in self.checks]}


def check_preset(preset: str | Path | Preset) -> PresetChecks:
    """Run the checks of a preset's file: the values that it says it must give; the command is `show --check`.

    Parameters
    ----------
    preset : str, path or Preset
        As in `rc.preset`.

    Returns
    -------
    PresetChecks
        `ok` where all agree; `print` shows what each gives.

    Raises
    ------
    ConventionError
        As in `rc.preset`.

    Examples
    --------
    >>> import rankconv as rc
    >>> rc.check_preset("mllib").ok
    True
    """
    owner = find_preset(preset)
    return PresetChecks(owner.name, list(run_checks([owner])))


def run_checks(presets: Iterable[str | Preset]) -> Iterator[PresetCheck]:
    """Each check of each preset, in the order of its file; a number that is not available is a check that fails.

    The checks of its claims come first. Those that a file marks `with: unretrieved` come last, under that modifier, if
    `presets` lacks the modified preset.
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
            yield PresetCheck(str(one), "", "", "", math.nan, ok=False, why=str(error))
        else:
            yield from (_of_claim(preset, claim.text, claim.check) for claim in preset.file.says if claim.check)
            yield from (_checked(each, check) for each in (preset, *modified) for check in each.checks)


REFUSED = "refused"
"""The value of a check whose data, or whose cutoff, the preset must refuse."""
NO_SUM = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
"""Values of checks that are no sums of numbers."""


def _of_claim(preset: Preset, text: str, check: ContrastedCheck) -> PresetCheck:
    """The check of a claim, which also fails where the other definition gives the same, or no number."""
    one = _checked(preset, check)
    other, refusal = _number(preset, check, check.unlike)
    same = one.ok and check.value != REFUSED and not refusal and _equal(other, one.found)
    why = f"'{check.unlike}' gives the same, so the claim may be false" if same else one.why or refusal
    return replace(one, claim=text, unlike=check.unlike, other=other, ok=one.ok and not refusal and not same, why=why)


def _checked(preset: Preset, check: Check) -> PresetCheck:
    user = "" if check.user is None else str(check.user)
    found, why = _number(preset, check, check.metric)
    if check.value == REFUSED:
        why, ok = ("", True) if why else (f"{found:.15g} is no refusal", False)
        return PresetCheck(preset.name, check.metric, user, check.value, found, ok, why)
    wanted = NO_SUM.get(check.value.strip().casefold(), calculated(check.value))
    if wanted is None:
        why = why or f"'{check.value:.80}' is no number or sum"
    ok = not why and wanted is not None and _agree(found, wanted, check)
    return PresetCheck(preset.name, check.metric, user, check.value, found, ok, why)


def _number(preset: Preset, check: Check, spec: str) -> tuple[float, str]:
    """What a spec gives on the data of a check; NaN where there is none, with the reason."""
    try:
        run = check.scores or check.rankings
        return _value(evaluate(check.labels, run, spec, preset, **check.side_data), check), ""
    except RankconvError as error:
        return math.nan, str(error)


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
    return _equal(found, wanted)


def _equal(one: float, other: float) -> bool:
    both = math.isnan(one) and math.isnan(other)
    return both or math.isclose(one, other, rel_tol=1e-12, abs_tol=1e-15)


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
    if not TieTraits.of(settings_of(*definition.setting_sets)[convention_name]).undefined:
        yield inapplicable(convention_name, definition, definition.idle_rules[convention_name]).wrong


def checks_table(found: Sequence[PresetCheck]) -> Table:
    """One row per check; what fails says so."""
    rows = []
    for one in found:
        number = "–" if one.why or one.expected == REFUSED else "NaN" if math.isnan(one.found) else f"{one.found:.15g}"
        rows.append([one.preset, one.metric, one.user, one.expected, number, "ok" if one.ok else "fails"])
    notes = [f"{', '.join(filter(None, (one.preset, one.metric)))}: {one.why}" for one in found if one.why]
    return Table(["preset", "metric", "user", "expected", "found", "check"], rows, labels=6, notes=notes)


def claims_table(preset: Preset) -> Table:
    """One row per claim of a preset's file: the data of its check and what that gives, and the source that says it."""
    found = {one.claim: one for one in run_checks([preset]) if one.claim}
    rows = []
    for claim in preset.file.says:
        if claim.check is None:
            rows.append([claim.text, f"Source: {claim.source}" if claim.source else "not checked", "", ""])
            continue
        one = found[claim.text]
        run = claim.check.scores or claim.check.rankings
        data = f"labels {_flow(claim.check.labels)}, run {_flow(run)}"
        of_user = f" of {one.user}" if one.user else ""
        given = REFUSED if one.expected == REFUSED else _shown(one.found)
        rows.append([claim_text(claim), data, f"{one.metric}{of_user}: {given}", f"{one.unlike}: {_shown(one.other)}"])
    return Table(["claim", "data", "value", "otherwise"], rows, labels=4, prose=frozenset({0, 1, 2, 3}))


def _flow(data: Any) -> str:
    """Labels or a run as a preset's file writes them."""
    if isinstance(data, dict):
        return f"{{{', '.join(f'{key}: {_flow(value)}' for key, value in data.items())}}}"
    return f"[{', '.join(map(_flow, data))}]" if isinstance(data, list) else str(data)


def _shown(value: float) -> str:
    return "NaN" if math.isnan(value) else f"{value:.6g}"


def closing_line(found: Sequence[PresetCheck], presets: int) -> str:
    """How many there are, and how many fail."""
    checks = [one for one in found if one.metric]
    invalid, failed = len(found) - len(checks), sum(not one.ok for one in checks)
    valid = f"{presets - invalid} of {presets} presets are valid" if presets > 1 else "The preset is valid"
    if not checks:
        return f"{valid}. It has no checks: write values that it must give under 'checks:'."
    text = f"{valid}. {len(checks)} check{'s' if len(checks) > 1 else ''}"
    return f"{text}: {f'{failed} fail' + ('' if failed > 1 else 's') if failed else 'all agree'}."
