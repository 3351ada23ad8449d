"""A sum without rounding as plain data, in the one form that no order of adding changes."""

from dataclasses import dataclass

from rankconv.aggregation.exact_sum import ExactSum


@dataclass(frozen=True)
class Exact:
    """A sum without rounding, as `ExactSum.compact` writes it."""

    number: int = 0
    """How many values were added."""
    parts: tuple[float, ...] = ()

    @property
    def sum(self) -> ExactSum:
        """The sum, to add to."""
        return ExactSum.of(self.number, self.parts)

    def __add__(self, other: "Exact") -> "Exact":
        return exact(ExactSum.of(self.number + other.number, self.parts + other.parts))


NO_SUM = Exact()


def exact(summed: ExactSum) -> Exact:
    """A sum in its one form."""
    return Exact(summed.number, summed.compact())
