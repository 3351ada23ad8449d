"""The explanation of one user's value and what decided it, and the metrics at each rank of one list."""

import math
import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Unpack

import numpy as np
from typing_extensions import TypedDict

from rankconv.aggregation import DATA_POLICIES, POLICIES, PREPARED_DATA_POLICIES
from rankconv.aggregation.means import MeanTraits
from rankconv.aggregation.special_case import counts_as
from rankconv.analysis.explain.derivation import Derivation, derive
from rankconv.analysis.explain.explanation import Explanation, UserOutcome, columns_table, facts_of_rows
from rankconv.analysis.explain.prepared_list import (
    PreparedList,
    PreparedRow,
    collapse_changes,
    prepared_list,
    trace_preparation,
    word_changes,
)
from rankconv.basics.errors import InputError, MetricError, nearest
from rankconv.conventions.spec import preset_and_rest
from rankconv.data.ids import Ids, PlainId, plain_id, quoted, typed
from rankconv.data.joined import Joined
from rankconv.engine import measure
from rankconv.engine.metric_result import OF_ALL_DATA, OUTSIDE, SCORED, Measured, states_of
from rankconv.engine.scoring import OVERFLOW
from rankconv.evaluation.evaluate import evaluate
from rankconv.evaluation.joining import SideDataLike, join_one_run, takes_joined
from rankconv.evaluation.notes import warn_of_data
from rankconv.metrics.base import Ratio
from rankconv.preparation.blocks.row_block import prepare
from rankconv.preparation.searches import as_evaluated
from rankconv.preparation.working_rows import working_block
from rankconv.presets.arguments import Metrics, define, define_one
from rankconv.presets.definition import Definition
from rankconv.presets.preset import Preset
from rankconv.presets.preset_registry import HOUSE
from rankconv.presets.preset_registry import preset as find_preset
from rankconv.rendering.pages.cells import finite, number, plural, short
from rankconv.rendering.pages.display import PagedResult
from rankconv.rendering.pages.page import Page
from rankconv.rendering.pages.table import Table

ONE = "Explain one of them: give one cutoff."


@takes_joined
def explain(
    labels: Any,
    run: Any = None,
    metric: str | Definition | None = None,
    preset: str | Preset | Sequence[str | Preset | None] | None = None,
    *,
    user: Any = None,
    **side: Unpack[SideDataLike],
) -> Explanation:
    """Explain the value of one user, step by step.

    Parameters
    ----------
    labels, run
        As in `rc.evaluate`.
    metric : MetricLike
        One metric.
    preset : str, path, Preset, or two of these
        The preset, or two whose computations are shown one after the other.
    user : id
        The user.
    seen, catalogue, train, item_features, parents, propensities, shown, group_target
        As in `rc.evaluate`.

    Returns
    -------
    Explanation
        The preparation of the list, the formula with its numbers, and the policy that applied. The value is computed by
        the metric itself, with exact numbers.

    Raises
    ------
    InputError
        If the user is unknown.
    MetricError
        If the metric is not defined on these data.

    Examples
    --------
    >>> import rankconv as rc
    >>> found = rc.explain({"ada": ["a", "b"]}, {"ada": ["a", "x", "b"]}, "map@3", user="ada", preset="mllib")
    >>> found.working.ratio.exact
    Fraction(5, 6)
    >>> print(found.to_text().split("The formula")[1].split("Policy")[0].strip())
    sum of precision@j at the hits j <= 3 / min(3, R)
      ap-denominator=min(k, relevant)   the least of its parts
    min(k, R) = min(3, 2) = 2
    map@3 = (1/1 + 2/3)/2 = 5/6 ≈ 0.8333333333
    """
    ours, theirs = definitions_of(metric, preset)
    joined = join_one_run(labels, run, "explain works out one number", **side)
    code = code_of(user, joined.users)
    definitions = [one for one in (ours, theirs) if one is not None]
    measured = [measure(joined, [one], None)[0] for one in definitions]
    warn_of_data(joined, definitions)
    return explain_measured(joined, code, *measured)


def explain_measured(joined: Joined, code: int, ours: Measured, theirs: Measured | None = None) -> Explanation:
    """How the number of one user came about in what was measured; next to another number of theirs, where one is given.

    `code` is the user's among the users of the joined data.
    """
    found = _explained(joined, ours, code)
    return found if theirs is None else replace(found, against=_explained(joined, theirs, code))


def definitions_of(
    spec: str | Definition | None, presets: str | Preset | Sequence[str | Preset | None] | None
) -> tuple[Definition, Definition | None]:
    """The definition that is explained, and the one that it is compared with, if any."""
    listed: list[Any] = list(presets) if isinstance(presets, list | tuple) else [presets]
    if len(listed) > 2:
        raise MetricError(f"{len(listed)} presets were given", where="preset", allowed="explain takes one or two")
    preset, against = [*listed, None, None][:2]
    ours = define_one(spec, find_preset(HOUSE if preset is None else preset), ONE)
    if against is None:
        return ours, None
    other, rest = find_preset(against), preset_and_rest(spec)[1] if isinstance(spec, str) else ours.requested
    return ours, define_one(rest if other.offers(rest) else ours.requested, other, ONE)  # it may spell it otherwise


NO_USERS = "There are no users at all"


def code_of(user: Any, users: Ids) -> int:
    """The code of a user; a number written as text is taken for the number where ids are numbers."""
    user = plain_id(user)
    if user is None:
        allowed, do = (f"Users are {users.examples(5)}", "Name one.") if len(users) else (NO_USERS, "")
        raise InputError("no user is named", where="user", allowed=allowed, do=do)
    whole = re.fullmatch(r"-?[0-9]{1,19}", str(user))
    compound = users.values.tolist() if users.kind == "compound" else []
    parts = [known for known in compound if typed(known) == typed(user)]
    for one in (user, str(user), *([int(whole[0])] if whole else []), *parts):
        if isinstance(one, Hashable) and one in users.code_of and not isinstance(one, bool):
            return users.code_of[one]
    texts = [str(value) for value in users.values.tolist()]
    raise InputError(
        f"there is no user {user!r} in the labels or the rankings",
        allowed=f"Users are {users.examples(5)}" if texts else NO_USERS,
        nearest=nearest(str(user), texts),
    )


def _explained(joined: Joined, measured: Measured, code: int) -> Explanation:
    definition = measured.definition
    for refusal in measured.refusals:
        if refusal.policy in (*OF_ALL_DATA, OVERFLOW):
            raise refusal.error
    k = definition.k if definition.preparation.reads_cutoff else None
    documents = as_evaluated(joined, definition.applied.settings)
    rows, scope = working_block(documents, np.array([code])).copy(k), definition.metric.scope
    block, prepared, changes = trace_preparation(rows, definition.applied, scope)
    before = [*word_changes(joined, definition.applied), *collapse_changes(joined, documents, code, definition.applied)]
    changes = [*before, *changes]
    working, worked_out = derive(definition.metric, block)
    became = outcome(definition, prepared, working, measured, code)
    engine = float(measured.values[code])
    if definition.metric.of_all_lists and measured.states[code] == SCORED:  # what it would give for their list alone
        ratio = definition.metric.per_user(block)
        assert isinstance(ratio, Ratio)
        engine = float(ratio.value[0])
    added = contribution(definition, measured, became, working)
    user = joined.users.id(code)
    given = definition, user, changes, prepared, working, became, added, engine, worked_out
    return Explanation(*given, library=joined.library, groups=measured.groups)


# what decided, and what the user adds to the mean


def outcome(
    definition: Definition, prepared: PreparedList, working: Derivation, measured: Measured, code: int
) -> UserOutcome:
    """What the user counts as: the value is worked out, and which policy decided is what the engine found."""
    settings = definition.aggregation.settings
    if measured.states[code] == OUTSIDE:
        users = settings["users"]
        decided = f"users={users.text}: {users.setting_type.rule}; this user is not one of them."
        return UserOutcome(math.nan, "outside", decided)
    if measured.of_all:
        name = measured.of_all
        what = (DATA_POLICIES.get(name) or PREPARED_DATA_POLICIES[name]).what
        value = _applied(definition, "report", float(settings[name].keywords.get("value", math.nan)))
        return UserOutcome(value, "scored", f"{name}={definition.aggregation.given(name)}: {what}, for every user.")
    policy = {state: name for name, state in states_of(definition).items()}.get(int(measured.states[code]))
    refusal = next((one for one in measured.refusals if settings[one.policy].traits.refuses == "everybody"), None)
    if policy is None:
        value, state = working.ratio.value, measured.state_names[SCORED]
        decided = "No policy of the preset applies: the formula gives the value."
    else:
        setting = settings[policy]
        state, decided = f"{policy}: {setting.text}", _policy_words(definition, policy, prepared)
        if setting.traits.undivided:
            value = working.numerator.value / float(setting.keywords.get("by", 1.0))
        else:
            number = counts_as(setting)
            value = math.nan if number is None else number
    if refusal is not None:
        why = "" if policy == refusal.policy else f" The whole input is refused: {refusal.why}."
        return UserOutcome(math.nan, state, decided + why)
    value = _applied(definition, "round-user", _applied(definition, "report", value))
    return UserOutcome(value, state, decided + ("" if math.isnan(value) else _report_words(definition)))


def _applied(definition: Definition, convention_name: str, value: float) -> float:
    return float(definition.aggregation.settings[convention_name](values=np.array([value]))[0])


def _policy_words(definition: Definition, policy: str, prepared: PreparedList) -> str:
    condition, setting = POLICIES[policy], definition.aggregation.settings[policy]
    rule = setting.setting_type.rule
    who = prepared.refusals[0] if condition.of_preparation and prepared.refusals else condition.who
    counts = f"counts as {setting.text}" if rule == "counts as this number" else rule
    return f"{policy}={setting.text}: the user {who}: {counts}."


def _report_words(definition: Definition) -> str:
    reported, rounding = (definition.aggregation.settings[name] for name in ("report", "round-user"))
    turned = "" if reported.changes_nothing else f" Then report={reported.text}: {reported.setting_type.rule}."
    return turned + ("" if rounding.changes_nothing else f" Then rounded: round-user={rounding.text}.")


def contribution(definition: Definition, measured: Measured, found: UserOutcome, working: Derivation) -> str:
    """What the user adds to the mean, in a sentence."""
    if measured.refusals:
        return f"There is no mean: {measured.refusals[0].why}."
    mean = _shown(measured.mean)
    if measured.of_all:
        return f"No share of its own: the mean is {mean} for the data as a whole."
    if definition.metric.of_all_lists:
        return f"Its rows only: the value above is of its list alone; over the lists of all users it is {mean}."
    if definition.preparation.pools:
        return f"Its rows only: the lists of all users are merged into one list, whose value is {mean}."
    users = sum(count for state, count in measured.counts.items() if not _is_left_out(state))
    if _is_left_out(found.state):
        return f"Nothing: the user is not counted in the mean {mean} over {plural(users, 'user')}."
    over = f"over {plural(users, 'user')}"
    settings = definition.aggregation.settings
    how = settings["aggregate"]
    match MeanTraits.of(how).share:
        case "of sums":
            sides = (working.numerator, working.denominator)
            above, below = (_shown(one.value) if found.state == "scored" else "0" for one in sides)
            what = "1 less their ratio" if settings["report"].traits.turns else "their ratio"
            sums = f"{above} to the sum of numerators, {below} to that of denominators"
            return f"Adds {sums}; the mean is {what}, {mean}, {over}."
        case "of the number":
            rounded = "" if settings["round-mean"].changes_nothing else ", rounded"
            share = f"{_shown(found.value)}/{users} = {_shown(found.value / users)}"
            return f"Adds {share} to the mean {mean}{rounded} {over}."
        case "whole":
            return f"Adds {_shown(found.value)} to the sum {mean} {over}."
    return f"No share of its own under aggregate={how.text} ({how.setting_type.rule}): {mean} {over}."


def _is_left_out(state: str) -> bool:
    return state == "outside" or state.endswith(": skip")


def _shown(value: float) -> str:
    return "NaN" if math.isnan(value) else f"{value:.6g}"


class ByRankData(TypedDict):
    """Metrics at each rank of one user's list."""

    user: PlainId
    items: list[str]
    """The prepared list."""
    relevant: list[bool]
    metrics: dict[str, list[float | None]]
    """By metric the value at each cutoff, from 1 on; null where there is none."""


@dataclass(frozen=True, eq=False, repr=False)
class ByRank(PagedResult):
    """One user's prepared list, and what each metric is at each rank of it.

    `values` has a list per metric, whose place k - 1 is the metric at k; NaN where it has no value.
    """

    user: Any
    values: dict[str, list[float]]
    rows: tuple[PreparedRow, ...] = field(repr=False)
    scored: bool = field(repr=False)
    """Whether the list came with scores."""

    @property
    def depth(self) -> int:
        """How many ranks there are: those of the list, and those down to a cutoff below it."""
        return max(len(self.rows), *map(len, self.values.values()))

    def table(self, digits: int = 4) -> Table:
        """A row per rank: k, the item with its score, grade and relevance, and the metrics at k."""
        facts = {"k": [str(k) for k in range(1, self.depth + 1)], "item": [short(row.item) for row in self.rows]}
        facts |= facts_of_rows(self.rows, scores=self.scored, ties=False)
        shown = {f"{name}@k": [number(one, digits) for one in column] for name, column in self.values.items()}
        return columns_table(facts | shown, self.depth)

    def _page(self) -> Page:
        """The table alone."""
        return Page([[self.table()]])

    def __repr__(self) -> str:
        return f"ByRank(user {quoted(self.user)}: {', '.join(self.values)})"

    def to_dict(self) -> ByRankData:
        """Everything as plain data; NaN is None, as JSON has it."""
        return {
            "user": self.user,
            "items": [row.item for row in self.rows],
            "relevant": [row.hit for row in self.rows],
            "metrics": {name: [finite(one) for one in column] for name, column in self.values.items()},
        }


@takes_joined
def by_rank(
    labels: Any,
    run: Any = None,
    metrics: Metrics | None = None,
    preset: str | Preset | None = None,
    *,
    user: Any = None,
    **side: Unpack[SideDataLike],
) -> ByRank:
    """Compute metrics at each rank of one user's list.

    Parameters
    ----------
    labels, run
        As in `rc.evaluate`; arrays of shape (users, k) or (users, items).
    metrics : MetricLike
        With a cutoff, the ranks 1 to k, also where the list is shorter; without one, all ranks of the list.
    preset : str, path or Preset, optional
        The preset of metrics that name none.
    user : id
        The user.
    seen, catalogue, train, item_features, parents, propensities, shown, group_target
        As in `rc.evaluate`.

    Returns
    -------
    ByRank
        A row for each rank: item, grade, relevance, and the metrics there. The items are those of the first metric.

    Raises
    ------
    InputError
        If the user is unknown.
    MetricError
        If a metric has no cutoff in its preset.

    Examples
    --------
    >>> import rankconv as rc
    >>> print(rc.by_rank({"ada": ["a", "b"]}, {"ada": ["a", "x", "b"]}, "precision, recall", user="ada").to_text())
    k  item  grade  relevant  precision@k  recall@k
    ─  ────  ─────  ────────  ───────────  ────────
    1  a         1       yes       1.0000    0.5000
    2  x         –        no       0.5000    0.5000
    3  b         1       yes       0.6667    1.0000
    """
    by_name = _deepest(define(metrics, find_preset(HOUSE if preset is None else preset)))
    joined = join_one_run(labels, run, "the table is that of one list", **side)
    code = code_of(user, joined.users)
    first = next(iter(by_name.values()))
    k = first.k if first.preparation.reads_cutoff else None
    data = as_evaluated(joined, first.applied.settings)
    rows = prepared_list(prepare(working_block(data, np.array([code])).copy(k), first.applied)).rows
    known = joined.users.id(code)
    values = {name: _at_each_rank(joined, one, known, len(rows)) for name, one in by_name.items()}
    return ByRank(known, values, rows, joined.rankings.scored)


def _deepest(definitions: dict[str, Definition]) -> dict[str, Definition]:
    """Of one metric at several cutoffs the deepest, by its name without a cutoff."""
    found: dict[str, Definition] = {}
    for text, one in definitions.items():
        name = text if one.requested_k is None else text.rpartition("@")[0]
        known = found.setdefault(name, one)
        if known.requested_k is not None and (one.requested_k is None or one.requested_k > known.requested_k):
            found[name] = one
    return found


def _at_each_rank(joined: Joined, definition: Definition, user: Any, rows: int) -> list[float]:
    """The user's value at the ranks 1 to the cutoff, or to the end of the list."""
    each: Sequence[Definition] = [definition.replace(k=k) for k in range(1, (definition.requested_k or rows) + 1)]
    if not each:
        return []
    result = evaluate(joined, each, users=[user], on_error="collect")
    at = result.users.tolist().index(user)
    return [float(result.per_user[spec][at]) for spec in result]
