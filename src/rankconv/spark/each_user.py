"""The values of each user as a DataFrame of Spark."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rankconv.data.joined import Joined
from rankconv.engine.aggregate import Aggregate
from rankconv.engine.measured import OUTSIDE
from rankconv.engine.run import populations, run
from rankconv.evaluation.result import Result
from rankconv.spark.request import Request
from rankconv.spark.work import Rows

if TYPE_CHECKING:
    import pyarrow as pa


def of_each_user(request: Request, rows: Rows, result: Result, *, text: bool) -> tuple["JudgeEach", str]:
    """What `mapInArrow` takes: what judges rows once more, and the columns: users, and the values of each metric."""
    named = ", ".join(f"`{spec.replace('`', '``')}` double" for spec in result.specs)
    fixed = {spec: value for spec, one in result.by_spec.items() if (value := one.of_everybody) is not None}
    return JudgeEach(request, rows, fixed), f"user {'string' if text else 'long'}, {named}"


@dataclass(frozen=True)
class JudgeEach:
    """Gives one row for each user; their rows were found right when the numbers of all were made."""

    request: Request
    rows: Rows
    fixed: Mapping[str, float]
    """What all users have under some metrics, as the data as a whole say."""

    def __call__(self, batches: Iterator["pa.RecordBatch"]) -> Iterator["pa.RecordBatch"]:
        """As Spark's mapInArrow calls it."""
        import pyarrow as pa

        empty = self.request.empty()
        for joined in self.rows.joined(batches):
            columns: dict[str, Any] = {"user": joined.users.values.tolist()}
            masks = populations(joined, [*empty.definitions.values()], None)
            values = _values(joined, empty.definitions, masks, set(self.fixed))
            for spec, definition in empty.definitions.items():
                inside = masks[definition.aggregation.given("users")]
                columns[spec] = values.get(spec, np.where(inside, self.fixed.get(spec, np.nan), np.nan))
            yield pa.RecordBatch.from_pydict(columns)


def _values(joined: Joined, definitions: Mapping[str, Any], masks: Mapping[str, Any], but: set[str]) -> dict[str, Any]:
    """The values of these users under each definition, shape (users,), but of those whose values are fixed."""
    request = {spec: one for spec, one in definitions.items() if spec not in but}
    found = {spec: Aggregate(one, len(joined.users), per_user=True) for spec, one in request.items()}
    readers = {spec: one.reader(masks[request[spec].aggregation.given("users")]) for spec, one in found.items()}
    run(joined, [*readers.values()])
    return {spec: np.where(one.of_each[1] == OUTSIDE, np.nan, one.of_each[0]) for spec, one in found.items()}
