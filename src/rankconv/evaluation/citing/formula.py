"""Formulas in LaTeX, filled with settings."""

import math
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any, get_args

from rankconv.aggregation.means import AGGREGATE, REPORT
from rankconv.basics.errors import RankconvError, unknown
from rankconv.basics.escaping import latex
from rankconv.conventions.convention import CONVENTIONS, Convention, Setting
from rankconv.metrics.divisors import OF_TIES, SIGNS
from rankconv.preparation.ties import TieEffect
from rankconv.presets.definition import Definition

WORDS, TEX = re.compile(r"\{([^{}]+)\}"), re.compile("«([^«»]+)»")
"""A hole in words, and one in a formula."""
IF_GIVEN = "?"
"""Begins what is said before a parameter, and only where it was given."""


def parameters(setting: Setting) -> dict[str, Any]:
    """What may stand in the setting's words: its parameters, and `value`, which is the setting itself."""
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
    """A parameter that is a setting of a convention, as that setting."""
    marks = (mark for mark in get_args(setting.setting_type.parameters.types.get(name)) if isinstance(mark, Convention))
    return value if isinstance(value, Setting) else next((convention(value) for convention in marks), value)


def was_given(setting: Setting, name: str) -> bool:
    """Whether a parameter has another value than its default."""
    defaults = {p.name: p.default for p in setting.setting_type.parameters.own}
    return bool(setting.keywords.get(name, defaults.get(name)) != defaults.get(name))


def filled(
    own: Setting,
    name: str,
    how: str,
    k: int | None,
    described: Callable[[Setting], str],
    written: Callable[[Any, str], str],
) -> str:
    """A parameter in its hole, as `written` in words or in a formula; `described` does so for one that is a setting."""
    value = parameters(own)[name]
    if how.startswith(IF_GIVEN):
        return how[1:] + written(value, "") if was_given(own, name) else ""
    if isinstance(value, list):
        settings = [part for part in value if isinstance(part, Setting)]
        value = [described(part) for part in with_cutoff(settings, k)] if settings else list(map(parameter_text, value))
    return written(described(value) if isinstance(value, Setting) else value, how)


def in_words(value: Any, how: str) -> str:
    """A parameter in words: a number, a logarithm to that base, a table; of texts one alone, or all after `how`."""
    if how == "log":
        return "ln" if value == math.e else f"log{parameter_text(value)}"
    if isinstance(value, Mapping):
        return listed([f"{parameter_text(gain)} {how} {level}" for level, gain in value.items()], "and")
    if not isinstance(value, list):
        return parameter_text(value)
    of_two, _, of_more = how.partition("|")
    return value[0] if len(value) == 1 else f"{of_two if len(value) == 2 else of_more} {listed(value, 'and')}".lstrip()


def in_tex(value: Any, how: str) -> str:
    """A parameter in a formula: a number, a logarithm to that base; of formulas one alone, or `how` of all."""
    if how == "log":
        return r"\ln " if value == math.e else rf"\log_{{{parameter_text(value)}}}"
    if isinstance(value, list):
        return str(value[0]) if len(value) == 1 else f"{how}({', '.join(value)})"
    return parameter_text(value)


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


def parameter_text(value: Any) -> str:
    """A parameter as one writes it."""
    return f"{value:.10g}" if isinstance(value, (int, float)) else str(value)


NO_CUTOFF = "n"
"""Where there is no cutoff, the list is read to its end."""


def formula(definition: Definition) -> str:
    """What is reported of one user, as the right side of an equation."""
    text = _Formula(definition).whole
    if not definition.aggregation.settings[REPORT.name].traits.turns:
        return text
    value, also, rest = text.partition(r", \quad")
    return rf"1 - \left({value}\right){also}{rest}"


def mean_formula(definition: Definition) -> str:
    """The number that is reported, from the values m_u of the users."""
    if definition.pools:
        return "m"
    return _Formula(definition).setting(definition.aggregation.settings[AGGREGATE.name])


def symbols(definition: Definition) -> dict[str, str]:
    """What is in the formula, and what it means."""
    written = _Formula(definition)
    shared = {sign: words for sign, words in SIGNS.items() if _holds(written.whole, sign)}
    return {**shared, **definition.metric.signs, **written.signs}


def _holds(written: str, sign: str) -> bool:
    return re.search(rf"(?<![A-Za-z\\]){re.escape(sign)}(?![A-Za-z'^])", written) is not None


class _Formula:
    """The formula of one user's value, and what the settings in it add to the signs."""

    def __init__(self, definition: Definition) -> None:
        self.definition, self.metric = definition, definition.metric
        self.cutoff = cutoff_signs(definition)
        self.signs: dict[str, str] = {}

    @cached_property
    def whole(self) -> str:
        """The formula, with its expected value where ties count by these."""
        if self.definition.applied.tie_rule is not TieEffect.EXPECTED:
            return self.text
        value, also, rest = self.text.partition(r", \quad")
        self.signs["\\mathrm{E}"] = "the mean over all orders of the items of equal score"
        closed = self._filled(self.metric.expected_tex)
        if closed:
            self.signs |= {sign: words for sign, words in OF_TIES.items() if _holds(closed, sign)}
        return rf"\mathrm{{E}}\left[{value}\right]{f' = {closed}' if closed else ''}{also}{rest}"

    @cached_property
    def text(self) -> str:
        metric = self.metric
        return self._filled(metric.tex) if metric.tex else rf"\text{{{latex(metric.formula or metric.about())}}}"

    def setting(self, setting: Setting) -> str:
        """A setting in the formula; a number as it is, one that nobody wrote as LaTeX by its name."""
        convention_name, setting_type = CONVENTIONS.get(setting.convention_name), setting.setting_type
        if setting_type.tex is not None:
            self.signs |= setting_type.signs
            return self._filled(setting_type.tex, setting)
        if "value" in setting.keywords:
            return setting.text
        return (
            self._filled(convention_name.tex)
            if convention_name and convention_name.tex
            else rf"\text{{{latex(setting.text)}}}"
        )

    def _filled(self, tex: str, own: Setting | None = None) -> str:
        return TEX.sub(lambda hole: self._hole(hole[1], own), tex)

    def _hole(self, hole: str, own: Setting | None) -> str:
        hole, _, otherwise = hole.partition("|")
        name, _, how = hole.partition(":")
        given = {} if own is None else parameters(own)
        if own is not None and name in given:
            return filled(own, name, how, self.definition.k, self.setting, in_tex)
        if name in self.metric.settings:
            return _at(self.setting(self.metric.settings[name]), how)
        if name not in self.cutoff and not otherwise:
            raise no_such_hole(name, [*given, *self.metric.settings, *self.cutoff], self.metric.name)
        return self.cutoff.get(name) or otherwise or NO_CUTOFF


def _at(tex: str, where: str) -> str:
    """What is at rank j, at another rank, or (`*`) in the ideal list."""
    if where != "*":
        return tex.replace("_j", f"_{where}") if where else tex
    ideal = re.sub(r"\b([grv])_j(?=\^)", r"{\1^{*}_j}", tex)  # a power of a sign that has a star already
    return re.sub(r"\b([grv])_j", r"\1^{*}_j", ideal)
