"""The formula of a metric with the parts that one definition gives it."""

import re

from rankconv.metrics.base import Metric
from rankconv.metrics.divisors import sign_of_divisor
from rankconv.presets.definition import Definition
from rankconv.questions.choice import NUMBER, QUESTIONS, Answer

WITHOUT_CUTOFF = {"ranks 1 to k": "all ranks", " j <= k": "", " within k": "", "@k": ""}
"""What a formula says where there is no k."""


def formula(definition: Definition) -> str:
    """The metric's formula, with k and the divisors written in: "hits@3 / min(k, length)"."""
    return formula_of(definition.metric)


def formula_of(metric: Metric) -> str:
    """The formula under these answers, at this cutoff."""
    text = metric.formula
    for words, instead in WITHOUT_CUTOFF.items() if metric.scope is None else ():
        text = text.replace(words, instead)
    if metric.scope is not None:
        text = re.sub(r"\bk\b", str(metric.scope), text)
    for question in sorted(metric.stated, key=len, reverse=True):
        if question.endswith(("denominator", "precision-at")):
            text = text.replace(question, sign_of_divisor(metric.answers[question], metric.k))
    return text


def parts(definition: Definition) -> list[tuple[str, str]]:
    """The metric's answers that matter, each with its rule, numbers written in."""
    asked = definition.metric.answers.items()
    told = [(question, answer) for question, answer in asked if not answer.trait("formula_tells")]
    return [(f"{question}={answer.text}", _rule(question, answer)) for question, answer in told]


def _rule(question: str, answer: Answer) -> str:
    """The rule of an answer, with its parameters in their places; the question, where a number answers it."""
    if answer.option.name == NUMBER:
        return QUESTIONS[question].question
    text = answer.option.rule
    for parameter in answer.option.parameters.own:
        given = answer.keywords.get(parameter.name, parameter.default)
        if isinstance(given, (int, float)):
            text = re.sub(rf"(?<![A-Za-z]){parameter.name}(?![A-Za-z])", f"{given:.10g}", text)
    return text.replace("log_2.718281828", "ln").replace("log_", "log").replace(", plus 0", "")
