"""A table of settings to one convention, or to several that share it: each is registered here under its name."""

import math
from collections import ChainMap
from collections.abc import Callable, Mapping, MutableMapping
from typing import Any

from rankconv.errors import ConventionError
from rankconv.plugins import place_of
from rankconv.specs.mattering import ALIKE, IDLE, Idle, Told
from rankconv.specs.option import NOTHING, NUMBER, Rule, SettingType
from rankconv.specs.parameters import Parameters


class Registry:
    """Counts registrations, so that whoever keeps what was made from the registered can tell when it is old."""

    generation = 0

    @classmethod
    def changed(cls) -> None:
        """Something was registered."""
        cls.generation += 1


RENAME = "Give this {} another name, with the plugin's in front, or load one of the two."


class Table:
    """The answers that are registered under their names, for one convention or for all that share them."""

    def __init__(
        self, name: str, reads: tuple[str, ...], options_of: "Table | None", closed: bool, module: str
    ) -> None:
        self.name, self.module, self.shares = name, module, options_of
        self.reads: tuple[str, ...] = reads or (options_of.reads if options_of else ())
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

        `rule` is what it does, in a few words; `says` what a paper says of it, and `tex` what stands for it in the
        metric's formula, whose new `signs` are explained. Parameters stand in their places: {base}, in TeX «base».
        {base:log} is the logarithm to it, {levels:for grade} a table, {of:the lesser of|the least of} a list,
        {epsilon:? plus } nothing unless it was given; {value} is the answer itself, and {k}, {here}, {rank} and others
        are words of the cutoff. A setting that changes nothing has `no` in place of `says`: "rounding of scores".
        Without any of these a paper gets the rule. `cite` is the key of a source of presets, of a preset, or of `paper`
        (title, authors, year, doi, url).

        A ConventionError where another module has taken the name already for something else; one that says and does
        the same, as where two plugins ship one setting, is left as it is.

        >>> import rankconv as rc
        >>> GAIN = rc.convention("gain")
        >>> @GAIN.setting("root", rule="sqrt(g)", says="an item of grade g gains sqrt(g)", tex=r"\sqrt{g_j}")
        ... def _(grades): return grades**0.5
        >>> rc.cite("cg(gain=root)@3").cited[0].formula
        'm = \\mathrm{E}\\left[\\sum_{j=1}^{3} \\sqrt{g_j}\\right]'
        >>> del GAIN.setting_types["root"]
        """

        def register(function: Rule) -> Rule:
            self._check_open(name, function)
            parameters = Parameters.of(function, self.reads)
            made = SettingType(name, rule, function, parameters, cite, traits, says, no, tex, signs, paper, self.name)
            if not self._known_elsewhere(made):
                self.setting_types[name] = made
                Registry.changed()
            return function

        return register

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
            wrong = f"'{made.name}' already answers {self.name}, in {where}: {known.rule}"
            raise ConventionError(f"{wrong}; this one says: {made.rule}", do=RENAME.format("setting"))
        return True

    def number(
        self, *, rule: str, least: float = -math.inf, most: float = math.inf, **traits: Any
    ) -> Callable[[Rule], Rule]:
        """Decorator: a number, in this range, is a setting too; the function gets it as `value`."""
        return self.setting(NUMBER, rule=rule, least=least, most=most, **traits)

    def also(self, **words: str) -> None:
        """These words of texts are understood as these settings.

        >>> import rankconv as rc
        >>> rc.convention("discount")("ln").text, rc.convention("ap-denominator")("min(k, gamma)").text
        ('log(base=e)', 'min(k, relevant)')
        """
        self.words.update(words)
        Registry.changed()

    def idle(self, because: str, by: str = "") -> Callable[[Callable[[Told], bool]], Callable[[Told], bool]]:
        """Decorator: this function says beside which other answers the one to this convention cannot change a number.

        `because` is the reason, `by` the convention whose answer makes it so. A law of the tests turns every idle
        answer.

        >>> import rankconv as rc
        >>> rc.metric("mllib:ndcg@3").idle()["ties"]
        'the list is not ordered by score'
        """

        def register(function: Callable[[Told], bool]) -> Callable[[Told], bool]:
            IDLE.setdefault(self.name, {})[because] = Idle(because, by, function)
            Registry.changed()
            return function

        return register

    def alike(self, function: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
        """Decorator: this function says whether two definitions are bound to agree here, on the data at hand.

        Each comes as `rankconv.preparation.on_data.OnData`: its settings, and what the data hold.
        """
        ALIKE[self.name] = function
        return function

    @property
    def names(self) -> list[str]:
        """The settings as one would list them, in the order in which they were registered."""
        own = self.setting_types.maps[::-1] if isinstance(self.setting_types, ChainMap) else [self.setting_types]
        return [setting_type.parameters.shown(setting_type.name) for table in own for setting_type in table.values()]
