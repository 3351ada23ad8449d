"""The explanation in words: each step of preparation, the outcome, and what the user contributes."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankconv.aggregation import DATA_POLICIES, JUDGED_POLICIES, POLICIES
from rankconv.analysis.explain.rows import JudgedList, LabelSnapshot, Snapshot, moment, printed_rows
from rankconv.analysis.explain.working import Derivation
from rankconv.engine.metric_result import OUTSIDE, SCORED, Measured, states_of
from rankconv.pages.cells import plural
from rankconv.preparation.block import Block
from rankconv.preparation.pipeline import Preparation, Step
from rankconv.preparation.row_block import judged
from rankconv.preparation.rows import WorkingBlock
from rankconv.preparation.steps.relevance import KNOWN, RELEVANT
from rankconv.preparation.ties import TieEffect
from rankconv.presets.definition import Definition
from rankconv.specs.convention import Setting

SHOWN = 8
"""Items that are named before the rest are counted."""


def listed(items: Sequence[str]) -> str:
    """Items by name, the first ones of many."""
    if len(items) <= SHOWN:
        return ", ".join(items)
    return f"{', '.join(items[: SHOWN - 1])}, … ({len(items)} in all)"


def grade(value: float) -> str:
    """A grade as one writes it."""
    return f"{value:g}"


def graded(label: LabelSnapshot) -> str:
    """A label with its grade."""
    return f"{label.item} (grade {grade(label.grade)})"


def score(value: float) -> str:
    """A score as one writes it."""
    return f"{value:.10g}"


def setting_words(setting: Setting, before: Snapshot, after: Snapshot) -> Iterator[str]:
    """What one step changed; nothing where it changed nothing."""
    yield from _label_texts(before, after)
    yield from _row_texts(setting, before, after)
    yield from (f"refused: {reason}" for reason in after.refusals[len(before.refusals) :])
    if before.known and after.known != before.known:
        yield f"{plural(after.known, 'label')} now, and {before.known} before"


def _label_texts(before: Snapshot, after: Snapshot) -> Iterator[str]:
    pairs = list(zip(before.labels, after.labels, strict=True))
    changed = [(one, now.grade) for one, now in pairs if one.grade != now.grade]
    grades = [f"{one.item} from {grade(one.grade)} to {grade(then)}" for one, then in changed]
    if grades:
        yield f"{'grade' if len(grades) == 1 else 'grades'} changed: {listed(grades)}"
    gone = [graded(one) for one, now in pairs if one.exists and not now.exists]
    if gone:
        yield f"{plural(len(gone), 'label')} dropped: {listed(gone)}"
    pooled = [one.item for one, now in pairs if now.in_pool and not one.in_pool]
    if pooled:
        yield f"in the pool, not judged: {listed(pooled)}"
    at_end = [one.item for one, now in pairs if now.at_end and not one.at_end]
    if at_end:
        yield f"to stand at the end: {listed(at_end)}"


def _row_texts(setting: Setting, before: Snapshot, after: Snapshot) -> Iterator[str]:
    was, now = {row.key: row for row in before.rows}, {row.key: row for row in after.rows}
    gone = [row.item for row in before.rows if row.key not in now]
    if gone:
        yield f"{plural(len(gone), 'item')} dropped: {listed(gone)}"
    new = [row.item for row in after.rows if row.key not in was]
    if new:
        yield f"{plural(len(new), 'row')} appended: {listed(new)}"
    common = [row for row in after.rows if row.key in was]
    if [row.key for row in common] != [row.key for row in before.rows if row.key in now]:
        yield f"re-ordered {_by(setting)}: {listed([row.item for row in after.rows])}"
    scores = [f"{row.item} to {score(row.score)}" for row in common if row.score != was[row.key].score]
    if scores:
        yield f"scores changed: {listed(scores)}"
    no_hits = [row.item for row in common if was[row.key].relevant and row.relevant is False]
    if no_hits:
        yield f"no hit again: {listed(no_hits)}"
    heavy = [f"{row.item} ({row.weight:g} times)" for row in common if row.weight != was[row.key].weight]
    if heavy:
        yield f"counted as often as rows hold the item: {listed(heavy)}"


def _by(setting: Setting) -> str:
    return setting.setting_type.rule if setting.trait("by_score") else "so that the last rows are last"


@dataclass(frozen=True)
class Change:
    """What one setting changed in the list or its labels."""

    convention: str
    setting: str
    words: str


def trace_preparation(block: WorkingBlock, preparation: Preparation) -> tuple[Block, JudgedList, list[Change]]:
    """Judge the block of one user; the block, its plain rows, and what was changed on the way."""
    changes: list[Change] = []
    before = moment(block)
    for step in preparation.steps:
        step.take(block)
        after = moment(block)
        changes += [
            Change(convention_name, preparation.given(convention_name), words)
            for convention_name, words in _step_words(step, before, after)
        ]
        before = after
    done = judged(block, preparation)
    plain = printed_rows(done)
    ends = [*_tie_clauses(plain, preparation), *_gate_clauses(plain)]
    return (
        done,
        plain,
        changes
        + [Change(convention_name, preparation.given(convention_name), words) for convention_name, words in ends],
    )


SettingTexts = Iterator[tuple[str, str]]
"""A convention, and what its setting changed."""


def _step_words(step: Step, before: Snapshot, after: Snapshot) -> SettingTexts:
    if step.convention_name == RELEVANT.name:
        yield from _relevance_clauses(before, after)
    elif step.convention_name == KNOWN.name:
        yield from _label_clauses(step, after)
    else:
        yield from ((step.convention_name, words) for words in setting_words(step.setting, before, after))


def _relevance_clauses(before: Snapshot, after: Snapshot) -> SettingTexts:
    judged_labels = [label for label in after.labels if label.judged]
    low = [graded(label) for label in judged_labels if not label.relevant and label.grade > 0]
    high = [graded(label) for label in judged_labels if label.relevant and label.grade <= 0]
    if low:
        yield "relevant", f"not relevant: {listed(low)}"
    if high:
        yield "relevant", f"relevant all the same: {listed(high)}"
    gone = [one.item for one, now in zip(before.labels, after.labels, strict=True) if one.exists and not now.exists]
    if gone:
        yield "labels-used", f"{plural(len(gone), 'label')} of other grades not seen: {listed(gone)}"


def _label_clauses(step: Step, after: Snapshot) -> SettingTexts:
    returned = {row.item for row in after.rows}
    if step.setting.trait("rows_are_labels"):
        unretrieved = [label.item for label in after.labels if label.judged and label.item not in returned]
        if unretrieved:
            yield "labels-used", f"labels of items that were not returned are not seen: {listed(unretrieved)}"
        labelled = {label.item for label in after.labels if label.judged}
        bare = [row.item for row in after.rows if row.item not in labelled]
        if bare:
            yield "labels-used", f"without a label, so grade 0: {listed(bare)}"
    elif step.setting.trait("labels_of_rows") and after.known > sum(label.judged for label in after.labels):
        yield "labels-used", f"a label counts once for each row of its item: {after.known} labels"


def _tie_clauses(plain: JudgedList, preparation: Preparation) -> SettingTexts:
    ties = [row.tie for at, row in enumerate(plain.rows) if row.tie[0] == at and len(row.tie) > 1]
    if not preparation.by_score and preparation.tie_rule is TieEffect.ORDER:
        return
    rule = preparation.settings["ties"].setting_type.rule
    for tie in ties:
        items, first = listed([plain.rows[at].item for at in tie]), plain.rows[tie[0]]
        if preparation.tie_rule is TieEffect.EXPECTED:
            yield "ties", f"tie group of {len(tie)} by expected values, ranks {tie[0] + 1} to {tie[-1] + 1}: {items}"
        elif preparation.tie_rule is TieEffect.SHARED:
            yield "ties", f"tie group of {len(tie)} shares rank {float(first.rank):g}: {items}"
        else:
            yield "ties", f"equal scores ({score(first.score)}), {rule}: {items}"


def _gate_clauses(plain: JudgedList) -> SettingTexts:
    kept = [f"{row.item} (score {score(row.score)})" for row in plain.rows if row.relevant and not row.hit]
    if kept:
        yield "min-score", f"relevant, and no hit because of the score: {listed(kept)}"


@dataclass(frozen=True)
class Outcome:
    """What the user counts as, and why."""

    value: float
    """The number that `rc.evaluate` gives this user."""
    state: str
    """As in `rc.Result.state`: `scored`, `outside`, or the policy and its setting."""
    decided: str
    """What decided, in a sentence."""


def outcome(definition: Definition, judged: JudgedList, working: Derivation, measured: Measured, code: int) -> Outcome:
    """What the user counts as: the value is worked out, and which special case decided is what the engine found."""
    if measured.states[code] == OUTSIDE:
        users = definition.aggregation.settings["users"]
        return Outcome(
            math.nan, "outside", f"users={users.text}: {users.setting_type.rule}; this user is none of them."
        )
    if measured.of_all:
        return _of_all(definition, measured)
    policy = {state: name for name, state in states_of(definition).items()}.get(int(measured.states[code]))
    value = _rounded(definition, _reported(definition, _answered(policy, working, definition)))
    settings = definition.aggregation.settings
    refusal = next((one for one in measured.refusals if settings[one.policy].trait("refuses") == "everybody"), None)
    if policy is None:
        state = measured.state_names[SCORED]
        decided = "The formula: no policy of the preset applies."
    else:
        setting = definition.aggregation.settings[policy]
        state, decided = f"{policy}: {setting.text}", _said(policy, judged, setting.text, setting.setting_type.rule)
    if refusal is not None and policy == refusal.policy:
        return Outcome(math.nan, state, decided)
    if refusal is not None:
        return Outcome(math.nan, state, f"{decided} The whole input is refused: {refusal.why}.")
    return Outcome(value, state, decided + ("" if math.isnan(value) else _report_clauses(definition)))


def _answered(policy: str | None, working: Derivation, definition: Definition) -> float:
    """What the user counts as, before any rounding."""
    if policy is None:
        return working.ratio.value
    setting = definition.aggregation.settings[policy]
    if setting.trait("undivided"):
        return working.numerator.value / float(setting.keywords.get("by", 1.0))
    return float(setting.keywords.get("value", math.nan))


def _said(policy: str, judged: JudgedList, setting: str, rule: str) -> str:
    condition = POLICIES[policy]
    refused = judged.refusals
    who = refused[0] if condition.of_preparation and refused else condition.who
    counts = f"counts as {setting}" if rule == "counts as this number" else rule
    return f"{policy}={setting}: the user {who}: {counts}."


def _of_all(definition: Definition, measured: Measured) -> Outcome:
    name = measured.of_all
    what = (DATA_POLICIES.get(name) or JUDGED_POLICIES[name]).what
    given = definition.aggregation.given(name)
    number: Any = definition.aggregation.settings[name].keywords.get("value", math.nan)
    return Outcome(_reported(definition, float(number)), "scored", f"{name}={given}: {what}, for every user.")


def _rounded(definition: Definition, value: float) -> float:
    return float(definition.aggregation.settings["round-user"](values=np.array([value]))[0])


def _reported(definition: Definition, value: float) -> float:
    return float(definition.aggregation.settings["report"](values=np.array([value]))[0])


def _report_clauses(definition: Definition) -> str:
    reported, rounding = (definition.aggregation.settings[name] for name in ("report", "round-user"))
    turned = "" if reported.changes_nothing else f" Then report={reported.text}: {reported.setting_type.rule}."
    return turned + ("" if rounding.changes_nothing else f" Then rounded: round-user={rounding.text}.")


def users_counted(definition: Definition, measured: Measured) -> int:
    """How many users the mean is over: those who are neither outside nor skipped."""
    skipped = {name for name in measured.counts if name == "outside" or name.endswith(": skip")}
    return sum(count for name, count in measured.counts.items() if name not in skipped)


def contribution(definition: Definition, measured: Measured, found: Outcome, working: Derivation) -> str:
    """What the user adds to the mean, in a sentence."""
    if measured.refusals:
        return f"There is no mean: {measured.refusals[0].why}."
    mean = f"the mean is {_shown(measured.mean)}"
    if measured.of_all:
        return f"Nothing of their own: {mean} for the data as a whole."
    if definition.metric.of_all_lists:
        number = _shown(measured.mean)
        return f"Only their rows: this is of their list alone, and of the lists of all users it is {number}."
    if definition.preparation.pools:
        return f"Only their rows: the lists of all users are put together into one, and {mean} of that one list."
    users = users_counted(definition, measured)
    if found.state == "outside" or found.state.endswith(": skip"):
        return f"Nothing: they are not among the {plural(users, 'user')} of the mean; {mean}."
    many = "1 user is counted" if users == 1 else f"{users} users are counted"
    if definition.aggregation.settings["aggregate"].trait("share") == "of sums":
        turned = definition.aggregation.settings["report"].trait("turns")
        return _in_sums(working, found.state, many, measured.mean, "1 less their ratio" if turned else "their ratio")
    return _share(definition, found.value, users, many, measured.mean)


def _in_sums(working: Derivation, state: str, many: str, mean: float, what: str) -> str:
    """What they add where numerators and denominators are summed."""
    above, below = (_shown(one.value) if state == "scored" else "0" for one in (working.numerator, working.denominator))
    sums = f"{above} to the sum of numerators, {below} to that of denominators"
    return f"{sums}; the mean is {what}, {_shown(mean)}; {many}."


def _share(definition: Definition, value: float, users: int, many: str, mean: float) -> str:
    """What they add under each kind of mean."""
    how = definition.aggregation.settings["aggregate"]
    if how.trait("share") == "of the number":
        rounded = "" if definition.aggregation.settings["round-mean"].changes_nothing else ", rounded"
        return f"{_shown(value)}/{users} = {_shown(value / users)} of the mean {_shown(mean)}{rounded}; {many}."
    if how.trait("share") == "whole":
        return f"{_shown(value)} of the sum {_shown(mean)}; {many}."
    return f"No share of its own under aggregate={how.text}, which is {how.setting_type.rule}: {_shown(mean)}; {many}."


def _shown(value: float) -> str:
    return "NaN" if math.isnan(value) else f"{value:.6g}"
