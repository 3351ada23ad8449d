"""The evaluation of a matrix of scores: most metrics read the first rows of each list alone."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from rankconv import inputs
from rankconv.data.arrays import Mask
from rankconv.data.joined import Joined
from rankconv.data.labels_and_rankings import Labels, Run
from rankconv.engine import measure, measure_first_rows
from rankconv.engine.aggregate import Aggregate
from rankconv.engine.metric_result import Measured
from rankconv.engine.run import Told
from rankconv.evaluation.joining import choose, join
from rankconv.evaluation.notes import with_notes
from rankconv.inputs.top import Floats, first_rows
from rankconv.presets.definition import Definition


def measure_matrix(
    labels: Labels,
    scores: Floats,
    definitions: Sequence[Definition],
    side: Mapping[str, Any],
    users: Iterable[Any] | None,
    *,
    per_user: bool,
    told: Told | None = None,
) -> tuple[Joined, list[Measured]]:
    """Evaluate a matrix of scores, shape (users, items), of which whole lists are read only where a metric needs them.

    `side` is the side data that `join` takes. Returns data with the users of the values too.
    """

    def joined(run: Run) -> tuple[Joined, Mask | None]:
        return choose(join(labels, run, **side), users)

    whole = cache(lambda: joined(inputs.rankings(scores)))
    found: list[Measured | None] = [None] * len(definitions)
    data: Joined | None = None
    for excludes_seen in (False, True):
        places = [at for at, one in enumerate(definitions) if ("seen" in one.needs) == excludes_seen and rows_read(one)]
        if places and (side["seen"] is not None or not excludes_seen):
            some = [definitions[at] for at in places]
            seen = inputs.interactions(side["seen"]) if excludes_seen else None
            data, mask = joined(first_rows(scores, max(map(rows_read, some)), seen))
            measured = measure_first_rows(data, some, mask, per_user=per_user, told=told)
            for at, one in zip(places, measured, strict=True):
                found[at] = one
    left = [at for at, one in enumerate(found) if one is None or one.has_users_outside]
    if left:
        data, mask = whole()
        rest = measure(data, [definitions[at] for at in left], mask, per_user=per_user, told=told)
        for at, noted in zip(left, with_notes(data, rest), strict=True):
            found[at] = noted
    assert data is not None
    return data, [one for one in found if one is not None]


def rows_read(definition: Definition) -> int:
    """How many rows of each list decide every value; 0 where whole lists may."""
    rows = Aggregate(definition, 0, per_user=False).reader(np.zeros(0, bool)).rows_read
    least = definition.aggregation.settings["min-rows"].keywords.get("value", 0)
    return 0 if rows is None else max(rows, definition.preparation.filled_to, int(np.ceil(least)))
