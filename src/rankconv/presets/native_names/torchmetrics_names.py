"""Names of TorchMetrics: a class with its arguments, `RetrievalMAP(top_k=10)`, or a function of the same arguments."""

from collections.abc import Mapping, Sequence
from typing import Any

from rankconv.basics.errors import MetricError
from rankconv.presets.native_names.grammar import NativeName, native_names
from rankconv.presets.native_names.python_call import PythonCall, read_python

STARTS = ("Retrieval", "retrieval_")
EMPTY_TARGETS = {"neg": "0", "pos": "1", "skip": "skip", "error": "refuse-all"}
AGGREGATIONS = {"mean": "mean", "median": "median(lower)", "min": "minimum", "max": "maximum"}
SETTINGS = {
    "empty_target_action": ("on-zero-grade-sum", EMPTY_TARGETS),
    "aggregation": ("aggregate", AGGREGATIONS),
}
"""Arguments that are settings: the convention, and the setting of each value."""
OF_FALL_OUT = "on-no-non-relevant"
"""The convention of `empty_target_action` in fall-out, whose empty target has no item that is not relevant."""
ADAPTIVE = "precision_adaptive"
NOT_SET = {"ignore_index": None, "max_fpr": None, "adaptive_k": False, "top_k": None, "k": None}
"""Arguments with the value under which they do nothing."""


@native_names("torchmetrics")
def read(text: str) -> Sequence[NativeName] | None:
    """Read a class or a function with arguments; without any, the preset knows the name itself."""
    call = read_python(text)
    if call is None or not call.name.startswith(STARTS) or not call.parameters or call.at is not None:
        return None
    settings = dict[str, str]()
    for argument, value in call.parameters.items():
        settings |= _setting(call, argument, value, text)
    top_k = next((call.parameters[one] for one in ("top_k", "k") if call.parameters.get(one) is not None), None)
    metric = ADAPTIVE if call.parameters.get("adaptive_k") else call.name
    return [NativeName(text, metric, settings, top_k)]


def _setting(call: PythonCall, argument: str, value: Any, text: str) -> Mapping[str, str]:
    """What an argument is in the conventions; a MetricError for one that the preset does not have."""
    if argument in NOT_SET and value == NOT_SET[argument]:
        return {}
    is_k = argument in ("top_k", "k") and type(value) is int and value > 0
    if is_k or (argument == "adaptive_k" and value is True and "recision" in call.name):
        return {}
    convention, values = SETTINGS.get(argument, ("", {}))
    if not isinstance(value, str) or value not in values:
        allowed = "It takes top_k, empty_target_action and aggregation"
        if values:
            allowed = f"It is one of {', '.join(map(repr, values))}"
        elif argument in ("top_k", "k"):
            allowed = "It is a whole number from 1 up"
        elif "recision" in call.name:
            allowed = "It takes top_k, adaptive_k=True, empty_target_action and aggregation"
        raise MetricError(f"the preset has no {call.name} with {argument}={value!r}", where=text, allowed=allowed)
    of_fall_out = argument == "empty_target_action" and call.name.casefold().replace("_", "").endswith("fallout")
    return {OF_FALL_OUT if of_fall_out else convention: values[value]}
