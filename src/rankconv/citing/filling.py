"""Filling the words of an answer: its parameters, and how a sentence speaks of the cutoff."""

import math
import re
from collections.abc import Mapping
from typing import Any

from rankconv.choice import Answer
from rankconv.definition import Definition


def filled(words: str, answer: Answer, cutoff: Mapping[str, str]) -> str:
    """The words with the answer's parameters, and with those of the cutoff, in their places."""
    own = [p for p in answer.option.parameters.own if p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)]
    given = {p.name: answer.keywords.get(p.name, p.default) for p in own}
    shown = {name: said(value) for name, value in given.items()}
    return words.format_map({**cutoff, **shown, **_composed(answer, given), "value": answer.text})


def _composed(answer: Answer, given: Mapping[str, Any]) -> dict[str, str]:
    """What parameters say that are more, or less, than a number."""
    lowest, highest = given.get("lowest"), given.get("highest", math.inf)
    return {
        "log": "ln" if given.get("base") == math.e else f"log{said(given.get('base'))}",
        "or_above": "" if math.isinf(highest) else f" or are above {said(highest)}",
        "and_shifted": "" if lowest is None else f", and scores are shifted so that the last one is {said(lowest)}",
        "levels": _table(answer.keywords),
    }


def _table(levels: Mapping[str, Any]) -> str:
    return listed([f"{said(gain)} for grade {level}" for level, gain in levels.items()], "and") if levels else ""


def cutoff_words(definition: Definition) -> dict[str, str]:
    """How a sentence speaks of the cutoff."""
    k, scope = definition.k, definition.metric.scope
    return {
        "here": "in the list" if scope is None else f"in the first {scope} ranks",
        "down_to": "of the list" if k is None else f"from 1 to {k}",
        "rank": "the last rank" if scope is None else f"rank {scope}",
        "ranks": "n (the length of the list)" if k is None else str(k),
        "choice": "the list" if k is None else f"the first {k} items, also where the list is shorter",
        "k": "the length of the list" if k is None else str(k),
        "as_many": "as many" if k is None else str(k),
        "shorter": f"{'' if k is None else f'rank {k}, or at '}the end of the list",
    }


def holes(words: str) -> list[str]:
    """The names in braces."""
    return re.findall(r"\{([^{}]+)\}", words)


def listed(words: list[str], last: str) -> str:
    """a, b and c."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def said(value: Any) -> str:
    """A parameter as one writes it."""
    return f"{value:.10g}" if isinstance(value, (int, float)) else str(value)
