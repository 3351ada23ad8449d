"""Names of Elasticsearch and OpenSearch: the metric of a _rank_eval request, {"dcg": {"k": 10, "normalize": true}}."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from rankconv.basics.errors import MetricError
from rankconv.presets.native_names.grammar import NativeName, native_names

METRICS = {
    "precision": ("k", "relevant_rating_threshold", "ignore_unlabeled"),
    "recall": ("k", "relevant_rating_threshold"),
    "mean_reciprocal_rank": ("k", "relevant_rating_threshold"),
    "dcg": ("k", "normalize"),
    "expected_reciprocal_rank": ("k", "maximum_relevance", "unknown_doc_rating"),
}
"""The metrics of the API, and their parameters."""
IGNORE_UNLABELED = {"max-depth": "cutoff", "unjudged": "condensed-after-depth"}


@native_names("elasticsearch")
def read(text: str) -> Sequence[NativeName] | None:
    """Read the object of one metric, also under the key `metric` of a whole request."""
    if not text.startswith("{"):
        return None
    body = _object(text)
    body = body["metric"] if isinstance(body.get("metric"), dict) else body
    if len(body) != 1 or next(iter(body)) not in METRICS:
        raise _wrong(text, "does not hold one metric", f"The metrics are {', '.join(METRICS)}")
    ((name, given),) = body.items()
    parameters = {} if given is None else given
    if not isinstance(parameters, dict):
        raise _wrong(text, f"has no parameters of {name}", "They are an object, {} without any")
    for parameter in parameters:
        if parameter not in METRICS[name]:
            raise _wrong(text, f"has '{parameter}' of {name}", f"It takes {', '.join(METRICS[name])}")
    return [_read(text, name, parameters)]


def _read(text: str, name: str, parameters: Mapping[str, Any]) -> NativeName:
    settings = dict[str, str]()
    if "relevant_rating_threshold" in parameters:
        settings["relevant"] = f"at-least({_whole(text, 'relevant_rating_threshold', parameters)})"
    if _flag(text, "ignore_unlabeled", parameters):
        settings |= IGNORE_UNLABELED
    if name == "expected_reciprocal_rank":
        if "maximum_relevance" not in parameters:
            raise _wrong(text, "has no maximum_relevance", "expected_reciprocal_rank needs the highest rating")
        settings["gain"] = f"exponential-over({_whole(text, 'maximum_relevance', parameters)})"
    if parameters.get("unknown_doc_rating"):
        raise _wrong(text, "has an unknown_doc_rating", "Unrated hits have no gain in the preset: it is 0 or left out")
    metric = "ndcg" if _flag(text, "normalize", parameters) else name
    return NativeName(text, metric, settings, _whole(text, "k", parameters) if "k" in parameters else None)


def _object(text: str) -> Mapping[str, Any]:
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        raise _wrong(text, "is not a JSON object", 'Write, for instance, {"dcg": {"k": 10, "normalize": true}}')
    return body


def _whole(text: str, parameter: str, parameters: Mapping[str, Any]) -> int:
    value = parameters[parameter]
    if type(value) is not int or value < 1:
        raise _wrong(text, f"has {parameter} {json.dumps(value)}", "It is a whole number from 1 up")
    return value


def _flag(text: str, parameter: str, parameters: Mapping[str, Any]) -> bool:
    value = parameters.get(parameter, False)
    if type(value) is not bool:
        raise _wrong(text, f"has {parameter} {json.dumps(value)}", "It is true or false")
    return value


def _wrong(text: str, wrong: str, allowed: str) -> MetricError:
    return MetricError(f"'{text}' {wrong}", allowed=allowed)
