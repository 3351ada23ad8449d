"""The one way to ask for a metric: `[preset:]metric[(question=answer, …)][@k]`, `@5,10,20` for several."""

import re
from collections import Counter
from dataclasses import dataclass

from rankconv.answers import split
from rankconv.errors import MetricError

HIGHEST = 1_000_000
"""Some definitions go through all ranks down to the cutoff, also beyond the list."""
_PRESET = re.compile(r"([\w.+-]+(?: \(modified\))?):")
_SPEC = re.compile(
    r"(?:(?P<preset>[\w.+-]+(?:\ \(modified\))?):)?"
    r"(?P<metric>[^\s(@:,][^(@:]*?)\s*"
    r"(?:\((?P<answers>.*)\))?\s*"
    r"(?:@(?P<cutoffs>[^()@]*))?",
    re.VERBOSE | re.DOTALL,
)


def preset_and_rest(text: str) -> tuple[str | None, str]:
    """The preset that a spec names before its colon, and the rest of it."""
    found = _PRESET.match(text.strip())
    return (found[1], text.strip()[found.end() :]) if found else (None, text.strip())


@dataclass(frozen=True)
class Spec:
    """A spec taken apart; nothing in it is looked up yet."""

    preset: str | None
    metric: str
    answers: tuple[tuple[str, str], ...]
    cutoffs: tuple[int | None, ...]


def read_spec(text: str) -> Spec:
    """The parts of a spec; what cannot be one is a MetricError that shows the grammar.

    >>> read_spec("trec_eval:ndcg(ties=averaged, gain=table(1=1, 2=5))@5,10").cutoffs
    (5, 10)
    """
    found = _SPEC.fullmatch(text.strip())
    if found is None or text.count("(") != text.count(")"):
        raise MetricError(f"'{text}' is not a metric", allowed=GRAMMAR)
    name, inside = found["metric"].strip(), (found["answers"] or "").strip()
    if inside.isdigit():  # a system's own spelling, such as ndcgAt(10)
        name, inside = f"{name}({inside})", ""
    answers = tuple(_answer(part, text) for part in split(inside))
    for question, count in Counter(question for question, _ in answers).items():
        if count > 1:
            raise MetricError(f"'{text}' answers '{question}' twice", do="Give one answer.")
    return Spec(
        found["preset"],
        name,
        answers,
        _cutoffs(found["cutoffs"], text),
    )


GRAMMAR = "Write metric@k, such as ndcg@10, or preset:metric(question=answer)@k"


def _answer(part: str, text: str) -> tuple[str, str]:
    question, sign, answer = part.partition("=")
    if not sign:
        raise MetricError(f"'{part}' in '{text}' is not of the form question=answer", allowed=GRAMMAR)
    return question.strip().replace("_", "-"), answer.strip()


def _cutoffs(given: str | None, text: str) -> tuple[int | None, ...]:
    if given is None:
        return (None,)
    return tuple(_cutoff(part.strip(), text) for part in given.split(","))


def _cutoff(part: str, text: str) -> int:
    if not re.fullmatch(r"\d{1,7}", part, re.ASCII) or not 0 < int(part) <= HIGHEST:
        raise MetricError(
            f"'{part}' is not a cutoff in '{text}'",
            allowed=f"A cutoff is a whole number from 1 up to {HIGHEST:,}",
            do="Write, for instance, @10 or @5,10,20, or leave it out for the whole list.",
        )
    return int(part)
