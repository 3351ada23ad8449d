"""The formula of a definition in LaTeX: of one user's value, and of the number that is reported."""

import re
from functools import cached_property

from rankconv.aggregation.means import MEAN, REPORTED
from rankconv.citing.filling import TEX, cutoff_signs, filled, in_tex, no_such_hole, parameters
from rankconv.escaping import latex
from rankconv.metrics.notation import OF_TIES, SIGNS
from rankconv.preparation.ties import TieEffect
from rankconv.presets.definition import Definition
from rankconv.specs.convention import CONVENTIONS, Setting

NO_CUTOFF = "n"
"""Where there is no cutoff, the list is read to its end."""


def formula(definition: Definition) -> str:
    """What is reported of one user, as the right side of an equation."""
    text = _Formula(definition).whole
    if not definition.aggregation.settings[REPORTED.name].trait("turns"):
        return text
    value, also, rest = text.partition(r", \quad")
    return rf"1 - \left({value}\right){also}{rest}"


def mean_formula(definition: Definition) -> str:
    """The number that is reported, from the values m_u of the users."""
    if definition.pools:
        return "m"
    return _Formula(definition).setting(definition.aggregation.settings[MEAN.name])


def symbols(definition: Definition) -> dict[str, str]:
    """What stands in the formula, and what it means."""
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
        """A setting in the formula; a number as it stands, one that nobody wrote as LaTeX by its name."""
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
    """What stands at rank j, at another rank, or (`*`) in the ideal list."""
    if where != "*":
        return tex.replace("_j", f"_{where}") if where else tex
    ideal = re.sub(r"\b([gr])_j(?=\^)", r"{\1^{*}_j}", tex)  # a power of a sign that has a star already
    return re.sub(r"\b([gr])_j", r"\1^{*}_j", ideal)
