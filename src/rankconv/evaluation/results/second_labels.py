"""The interval of a number from its values under few human labels, and from a second number, of many model labels."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

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

SIDES = ("first labels", "second labels")


class LabelledNumber(NamedTuple):
    """A number under one of the two label sets."""

    measured: Measured
    users: NDArray[Any]
    """Whose values it has."""
    signature: str


def powered(
    first: LabelledNumber,
    second: LabelledNumber,
    confidence: float = 0.95,
    how: str | None = None,
    *,
    clusters: bool = False,
) -> PoweredInterval:
    """Compute the interval of the mean from both numbers: `first` under human labels, `second` under a model's.

    `how` is a definition such as `ppi(weight=plain)`. MetricError where the numbers are of two definitions or runs, and
    where a user with labels has no value; also for `clusters` of users.
    """
    if clusters:
        raise MetricError("an interval from two label sets takes single users", do="Leave out cluster.")
    definition = powered_definition(how)
    arguments.decimal(confidence, "confidence_level", 0.0001, 0.9999)
    each = with_values(first.measured, first.users), with_values(second.measured, second.users)
    _refuse_others(each)
    _refuse_other_run(first, second)
    values = two_labelled_values(*each)
    return powered_interval(
        values, definition, interval_of(each[0], confidence), confidence, range_of(each[0].definition)
    )


def _refuse_others(each: tuple[Measured, Measured]) -> None:
    """A MetricError for two numbers that are not of one definition, or are no means of users' values."""
    definition, other = each[0].definition, each[1].definition
    where = definition.text
    if definition != other:
        wrong = f"the second number is of another definition, {other.text}"
        raise MetricError(wrong, where=where, do="Evaluate both label sets under one definition.")
    if definition.metric.of_all_lists or usual(definition) != "t":
        raise MetricError("an interval from two label sets is for means of users' values", where=where)
    for side, measured in zip(SIDES, each, strict=True):
        if measured.refusals:
            raise MetricError(f"there is no number under the {side}: {measured.refusals[0].why}", where=where)
        _ = measured.values  # which says where they were not kept


def _refuse_other_run(first: LabelledNumber, second: LabelledNumber) -> None:
    """A MetricError where signatures say that the numbers are of two runs of the same users."""
    stated = [stated_circumstances(one.signature).get("run", NOT_KNOWN) for one in (first, second)]
    same_users = {*first.users.tolist()} == {*second.users.tolist()}
    if same_users and stated[0] != stated[1] and not {NOT_KNOWN, NOT_READ} & {*stated}:
        wrong = f"the second number is of another run: {stated[1]} in its signature, and not {stated[0]}"
        where = first.measured.definition.text
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
        wrong = f"no {SIDES[1]} for {plural(int(lacking.sum()), 'user')} of the {SIDES[0]}, such as {user!r}"
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
        wrong = (
            f"no value under the {side} for {plural(len(left_out), 'user')} with labels, such as {user!r} ({reason})"
        )
        setting = f"{reason.partition(':')[0]}=0"
        do = f"Count them: {measured.definition.metric.name}({setting})."
        raise MetricError(wrong, where=measured.definition.text, do=do)
    return measured.again.ids, labelled, measured.values
