"""Which judgings are bound to give the same lists on the data at hand?"""

from collections.abc import Sequence
from typing import Any

from rankconv.data.joined import Joined
from rankconv.errors import InputError
from rankconv.judging.facts import facts_of
from rankconv.judging.pipeline import Judging
from rankconv.judging.plain_rows import JudgedLevels

OF_ORDER = ("order", "score-width", "ties")
ONLY_LISTS = ("duplicate-labels", "drop", "duplicates")
"""Steps that do nothing where the facts hold under which they leave lists plain."""
OF_LABELS = ("grades", "negative", "grades-allowed", "relevant", "known")


def judging_classes(joined: Joined, judgings: Sequence[Judging]) -> list[list[Judging]]:
    """The judgings in groups that change the lists and labels of this data alike."""
    classes: dict[Any, list[Judging]] = {}
    for judging in judgings:
        classes.setdefault(_effect(joined, judging), []).append(judging)
    return list(classes.values())


def possible(joined: Joined, judging: Judging) -> bool:
    """Whether this data has what the judging orders tied rows by."""
    try:
        return judging.given("ties") != "number-descending" or len(joined.items.number_rank) >= 0
    except InputError:
        return False


def _effect(joined: Joined, judging: Judging) -> tuple[Any, ...]:
    """Equal only for judgings that are bound to agree."""
    told = dict(judging.stated)
    for question in (*ONLY_LISTS, *(["candidates"] if told["candidates"] == "at-least-one" else [])):
        if _changes_nothing(joined, judging, question):
            told[question] = ""
    if told["candidates"] == "returned":
        told["candidates"] = ""
    told |= dict.fromkeys(_idle_order(joined, judging), "")
    labels: tuple[Any, ...] = tuple(told.pop(question) for question in OF_LABELS)
    if (
        joined.levels is not None
        and not judging.needs
        and all(_changes_nothing(joined, judging, question) for question in OF_LABELS)
    ):
        labels = JudgedLevels.of(joined, judging).signature
    return tuple(told.values()), labels


def _changes_nothing(joined: Joined, judging: Judging, question: str) -> bool:
    """Whether this step leaves all lists as they are, and looks at no label but by its grade."""
    facts = judging.answers[question].option.traits.get("plain", "never").split(", ")
    return all(facts_of(joined).of(fact, None).all() for fact in facts)


def _idle_order(joined: Joined, judging: Judging) -> list[str]:
    """The questions about order that cannot matter."""
    if facts_of(joined).no_ties(judging.compared):
        return list(OF_ORDER)
    if judging.given("order") == "given" and judging.tie_rule == "order":
        return ["ties"] if judging.given("score-gate") == "positive" else ["ties", "score-width"]
    return []
