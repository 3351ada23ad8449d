"""Under which definitions are the best and the worst order of tied rows known without trying them all?

Where a number cannot fall when a better item moves up past a worse one of the same score, rows of equal score by
falling grade give the best value that any order of them has, and by rising grade the worst: any other order gets there
by such exchanges. That holds for the metrics below, unless one of the answers lets something else depend on the order.
"""

from collections.abc import Iterator

import numpy as np

from rankconv.engine.differences import Facts
from rankconv.presets.definition import Definition
from rankconv.questions.choice import QUESTIONS

RISING = {
    "ndcg", "dcg", "cg", "scaled_dcg", "gain_mean", "err", "pfound", "rbp", "precision", "recall", "f", "hit_rate",
    "hit_count", "r_precision", "average_precision", "reciprocal_rank",
}  # fmt: skip
"""Metrics that do not fall when a better item moves up. The sum of AP is one of hits, each at a higher precision."""
PROBABILITIES = {"err", "pfound"}
"""Those of which a gain is a probability."""
FIT = {
    "lists": {"per-user"},
    "regroup": {"none"},
    "unjudged": {"not-relevant"},
    "rr-over": {"first-hit", "relevant", "sum"},
    "ideal": {"labels", "catalogue", "labels-as-given", "ones"},
    "r-precision-at": {"relevant", "multiple", "k", "min", "length", "labels-above", "one"},
    "mean": {"arithmetic", "geometric", "median", "minimum", "maximum", "sum", "ratio-of-sums", "of-parts"},
    "no-hits": {"formula", "0"},
    "zero-value": {"formula", "0"},
    "missed-relevant": {"formula"},
    "above-one": {"formula"},
    "no-hits-at-all": {"formula"},
}
"""By question, the answers that leave it so; where another one is given, something else depends on the order."""


def not_known(definition: Definition, data: Facts) -> str:
    """Why the best and the worst order cannot be told; nothing where they can."""
    return next(_reasons(definition, data), "")


def _reasons(definition: Definition, data: Facts) -> Iterator[str]:
    if definition.judging.tie_rule == "shared":
        yield f"ties={definition.answers['ties']}, so no order of them matters"
    if definition.metric.name not in RISING:
        yield f"{definition.metric.name} need not rise when a better item moves up"
    for question, answer in definition.answers.items():
        if question in FIT and QUESTIONS[question](answer).option.name not in FIT[question]:
            if answer not in FIT[question]:
                yield f"{question}={answer}"
        elif question.endswith("denominator") and "hits" in answer:
            yield f"{question}={answer}"
    if definition.metric.name == "f" and definition.answers["undefined"] != "0":
        yield f"undefined={definition.answers['undefined']}"
    yield from _grade_reasons(definition, data)


def _grade_reasons(definition: Definition, data: Facts) -> Iterator[str]:
    """A higher grade must be no worse, and grade 0 worth nothing, as an item without a label is."""
    answers = definition.answers
    if (data.grades < 0).any():
        yield "grades below 0"
    if data.repeats and answers["duplicates"] != "each":
        yield f"duplicates={answers['duplicates']} in lists that repeat items"
    relevant = QUESTIONS["relevant"](answers["relevant"])
    grades = np.union1d(data.grades, 0.0)
    hits = np.asarray(relevant(grades=grades, highest=np.full(len(grades), grades.max())), float)
    if relevant.option.name == "highest" or hits[0] or (np.diff(hits) < 0).any():
        yield f"relevant={answers['relevant']}"
    yield from _gain_reasons(definition, grades, hits, relevant.keywords.get("level", 0.0))


def _gain_reasons(definition: Definition, grades: np.ndarray, hits: np.ndarray, level: float) -> Iterator[str]:
    answers = definition.metric.answers
    if "gain" in answers:
        gains = np.asarray(answers["gain"](grades=grades, relevant=hits > 0, level=level), float)
        if gains[0] or (np.diff(gains) < 0).any() or (definition.metric.name in PROBABILITIES and gains[-1] > 1):
            yield f"gain={answers['gain'].text}"
    if (
        "discount" in answers
        and (np.diff(answers["discount"](ranks=np.arange(1.0, (definition.metric.scope or 1024) + 1))) > 0).any()
    ):
        yield f"discount={answers['discount'].text}"
