"""Tables of settings, and when a convention matters."""

import math
from collections import ChainMap
from collections.abc import Callable, Mapping, MutableMapping
from typing import Any, NamedTuple

from rankconv.basics.errors import ConventionError, nearest
from rankconv.basics.plugins import place_of
from rankconv.conventions.data_parts import is_own
from rankconv.conventions.parameters import NOTHING, NUMBER, Parameters, Rule, Setting, SettingType
from rankconv.conventions.traits import Range, Traits


class Context(NamedTuple):
    """The settings of a definition or of one part of it, as far as they are given."""

    settings: Mapping[str, Setting]
    k: int | None = None
    """The cutoff of the metric."""
    metric: Any = None
    """The class of the metric."""

    def traits(self, convention_name: str) -> Traits:
        """What is stated of the setting of a convention; nothing where none is given."""
        setting = self.settings.get(convention_name)
        return Traits.none() if setting is None else setting.setting_type.traits


class Idle(NamedTuple):
    """With which other settings the one to a convention cannot matter."""

    because: str
    """The reason: "the list is not ordered by score"; empty where it goes without saying."""
    by: str
    """The convention whose setting makes it so, `k` for the cutoff; empty where none does."""
    holds: Callable[[Context], bool]

    @property
    def by_setting(self) -> bool:
        """Whether another setting makes it so."""
        return self.by not in ("", "k")


IDLE: dict[str, dict[str, Idle]] = {}
"""By convention, and by reason."""
EQUIVALENCE: dict[str, Callable[[Any, Any], bool]] = {}
"""By convention, whether two definitions are bound to agree on it on the data at hand."""


def idle(context: Context) -> dict[str, Idle]:
    """The conventions whose settings cannot matter, each with what makes it so."""
    rules = (
        (convention_name, rule)
        for convention_name in context.settings
        if convention_name in IDLE
        for rule in IDLE[convention_name].values()
    )
    return {convention_name: rule for convention_name, rule in rules if rule.holds(context)}


def is_idle(convention_name: str, context: Context) -> bool:
    """Whether the setting of this convention cannot matter."""
    return any(rule.holds(context) for rule in IDLE.get(convention_name, {}).values())


def equivalent(convention_name: str, ours: Any, other: Any) -> bool:
    """Whether the settings of two definitions to this convention are bound to agree on the data at hand."""
    return convention_name in EQUIVALENCE and EQUIVALENCE[convention_name](ours, other)


class Registry:
    """Counts registrations, so that whoever keeps what was made from the registered can tell when it is old."""

    generation = 0

    @classmethod
    def changed(cls) -> None:
        """Something was registered."""
        cls.generation += 1


KEYWORDS = ("rule", "cite", "says", "no", "tex", "signs", "paper")
"""What the decorator of a setting takes besides traits."""


def rename(kind: str, taken_by: str) -> str:
    """What to do where another module has the name of a setting, a convention or a metric."""
    other = "" if is_own(taken_by) else ", or load one of the two plugins"
    return f"Give this {kind} another name, with the plugin's in front{other}."


class SettingTable:
    """The settings that are registered under their names, for one convention or for all that share them."""

    def __init__(
        self,
        name: str,
        reads: tuple[str, ...],
        options_of: "SettingTable | None",
        closed: bool,
        module: str,
        traits: type[Traits] | None,
    ) -> None:
        self.name, self.module, self.shares = name, module, options_of
        self.reads: tuple[str, ...] = reads or (options_of.reads if options_of else ())
        self.traits: type[Traits] = traits or (options_of.traits if options_of else Traits)
        """What may be stated of its settings."""
        self.closed: bool = closed or bool(options_of and options_of.closed)
        self.setting_types: MutableMapping[str, SettingType] = (
            ChainMap({}, options_of.setting_types) if options_of else {}
        )
        self.words: MutableMapping[str, str] = ChainMap({}, options_of.words if options_of else {})
        """What texts write in place of a setting: `ln` is `log(base=e)`."""

    def setting(
        self,
        name: str,
        *,
        rule: str,
        cite: str = "",
        says: str = "",
        no: str | None = None,
        tex: str | None = None,
        signs: Mapping[str, str] = NOTHING,
        paper: Mapping[str, Any] = NOTHING,
        **traits: Any,
    ) -> Callable[[Rule], Rule]:
        r"""Decorator: this function is the setting of that name.

        `rule` is what it does, in a few words; `says` what a paper says of it, and `tex` what represents it in the
        metric's formula, whose new `signs` are explained. Parameters stand in their places: {base}, in TeX «base».
        {base:log} is the logarithm to it, {levels:for grade} a table, {of:the lesser of|the least of} a list,
        {epsilon:? plus } nothing unless it was given; {value} is the setting itself, and {k}, {here}, {rank} and others
        are words of the cutoff. A setting that changes nothing has `no` in place of `says`: "rounding of scores".
        Without any of these a paper gets the rule. `traits` are fields of `rankconv.plugin.Traits`, or of the
        convention's own class of traits. `cite` is the key of a source of presets, of a preset, or of `paper`
        (title, authors, year, doi, url).

        A ConventionError where another module has taken the name already for something else; one that says and does
        the same, as where two plugins ship one setting, is left as it is. Also where a trait is not declared, or its
        value is of another type.

        >>> import rankconv as rc
        >>> GAIN = rc.convention("gain")
        >>> @GAIN.setting("root", rule="sqrt(g)", says="an item of grade g gains sqrt(g)", tex=r"\sqrt{g_j}")
        ... def _(grades): return grades**0.5
        >>> rc.cite("cg(gain=root)@3").cited[0].formula
        'm = \\mathrm{E}\\left[\\sum_{j=1}^{3} \\sqrt{g_j}\\right]'
        >>> del GAIN.setting_types["root"]
        """

        self.traits.check(f"the setting '{name}' of '{self.name}'", traits, KEYWORDS)
        stated = self.traits(**traits) if traits else self.traits.none()

        def register(function: Rule) -> Rule:
            self._check_open(name, function)
            parameters = Parameters.of(function, self.reads)
            self._check_types(name, parameters)
            made = SettingType(name, rule, function, parameters, cite, stated, says, no, tex, signs, paper, self.name)
            if not self._known_elsewhere(made):
                self.setting_types[name] = made
                Registry.changed()
            return function

        return register

    def _check_types(self, name: str, parameters: Parameters) -> None:
        """A ConventionError for a parameter that the convention does not read, and that has no type of a user's."""
        for odd in (one.name for one in parameters.own if one.name not in parameters.types):
            raise ConventionError(
                f"the setting '{name}' of '{self.name}' has a parameter '{odd}' without a type",
                allowed=f"Settings of '{self.name}' read {', '.join(self.reads)}" if self.reads else "",
                nearest=nearest(odd, self.reads),
                do=f"Rename it, or give the parameter of a user a type: {odd}: Annotated[float, Within(0, 1)]",
            )

    def _check_open(self, name: str, function: Rule) -> None:
        if self.closed and function.__module__ != self.module:
            raise ConventionError(
                f"'{name}' cannot be added to the settings of '{self.name}', which the engine knows by name",
                allowed=f"They are: {', '.join(self.names)}",
            )

    def _known_elsewhere(self, made: SettingType) -> bool:
        """Whether another module has registered the same; a ConventionError where it means something else."""
        known = self.setting_types.get(made.name)
        if known is None or known.function.__module__ == made.function.__module__:
            return False
        if not made.same(known):
            where = place_of(known.function.__module__)
            wrong = f"'{made.name}' is already a setting of {self.name}, in {where}: {known.rule}"
            raise ConventionError(
                f"{wrong}; this one says: {made.rule}", do=rename("setting", known.function.__module__)
            )
        return True

    def number(
        self, *, rule: str, least: float = -math.inf, most: float = math.inf, **traits: Any
    ) -> Callable[[Rule], Rule]:
        """Decorator: a number, in this range, is a setting too; the function gets it as `value`."""
        return self.setting(NUMBER, rule=rule, range=Range(least, most), **traits)

    def also(self, **words: str) -> None:
        """These words of texts are understood as these settings.

        >>> import rankconv as rc
        >>> rc.convention("discount")("ln").text, rc.convention("ap-denominator")("min(k, gamma)").text
        ('log(base=e)', 'min(k, relevant)')
        """
        self.words.update(words)
        Registry.changed()

    def idle(self, because: str, by: str = "") -> Callable[[Callable[[Context], bool]], Callable[[Context], bool]]:
        """Decorator: this function says with which other settings the one to this convention cannot change a number.

        `because` is the reason, `by` the convention whose setting makes it so. A law of the tests turns every idle
        setting.

        >>> import rankconv as rc
        >>> rc.metric("mllib:ndcg@3").idle()["ties"]
        'the list is not ordered by score'
        """

        def register(function: Callable[[Context], bool]) -> Callable[[Context], bool]:
            IDLE.setdefault(self.name, {})[because] = Idle(because, by, function)
            Registry.changed()
            return function

        return register

    def equivalent(self, function: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
        """Decorator: this function says whether two definitions are bound to agree here, on the data at hand.

        Each comes as `rankconv.preparation.facts.OnData`: its settings, and what the data hold.
        """
        EQUIVALENCE[self.name] = function
        return function

    @property
    def names(self) -> list[str]:
        """The settings as one would list them, in the order in which they were registered."""
        own = self.setting_types.maps[::-1] if isinstance(self.setting_types, ChainMap) else [self.setting_types]
        return [setting_type.parameters.shown(setting_type.name) for table in own for setting_type in table.values()]
