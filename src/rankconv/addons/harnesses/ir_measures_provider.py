"""A provider of ir_measures, registered by the import: definitions as measures with a preset and its changed settings.

`conventions="gain=linear, ties=given"` changes settings of the preset. Users who are left out of the mean are no 0:
they have NaN where ir_measures needs a value of each query, and its mean over queries leaves NaN out.
"""

import math
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any

from rankconv.basics.errors import MetricError
from rankconv.basics.optional import require
from rankconv.evaluation.evaluate import evaluate
from rankconv.evaluation.results.result import Result
from rankconv.presets import arguments
from rankconv.presets.definition import Definition
from rankconv.presets.preset_registry import HOUSE
from rankconv.presets.preset_registry import preset as find_preset

_library: Any = require("ir_measures", "rankconv[ir]", "A measure of ir_measures")
_base: Any = import_module("ir_measures.measures.base")
_parameter = _base.ParamInfo
_PLAIN = "mean"


class ScoredMean(_base.MeanAgg):  # type: ignore[misc]
    """The mean over the queries that have a value."""

    def add(self, value: float) -> None:
        """Count the value of a query, unless it is NaN."""
        if not math.isnan(value):
            super().add(value)


class DefinedMeasure(_library.Measure):  # type: ignore[misc]
    """A metric by its definition."""

    DEFAULT = math.nan
    SUPPORTED_PARAMS = {  # noqa: RUF012
        "cutoff": _parameter(dtype=int),
        "preset": _parameter(dtype=str, default=HOUSE, desc="preset of the definition"),
        "conventions": _parameter(dtype=str, default="", desc="settings that differ from the preset's"),
    }

    @property
    def definition(self) -> Definition:
        """The definition under its preset; MetricError or ConventionError where there is none."""
        settings, k = self["conventions"], self.params.get("cutoff")
        spec = f"{self.NAME}({settings})" if settings else self.NAME
        return arguments.metric(f"{self['preset']}:{spec}" if k is None else f"{self['preset']}:{spec}@{k}")

    def aggregator(self) -> Any:
        """The mean over queries; a MetricError for a definition whose number is another."""
        aggregate = self.definition.settings["aggregate"]
        if aggregate != _PLAIN:
            do = "Compute it without measures of other providers."
            raise MetricError(f"values of queries do not give aggregate={aggregate}", where=str(self), do=do)
        return ScoredMean()


class MeasureEvaluator(_library.providers.Evaluator):  # type: ignore[misc]
    """The values of runs under these measures; a query that is left out of the mean has none."""

    def __init__(self, measures: Iterable[Any], qrels: Any) -> None:
        self.qrels = _library.util.QrelsConverter(qrels).as_dict_of_dict()
        super().__init__([*measures], self.qrels.keys())

    def _result(self, run: Any) -> Result:
        lists = _library.util.RunConverter(run).as_dict_of_dict()
        result: Result = evaluate(self.qrels, lists, [measure.definition for measure in self.measures])
        return result

    def _iter_calc(self, run: Any) -> Iterator[Any]:
        result = self._result(run)
        for measure in self.measures:
            number = result[measure.definition]
            for query, state, value in zip(result.users, number.state, number.per_user.tolist(), strict=True):
                if state != "outside" and not state.endswith(": skip"):
                    yield _library.Metric(query, measure, value)

    def calc_aggregate(self, run: Any) -> dict[Any, float]:
        """The mean of each measure, as the definition says."""
        result = self._result(run)
        return {measure: result[measure.definition] for measure in self.measures}


class Provider(_library.providers.Provider):  # type: ignore[misc]
    """What ir_measures asks for the values of these measures."""

    NAME = "rankconv"

    def supports(self, measure: Any) -> bool:
        """Whether it is one of these measures."""
        return isinstance(measure, DefinedMeasure)

    def _evaluator(self, measures: Iterable[Any], qrels: Any) -> MeasureEvaluator:
        return MeasureEvaluator(measures, qrels)


def _measure_class(name: str) -> Any:
    """The measure of a metric; one of its own where ir_measures has another of this name."""
    known = _library.measures.registry.get(name)
    if isinstance(known, DefinedMeasure):
        return known
    made: Any = type(name, (DefinedMeasure,), {"NAME": name, "__name__": name})
    if known is not None:
        return made()
    _library.measures.register(made, name=name)
    return _library.measures.registry[name]


def of_definition(definition: Definition) -> Any:
    """Return the measure of a definition."""
    given: dict[str, Any] = {"preset": definition.preset}
    if definition.changed:
        given["conventions"] = ", ".join(f"{convention}={setting}" for convention, setting in definition.changed)
    if definition.requested_k is not None:
        given["cutoff"] = definition.requested_k
    return _measure_class(definition.key)(**{name: one for name, one in given.items() if one != HOUSE})


for _name in find_preset(HOUSE).metrics:
    if _name not in _library.measures.registry:
        _measure_class(_name)
_library.DefaultPipeline.providers.append(_library.providers.register(Provider()))
