"""The formula of a metric with the parts that one definition gives it."""

import re

from rankconv.metrics.base import Metric
from rankconv.metrics.divisors import sign_of_divisor
from rankconv.presets.definition import Definition
from rankconv.specs.convention import CONVENTIONS, NUMBER, Setting

WITHOUT_CUTOFF = {"ranks 1 to k": "all ranks", " j <= k": "", " within k": "", "@k": ""}
"""What a formula says where there is no k."""


def formula(definition: Definition) -> str:
    """The metric's formula, with k and the divisors written in: "hits@3 / min(k, length)"."""
    return formula_of(definition.metric)


def formula_of(metric: Metric) -> str:
    """The formula under these settings, at this cutoff."""
    text = metric.formula
    for words, instead in WITHOUT_CUTOFF.items() if metric.scope is None else ():
        text = text.replace(words, instead)
    if metric.scope is not None:
        text = re.sub(r"\bk\b", str(metric.scope), text)
    for convention_name in sorted(metric.stated, key=len, reverse=True):
        if convention_name.endswith(("denominator", "precision-at")):
            text = text.replace(convention_name, sign_of_divisor(metric.settings[convention_name], metric.k))
    return text


def parts(definition: Definition) -> list[tuple[str, str]]:
    """The metric's answers that matter, each with its rule, numbers written in."""
    asked = definition.metric.settings.items()
    told = [(convention_name, setting) for convention_name, setting in asked if not setting.trait("formula_tells")]
    return [(f"{convention_name}={setting.text}", _rule(convention_name, setting)) for convention_name, setting in told]


def _rule(convention_name: str, setting: Setting) -> str:
    """The rule of a setting, with its parameters in their places; the convention, where a number answers it."""
    if setting.setting_type.name == NUMBER:
        return CONVENTIONS[convention_name].description
    text = setting.setting_type.rule
    for parameter in setting.setting_type.parameters.own:
        given = setting.keywords.get(parameter.name, parameter.default)
        if isinstance(given, (int, float)):
            text = re.sub(rf"(?<![A-Za-z]){parameter.name}(?![A-Za-z])", f"{given:.10g}", text)
    return text.replace("log_2.718281828", "ln").replace("log_", "log").replace(", plus 0", "")
