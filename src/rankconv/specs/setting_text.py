"""The text of a setting: `log(base=2)`, `min(k, relevant)`, `0.5`. Read, and written in one spelling."""

import math
import re
from collections.abc import Mapping
from itertools import accumulate
from typing import Any

import numpy as np

from rankconv.errors import ConventionError

MOST_NESTED = 20
"""Settings stand in one another at most so deep."""
LARGEST = 1e100
"""The size of a number in a setting is 0, or from 1 / LARGEST to LARGEST, so that it can be multiplied and summed."""

_CALL = re.compile(r"([A-Za-z][\w-]*)\s*(?:\((.*)\))?", re.DOTALL)
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)

_SIGNS, _STEP = re.compile("[(),]"), {"(": 1, ")": -1, ",": 0}
_PLUS = re.compile(r"[()]|(?<=\s)\+(?=\s)")


def read_number(text: str) -> float | None:
    """The number that this text is, or None; what no double can hold is none."""
    value = float(text) if _NUMBER.fullmatch(text.strip()) else math.inf
    return value if math.isfinite(value) else None


def in_bounds(value: float) -> bool:
    """Whether a setting may hold this number."""
    return value == 0 or 1 / LARGEST <= abs(value) <= LARGEST


OUT_OF_BOUNDS = f"The size of a number in a setting is 0, or from {1 / LARGEST:g} to {LARGEST:g}"


def number_text(value: float) -> str:
    """A number in its one spelling: no exponent, no idle zeros, no sign of zero."""
    return np.format_float_positional(value + 0.0, trim="-")


def value_text(given: Any) -> str:
    """A setting or a parameter as text; numbers may be given as such."""
    return number_text(given) if isinstance(given, (int, float)) else str(given)


def split(text: str) -> list[str]:
    """The parts between commas that stand outside parentheses, without the empty ones."""
    return [part for part in between_commas(text) if part]


def between_commas(text: str) -> list[str]:
    """The parts between commas that stand outside parentheses, also the empty ones."""
    parts, depth, start = [], 0, 0
    for found in _SIGNS.finditer(text):
        depth += _STEP[found[0]]
        if found[0] == "," and depth == 0:
            parts.append(text[start : found.start()])
            start = found.end()
    return [part.strip() for part in [*parts, text[start:]]]


def in_turn_of(text: str) -> list[str]:
    """The settings that are carried out in turn: the parts between `+` that stand outside parentheses."""
    parts, depth, start = [], 0, 0
    for found in _PLUS.finditer(text):
        depth += _STEP.get(found[0], 0)
        if found[0] == "+" and depth == 0:
            parts.append(text[start : found.start()])
            start = found.end()
    return [part.strip() for part in [*parts, text[start:]]]


def check_depth(text: str) -> None:
    """A ConventionError for settings that nest deeper than any reader, or any program, can follow."""
    steps = (_STEP[sign] for sign in _SIGNS.findall(text))
    if max(accumulate(steps), default=0) > MOST_NESTED:
        raise ConventionError(f"'{text}' is nested too deep", allowed=f"Settings nest at most {MOST_NESTED} deep")


def read_call(text: str) -> tuple[str, list[str], dict[str, str]]:
    """Name, positional and named parameters of a setting, all still text."""
    found = _CALL.fullmatch(text.strip())
    if found is None:
        return text, [], {}
    positional, named = [], {}
    for part in split(found[2] or ""):
        name, sign, value = part.partition("=")
        if sign and "(" not in name:
            if name.strip() in named:
                raise ConventionError(f"'{text}' says {name.strip()} twice")
            named[name.strip()] = value.strip()
        else:
            positional.append(part)
    return found[1], positional, named


def text_of(given: Any, depth: int = 0) -> str:
    """A setting as text, from text, a number, or the one-key mapping `{log: {base: 3}}` that YAML allows."""
    if depth > 2 * MOST_NESTED:
        raise ConventionError("the setting is nested too deep", allowed=f"Settings nest at most {MOST_NESTED} deep")
    if isinstance(given, bool):
        raise ConventionError(f"'{given}' is not a setting", do="Quote the word, so that YAML keeps it as text.")
    if isinstance(given, (int, float, np.integer, np.floating)):
        return _number_given(float(given) if isinstance(given, np.generic) else given)
    if isinstance(given, Mapping) and len(given) == 1:
        ((name, inner),) = given.items()
        return f"{name}({_inner_text(inner, depth + 1)})"
    if isinstance(given, str):
        return given.strip()
    raise ConventionError(f"{given!r} is not a setting", allowed="A setting is text, a number, or a one-key mapping")


def _number_given(given: float) -> str:
    try:
        value = float(given)
    except OverflowError:
        value = math.inf
    if not math.isfinite(value):
        raise ConventionError("the number is not finite, or beyond what a double can hold")
    return number_text(value)


def _inner_text(inner: Any, depth: int) -> str:
    if isinstance(inner, Mapping):
        return ", ".join(f"{name}={text_of(value, depth)}" for name, value in inner.items())
    if isinstance(inner, list):
        return ", ".join(text_of(value, depth) for value in inner)
    return text_of(inner, depth)
