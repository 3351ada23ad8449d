"""A definition per keyword: `rc.NDCG(k=10, preset="mllib", gain="linear")`, for each metric, a plugin's as well.

The types that editors and mypy see are in `factories.pyi`, which `python -m tests.generate types` writes.
"""

import inspect
from typing import Any

from rankconv.aggregation import Aggregation
from rankconv.basics.errors import MetricError, unknown
from rankconv.metrics.base import METRICS, Metric, strategy_of
from rankconv.preparation.pipeline import Preparation
from rankconv.presets.definition import Definition
from rankconv.presets.preset import Preset
from rankconv.presets.preset_registry import HOUSE
from rankconv.presets.preset_registry import preset as find_preset

CUTOFFS = ("cutoff", "top-k", "topk", "at", "at-k", "n", "depth")
"""Other words for `k`."""
SHORT = {"AP": "AveragePrecision", "MAP": "AveragePrecision", "MRR": "ReciprocalRank"}
"""The short names of metric classes."""


class Factory:
    """What makes definitions of one metric.

    `k` is the cutoff, `preset` gives what is not stated (the default preset, unless given), `name` is one of several
    metrics that a preset makes of it; every other keyword is a convention. Raises ConventionError for a convention
    that does not apply and for what is no setting, MetricError where the preset does not have the metric, or not so.

    >>> import rankconv as rc
    >>> rc.NDCG(k=5, preset="mllib", ideal="retrieved-at-k")
    rc.metric('mllib:ndcg(ideal=retrieved-at-k)@5')
    >>> rc.AveragePrecision(k=3, ap_denominator="hits") == rc.metric("map(ap-denominator=hits)@3")
    True
    """

    def __init__(self, strategy: type[Metric]) -> None:
        self.strategy = strategy
        self.__name__ = self.__qualname__ = strategy.__name__
        self.__doc__ = strategy.__doc__
        self.__module__ = __name__

    def __call__(
        self, k: int | None = None, *, preset: str | Preset | None = None, name: str | None = None, **settings: Any
    ) -> Definition:
        owner = find_preset(HOUSE if preset is None else preset)
        conventions = {convention_name.replace("_", "-"): setting for convention_name, setting in settings.items()}
        self._check(conventions)
        return owner.definition(self._key(owner, name), tuple(conventions.items()), k).acting(conventions)

    def _check(self, conventions: dict[str, Any]) -> None:
        for convention_name, setting in conventions.items():
            if convention_name in CUTOFFS:
                do = f"Write k={setting if type(setting) is int else 10}."
                raise MetricError(f"'{convention_name}' is not how a cutoff is given", do=do)
            if convention_name not in self.conventions:
                raise unknown(f"convention of {self.strategy.name}", convention_name, self.conventions)

    @property
    def conventions(self) -> list[str]:
        """What can be said of it, the metric's own conventions first."""
        return [*self.strategy.conventions(), *Preparation.conventions(), *Aggregation.conventions()]

    def _key(self, owner: Preset, name: str | None) -> str:
        """What the preset calls it: by its own name, or the first that it makes of it."""
        mine = [key for key in owner.metrics if strategy_of(owner.entry(key).is_ or key) == self.strategy.name]
        usual = [name] if name is not None else [self.strategy.name, *self.strategy.spellings]
        found = [key for key in usual if key in mine] or ([] if name is not None else mine)
        if not found:
            described = self.strategy.name if name is None else f"a {self.strategy.name} called '{name}'"
            has = f"It calls these so: {', '.join(mine)}" if mine else f"It has: {', '.join(owner.metrics)}"
            raise MetricError(f"{owner.name} does not offer {described}", allowed=has)
        return found[0]

    @property
    def __signature__(self) -> inspect.Signature:
        kind, more = inspect.Parameter.KEYWORD_ONLY, [name.replace("-", "_") for name in self.conventions]
        first = inspect.Parameter("k", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None)
        named = dict.fromkeys(["preset", "name", *more])
        parameters = [first, *(inspect.Parameter(name, kind, default=None) for name in named)]
        return inspect.Signature(parameters, return_annotation=Definition)

    def __repr__(self) -> str:
        return f"rc.{self.__name__}"


def factories() -> dict[str, Factory]:
    """One for each metric, by the name of its class, and by the short names that papers use."""
    found = {strategy.__name__: Factory(strategy) for strategy in METRICS.values()}
    return found | {short: found[name] for short, name in SHORT.items()}


def __getattr__(name: str) -> Factory:
    found = factories().get(name)
    if found is None:
        raise AttributeError(f"there is no metric class '{name}'")
    return found
