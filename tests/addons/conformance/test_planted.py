"""Programs that implement a definition near a preset are named, or said not to be; none is named wrongly."""

import math
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

import rankconv as rc
from rankconv.addons.conformance.conform import MetricConformance, conform
from rankconv.addons.conformance.vectors import VectorCase, read_vectors
from rankconv.analysis.identify.candidates import at_cutoff
from rankconv.engine import measure
from rankconv.engine.metric_result import Measured
from rankconv.presets.definition import Definition, with_changes
from tests.laws import examples, invented

CASES = {case.vector.id: case for case in read_vectors()}
METRICS = {case.vector.metric for case in CASES.values()}
QUICK = {"hit_rate", "precision", "auc", "rbp"}
"""Of these there are few presets."""
NAMED = 0.95
MOST_CHANGED = 4


def measured(case: VectorCase, definition: Definition) -> Measured:
    """What a definition gives on a vector."""
    return measure(case.joined, [at_cutoff(definition, case.vector.k)], None)[0]


def program_of(definition: Definition) -> Any:
    """A function that replies as the definition; where it refuses the data nobody has a value."""

    def program(vector: dict[str, Any]) -> dict[str, Any]:
        found = measured(CASES[vector["id"]], definition)
        if found.refusals:
            return {"mean": None, "users": {}}
        users = dict(zip(CASES[vector["id"]].joined.users.values.tolist(), found.values.tolist(), strict=True))
        return {"mean": found.mean} if definition.pools else {"mean": found.mean, "users": users}

    return program


def planted(random: Random, metrics: set[str]) -> Iterator[Definition]:
    """Definitions up to four settings from a preset's, each of which changes some reply."""
    while True:
        base = invented.drawn(random)
        if base is None or base.key not in metrics:
            continue
        cases, one = [case for case in CASES.values() if case.vector.metric == base.key], base
        for _ in range(random.randint(1, MOST_CHANGED)):
            one = next(filter(None, (_changed(one, cases, random) for _ in range(20))), one)
        if one is not base:
            yield one


def _changed(definition: Definition, cases: list[VectorCase], random: Random) -> Definition | None:
    """With one other setting, drawn at random, where some reply is another one then."""
    one = with_changes(definition, invented.change(definition, random))
    if one is None or one.needs or one.signature == definition.signature:
        return None
    pairs = ((measured(case, definition), measured(case, one)) for case in cases)
    same = all(np.array_equal([*a.values, a.mean], [*b.values, b.mean], equal_nan=True) for a, b in pairs)
    return None if same else one


def is_right(found: MetricConformance) -> bool:
    """Whether the definition that is named gives each reply, as it is read from its text."""
    assert found.found is not None
    named = rc.metric(found.found.definition.text)
    for case, reply in found.answered:
        ours = measured(case, named)
        users = dict(zip(case.joined.users.values.tolist(), ours.values.tolist(), strict=True))
        pairs = [(math.nan if ours.refusals else ours.mean, reply.mean)]
        pairs += [(math.nan if ours.refusals else users[user], value) for user, value in reply.users.items()]
        if any(theirs is not None and own != pytest.approx(theirs, rel=1e-9, nan_ok=True) for own, theirs in pairs):
            return False
    return True


def test_planted_programs_are_named_and_none_wrongly() -> None:
    quick = examples.REQUESTED == "quick"
    drawn = planted(Random(5), QUICK if quick else METRICS)
    count = examples.of(quick=1, ci=12, long=200)
    found = [
        conform(program_of(one), [one.key], search_limit=3600).metrics[0]
        for one, _ in zip(drawn, range(count), strict=False)
    ]
    named = [one for one in found if one.found is not None and not one.differences]
    assert all(is_right(one) for one in named)
    assert len(named) >= NAMED * count - 3 * math.sqrt(NAMED * (1 - NAMED) * count)
