"""What callers pass where metrics, users or a word is meant: taken if it is that, and refused by name if not."""

import sys
from collections.abc import Hashable, Iterable, Mapping
from typing import Any, get_args

import numpy as np

from rankconv.errors import InputError, MetricError, unknown
from rankconv.presets.definition import Definition

_LIKE = "Pass one or more, such as ['ndcg@10', 'map@10']."


def specs(metrics: Any) -> list[str | Definition]:
    """The specs and definitions that were requested, one or several; a MetricError for anything else, and for none."""
    if isinstance(metrics, str):
        return [metrics]
    if isinstance(metrics, Mapping):
        do = f"Pass a list; a number is named by its spec: {[*metrics.values()]!r:.200}"
        raise MetricError("metrics were given as a mapping", allowed="Metrics are one spec or a list of specs", do=do)
    several = isinstance(metrics, Iterable) and not isinstance(metrics, (bytes, Definition))
    listed = [] if metrics is None else list(metrics) if several else [metrics]
    if not listed:
        raise no_metric()
    return [spec(one) for one in listed]


def no_metric() -> MetricError:
    """Nothing to compute."""
    return MetricError("no metric is given", do=_LIKE, shell="Name one or more: -m ndcg@10,map@10.")


def spec(given: Any) -> str | Definition:
    """One spec, or one definition; a MetricError for anything else."""
    if given is None:
        raise MetricError("no metric is given: None was given", do=_LIKE)
    if not isinstance(given, (str, Definition)):
        raise MetricError(f"{given!r:.100} is not a metric", allowed="A metric is a text, such as 'ndcg@10'")
    return given


def users(listed: Any) -> list[Any]:
    """The ids of users that a caller lists; an InputError for one id alone, whose letters would be taken for ids."""
    if isinstance(listed, (str, bytes)) or not isinstance(listed, Iterable):
        raise InputError(f"users={listed!r:.100} is no list of users", do=f"Pass a list: users=[{listed!r:.100}].")
    found = list(listed)
    for one in found:
        if not isinstance(one, Hashable):
            raise InputError(f"users= holds {one!r:.100}, which is no id", do="Pass a list of ids.")
    return found


def word(given: Any, allowed: Any, name: str) -> None:
    """A MetricError for a word that is not one of those that a Literal allows."""
    if given not in get_args(allowed):
        raise unknown(f"value of {name}=", str(given), get_args(allowed), error=MetricError)


def number(given: Any, name: str, least: float = 0) -> None:
    """A MetricError for what is not a whole number from `least` up."""
    if isinstance(given, bool) or not hasattr(given, "__index__") or given < least:
        raise MetricError(f"{name}={given!r:.100} is not a count", allowed=f"It is a whole number from {least} up")


def decimal(given: Any, name: str, least: float = -sys.float_info.max, most: float = sys.float_info.max) -> float:
    """The number; a MetricError for what is not a finite number between these bounds."""
    is_number = isinstance(given, int | float | np.integer | np.floating) and not isinstance(given, bool)
    if is_number and least <= given <= most:
        return float(given)
    bounds = f" from {least:g} to {most:g}" if most < sys.float_info.max else ""
    raise MetricError(f"{name}={given!r:.100} is not a valid number", allowed=f"It is a number{bounds}")
