"""Filling the holes of words and formulas: the parameters of a setting, and how a sentence speaks of the cutoff."""

import math
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, get_args

from rankconv.errors import RankconvError, unknown
from rankconv.presets.definition import Definition
from rankconv.specs.convention import Convention, Setting

WORDS, TEX = re.compile(r"\{([^{}]+)\}"), re.compile("«([^«»]+)»")
"""A hole in words, and one in a formula."""
IF_GIVEN = "?"
"""Begins what is said before a parameter, and only where it was given."""


def parameters(setting: Setting) -> dict[str, Any]:
    """What may stand in the setting's words: its parameters, and `value`, which is the answer itself."""
    found: dict[str, Any] = {"value": setting.text}
    for p in setting.setting_type.parameters.own:
        if p.kind is p.VAR_POSITIONAL:
            found[p.name] = [_read(setting, p.name, one) for one in setting.arguments]
        elif p.kind is p.VAR_KEYWORD:
            found[p.name] = {name: value for name, value in setting.keywords.items() if name not in found}
        else:
            found[p.name] = _read(setting, p.name, setting.keywords.get(p.name, p.default))
    return found


def _read(setting: Setting, name: str, value: Any) -> Any:
    """A parameter that answers a convention itself, as that setting."""
    asked = (mark for mark in get_args(setting.setting_type.parameters.types.get(name)) if isinstance(mark, Convention))
    return value if isinstance(value, Setting) else next((convention(value) for convention in asked), value)


def was_given(setting: Setting, name: str) -> bool:
    """Whether a parameter has another value than its default."""
    defaults = {p.name: p.default for p in setting.setting_type.parameters.own}
    return bool(setting.keywords.get(name, defaults.get(name)) != defaults.get(name))


def filled(
    own: Setting, name: str, how: str, k: int | None, told: Callable[[Setting], str], written: Callable[[Any, str], str]
) -> str:
    """A parameter in its hole, as `written` in words or in a formula; `told` does so for one that is a setting."""
    value = parameters(own)[name]
    if how.startswith(IF_GIVEN):
        return how[1:] + written(value, "") if was_given(own, name) else ""
    if isinstance(value, list):
        value = [told(part) for part in with_cutoff(value, k)]
    return written(told(value) if isinstance(value, Setting) else value, how)


def in_words(value: Any, how: str) -> str:
    """A parameter in words: a number, a logarithm to that base, a table; of texts one alone, or all after `how`."""
    if how == "log":
        return "ln" if value == math.e else f"log{said(value)}"
    if isinstance(value, Mapping):
        return listed([f"{said(gain)} {how} {level}" for level, gain in value.items()], "and")
    if not isinstance(value, list):
        return said(value)
    of_two, _, of_more = how.partition("|")
    return value[0] if len(value) == 1 else f"{of_two if len(value) == 2 else of_more} {listed(value, 'and')}"


def in_tex(value: Any, how: str) -> str:
    """A parameter in a formula: a number, a logarithm to that base; of formulas one alone, or `how` of all."""
    if how == "log":
        return r"\ln " if value == math.e else rf"\log_{{{said(value)}}}"
    if isinstance(value, list):
        return str(value[0]) if len(value) == 1 else f"{how}({', '.join(value)})"
    return said(value)


def with_cutoff(parts: list[Setting], k: int | None) -> list[Setting]:
    """Without a cutoff, those that do not speak of it, if there are any: a missing k is never the least."""
    return [part for part in parts if k is not None or "k" not in holes(part.setting_type.says)] or parts


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


def cutoff_signs(definition: Definition) -> dict[str, str]:
    """How a formula writes the cutoff; nothing where there is none."""
    k, scope = definition.k, definition.metric.scope
    return {
        "k": "" if k is None else str(k),
        "K": "" if scope is None else str(scope),
        "rows": "" if scope is None else rf"\min({scope}, n)",
        "shorter": "" if k is None else rf"\min({k}, n)",
    }


def holes(words: str) -> list[str]:
    """The names in braces."""
    return WORDS.findall(words)


def no_such_hole(hole: str, known: Iterable[str], where: str) -> RankconvError:
    """The error for words or a formula with a hole that nothing fills."""
    return unknown("hole that can be filled", hole, known, where=f"the words of {where}")


def listed(words: list[str], last: str) -> str:
    """a, b and c."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def said(value: Any) -> str:
    """A parameter as one writes it."""
    return f"{value:.10g}" if isinstance(value, (int, float)) else str(value)
