"""A metric worked out on one list: numerator and denominator as expressions, and what is printed next to the rows."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from rankconv.aggregation import DATA_POLICIES, JUDGED_POLICIES, POLICIES
from rankconv.analysis.explain.rows import JudgedList, LabelSnapshot, Row, Snapshot, moment, printed_rows
from rankconv.engine.metric_result import OUTSIDE, SCORED, Measured, states_of
from rankconv.metrics.base import Metric
from rankconv.numbers.exact import ONE, exact, exact_gains, exact_of_ranks, number, over, quotient, times, total
from rankconv.numbers.writing import Expression, Number
from rankconv.pages.cells import plural
from rankconv.preparation.block import Block
from rankconv.preparation.expected import TieEffect
from rankconv.preparation.pipeline import Preparation, Step
from rankconv.preparation.row_block import judged
from rankconv.preparation.rows import WorkingBlock
from rankconv.preparation.steps.relevance import KNOWN, RELEVANT
from rankconv.presets.definition import Definition
from rankconv.specs.convention import Setting


class Sheet:
    """What the workings of all metrics read. Lists have one entry per row of the judged list."""

    def __init__(self, judged: JudgedList, metric: Metric) -> None:
        self.judged, self.metric = judged, metric
        self.rows, self.labels = judged.rows, judged.labels
        self.k, self.scope = metric.k, metric.scope

    def setting(self, convention_name: str) -> Setting:
        """The metric's setting of a convention."""
        return self.metric.settings[convention_name]

    def within(self, k: int | None) -> int:
        """How many rows stand at rank k or above."""
        return self.judged.within(k)

    @cached_property
    def read(self) -> int:
        """How many rows the metric reads."""
        return self.within(self.scope)

    @property
    def length(self) -> int:
        """Rows of the judged list."""
        return len(self.rows)

    @cached_property
    def relevant(self) -> int:
        """R: relevant labels that exist."""
        return sum(label.relevant for label in self.labels)

    @cached_property
    def not_relevant(self) -> int:
        """Labels that exist and are not relevant."""
        return len(self.labels) - self.relevant

    @property
    def catalogue(self) -> int:
        """Items that there are."""
        assert self.judged.catalogue is not None
        return self.judged.catalogue

    # by row

    @property
    def ranks(self) -> list[int | Fraction]:
        """The rank of each row."""
        return [row.rank for row in self.rows]

    @cached_property
    def hits(self) -> list[Fraction]:
        """1 where the row is a hit; its expected value where ties count by these."""
        return [one.exact or Fraction(0) for one in self._expected([number(row.hit) for row in self.rows])]

    @cached_property
    def misses(self) -> list[int]:
        """1 where the row is no hit."""
        return [int(not row.hit) for row in self.rows]

    @cached_property
    def grades(self) -> list[Fraction]:
        """The grade of each row; 0 where it has none."""
        return [row.grade or Fraction(0) for row in self.rows]

    @cached_property
    def gains(self) -> list[Expression]:
        """What each row is worth; its expected value where ties count by these."""
        return self._expected([self._own_gain(row) for row in self.rows])

    def _own_gain(self, row: Row) -> Expression:
        if not row.judged or row.grade is None:
            return number(0)
        return times(self.gain_of(row.grade, row.relevant), row.weight)

    def gain_of(self, grade: Fraction, relevant: bool) -> Expression:
        """What a grade is worth."""
        own_highest = exact([max((label.grade for label in self.judged.labels), default=Fraction(0))])
        more = {"level": float(self.judged.level), "own_highest": own_highest}
        gains = exact_gains(self.setting("gain"), [grade], np.array([relevant]), **more)
        worth: Expression = gains[0].of
        return worth

    def discount(self, rank: int) -> Expression:
        """How much a rank counts."""
        of_lists = {"lengths": exact([self.length]), "relevant_counts": exact([self.relevant])}
        counts: Expression = exact_of_ranks(self.setting("discount"), exact([rank]), **of_lists)[0].of
        return counts

    def _expected(self, values: list[Expression]) -> list[Expression]:
        if self.judged.tie_rule is not TieEffect.EXPECTED:
            return values
        return [over(total(values[at] for at in row.tie), len(row.tie)) for row in self.rows]

    # sums

    @cached_property
    def found(self) -> Fraction:
        """Hits among the rows that the metric reads."""
        return sum(self.hits[: self.read], Fraction(0))

    def count(self, holds: Callable[[Row], bool]) -> list[int]:
        """1 for each row of which this holds."""
        return [int(holds(row)) for row in self.rows]


def running(values: Sequence[Expression]) -> list[Expression]:
    """The sums down to each row and with it: fractions as long as all are, decimals from then on."""
    sums: list[Expression] = []
    exact: Fraction | None = Fraction(0)
    decimal = 0.0
    for value in values:
        exact = None if exact is None or value.exact is None else exact + value.exact
        decimal += value.value
        sums.append(Number(decimal) if exact is None else number(exact))
    return sums


Cell = Expression | str
Column = Sequence[Cell]


@dataclass(frozen=True)
class Ideal:
    """The list that a metric compares with, rank by rank."""

    items: Sequence[str]
    columns: Mapping[str, Column]
    worth: Sequence[Expression] = ()
    """What each rank adds, as a plot draws it."""


@dataclass(frozen=True)
class Part:
    """One of several ratios that a metric combines, such as the precision of F."""

    name: str
    numerator: Expression
    denominator: Expression
    value: Expression


@dataclass(frozen=True)
class Derivation:
    """How the number of one user comes about."""

    numerator: Expression
    denominator: Expression = ONE
    names: tuple[str, str] = ("above the line", "below the line")
    """What numerator and denominator are: "DCG@3", "ideal DCG"."""
    columns: Mapping[str, Column] = field(default_factory=dict)
    """By row, from the first rank on; a column may end above the end of the list."""
    ideal: Ideal | None = None
    says: Sequence[tuple[str, Expression | None]] = ()
    """Facts that enter the formula, in words, each with its number."""
    parts: Sequence[Part] = ()
    worth: Sequence[Expression] = ()
    """What each rank adds to the numerator, as a plot draws it."""

    @property
    def ratio(self) -> Expression:
        """The number itself."""
        return self.numerator if self.denominator.exact == 1 else quotient(self.numerator, self.denominator)


Worker = Callable[[Sheet], Derivation]
WORKINGS: dict[type[Metric], Worker] = {}
"""How each metric is worked out."""


def derivation_of(metric: type[Metric]) -> Callable[[Worker], Worker]:
    """Register the derivation of a metric for `rc.explain`: decorator of a function.

    The function takes a sheet of exact numbers of one user and computes the metric again, without its `per_user`.

    Parameters
    ----------
    metric : type of Metric
        The metric.

    Returns
    -------
    callable
        The decorator.

    Examples
    --------
    >>> import rankconv as rc
    >>> from rankconv import plugin
    >>> from rankconv.numbers.exact import number
    >>> class FirstClick(plugin.Metric):
    ...     \"\"\"Is the first item relevant?\"\"\"
    ...     name = "first_click"
    ...     def per_user(self, block: plugin.Block) -> plugin.Ratio:
    ...         return plugin.Ratio(block.hits_so_far.at(1), block.lengths.clip(max=1))
    >>> @plugin.derivation_of(FirstClick)
    ... def _(sheet):
    ...     hits, rows = number(sum(sheet.hits[:1])), number(min(sheet.length, 1))
    ...     return plugin.Derivation(hits, rows, ("hit at rank 1", "rows"))
    >>> rc.explain({"u": ["a"]}, {"u": ["a", "x"]}, "first_click", user="u").agrees
    True
    """

    def register(worker: Worker) -> Worker:
        WORKINGS[metric] = worker
        return worker

    return register


def worker_of(metric: Metric) -> Worker | None:
    """The function that works out this metric; None where a plugin's metric has none."""
    return WORKINGS.get(type(metric))


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
