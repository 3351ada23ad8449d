"""Which definitions give the same number, and what lies between one number and the next?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

import numpy as np

from rankconv.engine.differences import Differences, differing
from rankconv.engine.measured import Measured

Named = Mapping[str, Sequence[Measured]]
"""What was measured under each name: one number per run."""
Means = tuple[float, ...]


@dataclass(frozen=True)
class Step:
    """The fewest answers that lie between a group and the one below it."""

    upper: str
    """The member of the group in which they are so."""
    lower: str
    """The member of the group below that is most like it."""
    settings: list[str]
    """Those of `upper`, as convention=answer."""


@dataclass(frozen=True)
class Group:
    """Names that share their numbers."""

    means: Means
    """Rounded, one per run."""
    names: list[str]
    step: Step | None = None
    """What parts them from the next lower numbers; None for the lowest."""


def means(named: Named, digits: int) -> dict[Means, list[str]]:
    """The names by what they give for the runs, from lowest to highest; without those that give no number."""
    found: dict[Means, list[str]] = {}
    for name, measured in named.items():
        numbers = tuple(round(float(one.mean), digits) for one in measured)
        if not np.isnan(numbers).any():
            found.setdefault(numbers, []).append(name)
    return dict(sorted(found.items()))


def group(named: Named, facts: Sequence[Differences], digits: int = 4) -> list[Group]:
    """The names by their numbers, from lowest to highest, with the step up from each to the next."""
    found = list(means(named, digits).items())
    steps = [_step(named, facts, upper, lower) for (_, lower), (_, upper) in pairwise(found)]
    return [Group(*one, step) for one, step in zip(found, [None, *steps][: len(found)], strict=True)]


def _step(named: Named, facts: Sequence[Differences], uppers: list[str], lowers: list[str]) -> Step:
    pairs = (Step(upper, lower, between(named[upper], named[lower], facts)) for upper, lower in product(uppers, lowers))
    return min(pairs, key=lambda step: len(step.settings))


def between(ours: Sequence[Measured], others: Sequence[Measured], facts: Sequence[Differences]) -> list[str]:
    """The settings of ours that differ and can matter for one of the runs."""
    runs, one, other = list(zip(ours, others, facts, strict=True)), ours[0].definition, others[0].definition
    found = [
        f"{convention_name}={setting}"
        for convention_name, (setting, _) in differing(one, other).items()
        if any(data.matters(convention_name, *pair) for *pair, data in runs)
    ]
    if one.k != other.k:
        found.append("no cutoff" if one.k is None else f"@{one.k}")
    return found
