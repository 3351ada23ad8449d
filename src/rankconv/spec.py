"""The one way to ask for a metric: `[preset:]metric[(question=answer, …)][@k]`, `@5,10,20` for several."""

import re
from collections import Counter
from dataclasses import dataclass

import numpy as np

from rankconv.answers import split
from rankconv.errors import MetricError

HIGHEST = 1_000_000
"""Some definitions go through all ranks down to the cutoff, also beyond the list."""
ALLOWED = f"A cutoff is a whole number from 1 up to {HIGHEST:,}"
_CUTOFF = re.compile(r"[0-9]{1,7}")
_PRESET = re.compile(r"([\w.+-]+(?: \(modified\))?):")


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
    preset, rest = preset_and_rest(text)
    name, inside, cutoffs = _taken_apart(rest, text)
    if inside.isdigit():  # a system's own spelling, such as ndcgAt(10)
        name, inside = f"{name}({inside})", ""
    answers = tuple(_answer(part, text) for part in split(inside))
    for question, count in Counter(question for question, _ in answers).items():
        if count > 1:
            raise MetricError(f"'{text}' answers '{question}' twice", do="Give one answer.")
    return Spec(preset, name, answers, _cutoffs(cutoffs, text))


GRAMMAR = "Write metric@k, such as ndcg@10, or preset:metric(question=answer)@k"


def _taken_apart(rest: str, text: str) -> tuple[str, str, str | None]:
    """Name, what stands in the parentheses, and what follows the @; in one pass, however long the text is."""
    end = min(place for sign in "(@" for place in [rest.find(sign) % (len(rest) + 1)])
    name, tail, inside = rest[:end], rest[end:], ""
    if tail.startswith("("):
        close = tail.rfind(")")
        inside, tail = tail[1 : max(close, 1)].strip(), tail[close + 1 :].lstrip() if close > 0 else "("
    sign, cutoffs = tail[:1], tail[1:]
    named = name and not name[0].isspace() and name[0] not in ",:" and ":" not in name
    if not named or sign not in ("", "@") or set("()@") & set(cutoffs) or text.count("(") != text.count(")"):
        raise MetricError(f"'{text}' is not a metric", allowed=GRAMMAR)
    return name.strip(), inside, cutoffs if sign else None


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
    if not _CUTOFF.fullmatch(part) or not 0 < int(part) <= HIGHEST:
        raise MetricError(
            f"'{part}' is not a cutoff in '{text}'",
            allowed=ALLOWED,
            do="Write, for instance, @10 or @5,10,20, or leave it out for the whole list.",
        )
    return int(part)


def checked_cutoff(given: object, where: str = "") -> int:
    """A cutoff that was given as a number; a MetricError for what is none."""
    number = given if isinstance(given, (int, float, np.integer, np.floating)) and not isinstance(given, bool) else 0
    if not 1 <= number <= HIGHEST or number != int(number):
        raise MetricError(f"{given!r:.100} is not a cutoff", where=where, allowed=ALLOWED)
    return int(number)
