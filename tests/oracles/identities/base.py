"""How the package is asked for a result of a system, and which system has which module here."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

OF_GROUPS = "groups-"
"""Before the names of cases with groups of items."""
Result = dict[str, Any]
"""A result of a system, as the oracle files hold it: case, metric, call, input, note, k, mean, per_user, errors."""


@dataclass(frozen=True)
class Identity:
    """The preset and spec that give a result, and what the caller of the system gave it."""

    preset: str
    spec: str
    everyone: bool = False
    """The system sees every user of the case, also one without labels and list."""
    alone: bool = False
    """Its per-user values come from evaluating each user by himself."""
    per_user_spec: str = ""
    """The spec of the per-user values, where it differs."""
    per_user_preset: str = ""
    mean: bool = True
    """Whether it gives a mean at all."""
    scored_only: bool = False
    """Only users that count have a value."""
    logarithms: bool = False
    """Per-user values are printed as logarithms, floored at 0.00001."""
    kept: str = ""
    """Which users the caller kept: `both` (labels and list), `relevant`, `relevant-and-ranked`, `both-classes` (among
    the candidates), `rows-5` (five or more), `one-relevant-row`, `one-relevant-candidate`, or the id of one user;
    `in-order` are all, also those without labels in their place. Or what the caller filled: lists up to the
    `ranked-catalogue`, tables of so many columns with -1, `filled-10`, or `propensities`, the inverse ones of items as
    the grades of relevant labels; the `shown` lists as the run; or `logged` clicks, with a grade of 0 for every second
    listed item that was not clicked; or the `matrix` of
    scores for all items that it made of the lists. Of spans: as many chunks as touch a passage, the `minimum`, or all
    that are `touching` one; and each question as often as its place says, `repeated`, in the place of weights."""
    catalogue: str = ""
    """The catalogue that the caller gave: a number, `distinct` items of the case, or `max-id` + 1."""
    side: tuple[str, ...] = ()
    """What else the caller gave of what the case has: `train`, `propensities`, `shown`."""
    offered: bool = True
    """Whether there is such a metric; if not, the system refuses it and the preset has none."""
    stops: bool = False
    """The system stops at some users for reasons that are no definition, as `tests.oracles.groups.stops_at` says; what
    it gives others is compared."""
    float32: bool = False
    """The system computes this in single precision, or as closely by small steps: compared to 2e-6."""


COMMON = {"average_precision": "map", "reciprocal_rank": "mrr"}
"""Names of metrics in the oracle files that differ from those of the presets."""

Identify = Callable[[Result], Identity | None]


def given(r: Result, preset: str) -> str:
    """The preset for what the system was given: the items that were returned, or the unretrieved judged ones too."""
    return f"{preset}+unretrieved" if r["input"].startswith("union") else preset


def at(name: str, k: int | None) -> str:
    """A spec with its cutoff."""
    return name if k is None else f"{name}@{k}"


def with_settings(name: str, *settings: str) -> str:
    """A spec with these settings; empty ones are left out."""
    told = ", ".join(filter(None, settings))
    return f"{name}({told})" if told else name


def by_name(preset: str) -> Identify:
    """The spec is the name of the result, and the system sees every user."""
    return lambda r: Identity(preset, COMMON.get(r["metric"], r["metric"]), everyone=True)
