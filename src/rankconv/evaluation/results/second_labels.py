"""The interval of a number from its values under few human labels, and from a second number, of many model labels."""

from typing import TYPE_CHECKING

import numpy as np

from rankconv.basics.errors import MetricError
from rankconv.data.arrays import Codes, Mask, Numbers
from rankconv.data.ids import Ids, unite
from rankconv.engine.aggregate import with_values
from rankconv.engine.metric_result import OUTSIDE, Measured, range_of
from rankconv.engine.scoring import entering
from rankconv.evaluation.results.circumstances import NOT_KNOWN, NOT_READ
from rankconv.evaluation.results.result_intervals import interval_of, usual
from rankconv.evaluation.statistics.prediction_powered import (
    PoweredInterval,
    TwoLabelledValues,
    powered_definition,
    powered_interval,
)
from rankconv.presets import arguments
from rankconv.presets.signature import stated_circumstances
from rankconv.rendering.pages.cells import plural

if TYPE_CHECKING:
    from rankconv.evaluation.results.result import Number

SIDES = ("first labels", "second labels")


def powered(
    first: "Number", second: "Number", confidence: float = 0.95, how: str | None = None, *, clusters: bool = False
) -> PoweredInterval:
    """Compute the interval of the mean from both numbers: `first` under human labels, `second` under a model's.

    `how` is a definition such as `ppi(weight=plain)`. MetricError where the numbers are of two definitions or runs, and
    where a user with labels has no value; also for `clusters` of users.
    """
    if clusters:
        raise MetricError("an interval from two label sets takes single users", do="Leave out cluster or second.")
    definition = powered_definition(how)
    arguments.decimal(confidence, "confidence_level", 0.0001, 0.9999)
    each = with_values(first.measured, first.users), with_values(second.measured, second.users)
    _refuse_others(first, second, each)
    values = two_labelled_values(*each)
    alone = interval_of(each[0], confidence)
    return powered_interval(values, definition, alone, confidence, range_of(first.definition))


def _refuse_others(first: "Number", second: "Number", each: tuple[Measured, Measured]) -> None:
    """A MetricError for two numbers that are not of one definition and run, or are no means of users' values."""
    where = first.definition.text
    if first.definition != second.definition:
        wrong = f"the second number is of another definition, {second.definition.text}"
        raise MetricError(wrong, where=where, do="Evaluate both label sets under one definition.")
    if first.definition.metric.of_all_lists or usual(first.definition) != "t":
        raise MetricError("an interval from two label sets is for means of users' values", where=where)
    for side, measured in zip(SIDES, each, strict=True):
        if measured.refusals:
            raise MetricError(f"there is no number under the {side}: {measured.refusals[0].why}", where=where)
        if measured.again is None:
            do = "Evaluate with per_user=True."
            raise MetricError(f"the values of users under the {side} were not kept", where=where, do=do)
    stated = [stated_circumstances(one.signature).get("run", NOT_KNOWN) for one in (first, second)]
    same_users = {*first.users.tolist()} == {*second.users.tolist()}
    if same_users and stated[0] != stated[1] and not {NOT_KNOWN, NOT_READ} & {*stated}:
        wrong = f"the second number is of another run: {stated[1]} in its signature, and not {stated[0]}"
        raise MetricError(wrong, where=where, do="Evaluate one run under both label sets.")


def two_labelled_values(first: Measured, second: Measured) -> TwoLabelledValues:
    """The values of users with human labels on both sides, and those of users with labels of the model alone."""
    ids, labelled, values = _of_side(first, SIDES[0])
    other_ids, *others = _of_side(second, SIDES[1])
    every, code = unite(ids, other_ids, "user")
    model, has_model = np.full(len(every), np.nan), np.zeros(len(every), bool)
    model[code], has_model[code] = others[1], others[0]
    human = np.append(labelled, np.zeros(len(every) - len(ids), bool))
    lacking = human & ~has_model
    if lacking.any():
        user = every.id(int(np.flatnonzero(lacking)[0]))
        wrong = f"{plural(int(lacking.sum()), 'user')} of the {SIDES[0]} have no {SIDES[1]}, such as {user!r}"
        raise MetricError(wrong, where=first.definition.text, do="Pass second labels of all users of the first.")
    return TwoLabelledValues(values[labelled], model[human], model[has_model & ~human])


def _of_side(measured: Measured, side: str) -> tuple[Ids, Mask, Numbers]:
    """The ids of a side's users, who of them has labels, and their values, both of shape (users,)."""
    assert measured.again is not None
    states = measured.states
    labelled = states != OUTSIDE
    left_out: Codes = np.flatnonzero(labelled & ~entering(measured.definition, states))
    if len(left_out):
        reason = measured.state_names[states[left_out[0]]]
        user = measured.again.ids.id(int(left_out[0]))
        wrong = f"{plural(len(left_out), 'user')} of the {side} have no value, such as {user!r} ({reason})"
        setting = f"{reason.partition(':')[0]}=0"
        do = f"Count them: {measured.definition.metric.name}({setting})."
        raise MetricError(wrong, where=measured.definition.text, do=do)
    return measured.again.ids, labelled, measured.values
