"""One number from Apache Beam: a CombineFn whose accumulator is a part.

python with_beam.py
"""

from collections.abc import Iterable
from typing import Any

import apache_beam as beam

import rankconv as rc
from rankconv.typing import Partial

METRICS, PRESET = ["ndcg@3", "map@3"], "mllib"
User = tuple[Any, dict[str, list[Any]]]
"""A user, with the items of their labels and of their list, best first; as CoGroupByKey gives them."""


class Evaluate(beam.CombineFn):  # type: ignore[misc]
    """The numbers of all users."""

    def create_accumulator(self) -> bytes:
        """Nobody."""
        return rc.Evaluator(METRICS, PRESET, per_user=False, repeated_users="unchecked").partial().to_bytes()

    def add_input(self, part: bytes, users: list[User]) -> bytes:
        """Some users more."""
        numbers = rc.Evaluator(METRICS, PRESET, per_user=False, repeated_users="unchecked")
        sides = ({user: own[side][0] for user, own in users if own[side]} for side in ("labels", "run"))
        numbers.update(*sides)
        return self.merge_accumulators([part, numbers.partial().to_bytes()])

    def merge_accumulators(self, parts: Iterable[bytes]) -> bytes:
        """All of them."""
        return Partial.merged(map(Partial.from_bytes, parts)).to_bytes()

    def extract_output(self, part: bytes) -> dict[str, float]:
        """The numbers."""
        return {spec: float(number) for spec, number in Partial.from_bytes(part).compute().items()}


def numbers_of(labels: Any, run: Any) -> Any:
    """The numbers of two collections of (user, items)."""
    users = {"labels": labels, "run": run} | beam.CoGroupByKey()
    return users | beam.BatchElements(min_batch_size=100) | beam.CombineGlobally(Evaluate())


if __name__ == "__main__":
    with beam.Pipeline() as pipeline:
        known = pipeline | "labels" >> beam.Create([("ada", ["a", "b"]), ("bob", ["c"])])
        listed = pipeline | "run" >> beam.Create([("ada", ["b", "x"]), ("bob", ["y", "c"])])
        _ = numbers_of(known, listed) | beam.Map(print)
