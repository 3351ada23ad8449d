"""The formula of a definition in LaTeX: of one user's value, and of the number that is reported."""

import math
import re

from rankconv.choice import Answer
from rankconv.citing.filling import said
from rankconv.citing.latex_words import ANSWERS, DIVISORS, MEANS, METRICS, STANDS_AS, SYMBOLS
from rankconv.citing.statements import is_divisor
from rankconv.definition import Definition
from rankconv.escaping import latex
from rankconv.metrics.divisors import DIVISOR

HOLE = re.compile("«([^«»]+)»")
ASKED_AS = {"hits wanted": "recall-rounding", "positives": "partial-positives", "scaled gain": "rbp-scale"}
"""Holes that an answer of another name fills."""


def formula(definition: Definition) -> str:
    """The value of one user, as the right side of an equation."""
    return _filled(_template(definition), definition)


def mean_formula(definition: Definition) -> str:
    """The number that is reported, from the values m_u of the users."""
    if definition.judging.pools:
        return "m"
    answer = definition.averaging.answers["mean"]
    return _filled(MEANS.get(answer.option.name, rf"\text{{{latex(answer.text)}}}"), definition, answer)


def symbols(definition: Definition) -> dict[str, str]:
    """What stands in the formula, and what it means."""
    written = formula(definition)
    return {sign: words for sign, words in SYMBOLS.items() if _holds(written, sign)}


def _holds(written: str, sign: str) -> bool:
    return re.search(rf"(?<![A-Za-z\\]){re.escape(STANDS_AS.get(sign, sign))}(?![A-Za-z'^])", written) is not None


def _template(definition: Definition) -> str:
    metric = definition.metric
    for question, answer in metric.answers.items():
        variant = f"{metric.name}({question}={answer.option.name})"
        if variant in METRICS:
            return METRICS[variant]
    return METRICS.get(metric.name, rf"\text{{{latex(metric.formula or metric.about())}}}")


def _filled(text: str, definition: Definition, own: Answer | None = None) -> str:
    while HOLE.search(text):
        text = HOLE.sub(lambda hole: _hole(hole[1], definition, own), text)
    return text


def _hole(name: str, definition: Definition, own: Answer | None) -> str:
    metric = definition.metric
    match name:
        case "K":
            return "n" if metric.scope is None else str(metric.scope)
        case "k":
            return "n" if metric.k is None else str(metric.k)
        case "rows":
            return "n" if metric.scope is None else rf"\min({metric.scope}, n)"
        case "I":
            return _ideal_depth(definition)
        case "x":
            return metric.stated.get("recall-level", "x")
        case "gain above":
            return _filled("«gain»", definition).replace("_j", "_i")
        case "ideal gain":
            return _ideal_gain(definition)
        case _ if own is not None and name in own.keywords:
            return said(own.keywords[name])
    return _answer(name, metric.answers[ASKED_AS.get(name, name)], definition)


def _answer(name: str, answer: Answer, definition: Definition) -> str:
    if is_divisor(name):
        return _divisor(answer, definition)
    words = ANSWERS.get(name, {}).get(answer.option.name)
    if words is None:
        return _plugin(name, answer)
    base, shift = answer.keywords.get("base"), answer.keywords.get("shift", 1)
    log = r"\ln " if base == math.e else rf"\log_{{{said(base)}}}"
    words = words.replace("«log»", log).replace("«shift»", said(shift))
    return _filled(words, definition, answer)


def _plugin(name: str, answer: Answer) -> str:
    """A number as it stands; an answer that nobody wrote as LaTeX by its name."""
    if "value" in answer.keywords:
        return answer.text
    return rf"\mathrm{{{name}}}_j" if name in ("gain", "discount") else rf"\text{{{latex(answer.text)}}}"


def _divisor(answer: Answer, definition: Definition) -> str:
    epsilon = answer.keywords.get("epsilon")
    if answer.option.name != "min":
        words = DIVISORS.get(answer.option.name, rf"\text{{{latex(answer.text)}}}")
        return _filled(words, definition, answer) + (f" + {epsilon:g}" if epsilon else "")
    finite = [part for part in answer.arguments if part != "k" or definition.k is not None] or answer.arguments
    parts = [_divisor(DIVISOR(part), definition) for part in finite]
    return parts[0] if len(parts) == 1 else rf"\min({', '.join(parts)})"


def _ideal_gain(definition: Definition) -> str:
    ideal = definition.metric.stated["ideal"]
    if ideal == "ones":
        return "1"
    gain = _filled("«gain»", definition).replace("g_j", "g^{*}_j").replace("r_j", "r^{*}_j")
    return rf"\max(0, {gain})" if ideal == "catalogue" else gain


def _ideal_depth(definition: Definition) -> str:
    k, cut = definition.k, definition.metric.stated["ideal-cut"]
    if cut == "none" or (cut == "k" and k is None):
        return "I"
    return str(k) if cut == "k" else "n" if k is None else rf"\min({k}, n)"
