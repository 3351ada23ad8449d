"""Under which definitions are the best and the worst order of tied rows known without trying them all?

Where a number cannot fall when a better item moves up past a worse one of the same score, rows of equal score by
falling grade give the best value that any order of them has, and by rising grade the worst: any other order gets there
by such exchanges. Of a loss the best value is the least. Metrics promise that (`rises`), unless one of the answers lets
something else depend on the order.
"""

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from rankconv.averaging import CAUSES, JUDGED_CAUSES
from rankconv.data.arrays import Numbers
from rankconv.data.joined import Joined
from rankconv.judging.block import of_lists
from rankconv.judging.on_data import OnData
from rankconv.judging.ties import TieEffect
from rankconv.metrics.divisors import counts_hits
from rankconv.presets.definition import Definition, answers_of
from rankconv.questions.choice import QUESTIONS, Answer, Registry


def not_known(definition: Definition, joined: Joined) -> str:
    """Why the best and the worst order cannot be told; nothing where they can."""
    return next(_reasons(definition, OnData(answers_of(*definition.parts), joined)), "")


def _reasons(definition: Definition, here: OnData) -> Iterator[str]:
    metric, answers = definition.metric, here.answers
    if definition.judging.tie_rule is TieEffect.SHARED:
        yield f"ties={answers['ties'].text}, so no order of them matters"
    if not metric.keeps("rises"):
        yield f"{metric.name} need not rise when a better item moves up"
    falling = (question for question, answer in answers.items() if _may_fall(question, answer, here))
    falling_cases = (name for name, case in CAUSES.items() if case.may_fall(type(metric), answers[name]))
    falling_data = (name for name, case in JUDGED_CAUSES.items() if case.may_fall(answers[name]))
    for question in (*falling, *falling_cases, *falling_data):
        yield f"{question}={answers[question].text}"
    yield from _grade_reasons(definition, here)


def _may_fall(question: str, answer: Answer, here: OnData) -> bool:
    """Whether a number may fall under this answer though a better item moved up.

    One that is turned as a whole, as a loss is, falls where it would rise: its best order has the least value.
    """
    if counts_hits(answer):
        return True
    if answer.trait("turns"):
        return False
    rises = answer.option.traits.get("rises")
    if rises is None:
        return _says(question, Registry.generation)
    return not (rises is True or (rises and here.facts.of(str(rises), None).all()))


@lru_cache(maxsize=256)
def _says(question: str, generation: int) -> bool:
    """Whether the question says it of some answers; then it says it of all under which a number cannot fall."""
    return any(option.traits.get("rises") for option in QUESTIONS[question].options.values())


def _grade_reasons(definition: Definition, here: OnData) -> Iterator[str]:
    """A higher grade must be no worse, and grade 0 worth nothing, as an item without a label is."""
    if (here.facts.grades < 0).any():
        yield "grades below 0"
    grades = np.union1d(here.facts.grades, 0.0)
    hits = here.relevant(grades).astype(float)
    if hits[0] or (np.diff(hits) < 0).any():
        yield f"relevant={here.answers['relevant'].text}"
    answers = definition.metric.answers
    if "gain" in answers:
        gains = here.gains(grades)
        too_great = definition.metric.gains_are_probabilities and gains[-1] > 1
        if gains[0] or (np.diff(gains) < 0).any() or too_great:
            yield f"gain={answers['gain'].text}"
    ranks = np.arange(1.0, (definition.metric.scope or 1024) + 1)
    if "discount" in answers and _discount_rises(answers["discount"], ranks):
        yield f"discount={answers['discount'].text}"


def _discount_rises(discount: Answer, ranks: Numbers) -> bool:
    """Whether one of these ranks, shape (ranks,), counts more than one above it.

    A discount that hangs on the list says itself that none does (`falls`).
    """
    if of_lists(discount):
        return not discount.trait("falls")
    return bool((np.diff(discount(ranks=ranks)) > 0).any())
