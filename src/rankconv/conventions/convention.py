"""A convention: one point on which systems differ, and its named settings.

From this one place come validation, the error texts, the JSON Schema, `show` and the tables of the README.
"""

import math
import sys
from collections.abc import Callable, Mapping, MutableMapping
from functools import lru_cache
from typing import Any, ClassVar

from rankconv.basics.errors import ConventionError, RankconvError, likely, nearest, not_among, unknown
from rankconv.basics.plugins import place_of
from rankconv.basics.registries import LazyRegistry
from rankconv.conventions.custom_setting import CUSTOM, CustomText, FunctionOf, custom_option, no_function, not_in_text
from rankconv.conventions.parameters import NUMBER, Setting, SettingType, call_text, in_turn
from rankconv.conventions.setting_table import Context, Registry, SettingTable, rename
from rankconv.conventions.spec import (
    OUT_OF_BOUNDS,
    check_depth,
    in_bounds,
    number_text,
    parts_between,
    read_call,
    read_number,
    text_of,
)
from rankconv.conventions.traits import Traits

__all__ = [
    "CONVENTIONS",
    "NUMBER",
    "TABLES",
    "Context",
    "Convention",
    "Registry",
    "Setting",
    "SettingType",
    "unknown_convention",
]


class Conventions(LazyRegistry["Convention"]):
    """Every convention by its name, which is unique over the whole package.

    >>> import rankconv as rc
    >>> rc.convention("normalization").names
    ['max', 'min-max']
    """

    def __repr__(self) -> str:
        return "\n".join(f"{name}: {convention.description}" for name, convention in self.items())

    def __init__(self) -> None:
        super().__init__()
        self.makers: list[Callable[[str], None]] = []
        """Each registers the convention of this name, where it follows from others: `on-no-labels-and-on-no-hits`."""

    def make(self, *names: str) -> None:
        """Register those of these names that follow from conventions that there are."""
        for name in names:
            for make in self.makers if name not in self else ():
                make(name)

    def __getitem__(self, name: str) -> "Convention":
        """A convention, or a table that several share, such as `divisor`: a setting added to it holds for each."""
        if name not in self and name not in TABLES:
            self.make(name)
        found: Convention | None = self.get(name) or TABLES.get(name)
        if found is None:
            raise unknown_convention(name)
        return found

    def __reduce__(self) -> str:
        """In another process it is the registry there."""
        return "CONVENTIONS"


CONVENTIONS = Conventions()
TABLES: "LazyRegistry[Convention]" = LazyRegistry()
"""The tables of settings that several conventions share, by name."""


def unknown_convention(name: str) -> RankconvError:
    """The error for a word that is no convention; it may be a setting."""
    taken = [
        convention_name
        for convention_name, convention in CONVENTIONS.items()
        if name in {*convention.setting_types, *convention.words}
    ]
    if taken:
        few = ", ".join(taken[:5])
        return ConventionError(f"'{name}' is not a convention, but a setting", do=f"It is a setting of {few}")
    return not_among(
        "convention", name, likely(name, CONVENTIONS), ("rc.list_conventions()", "rankconv list conventions")
    )


class Convention(SettingTable):
    """A convention with named settings.

    `reads` names the data that the settings' functions may ask for, each by naming a parameter so;
    every other parameter of such a function is a parameter of the setting. A convention that a plugin adds
    states its `neutral` setting here; those of the package stand in `conventions/base.yaml`.
    With `is_table=True` it is no convention of its own but a table of settings that several conventions share; `closed`
    are conventions whose settings the engine acts on by name, so that a plugin cannot add one that would be ignored.

    Fields of a convention: `tells`, the data that would distinguish its settings ("tied scores"); `phrase`, that
    the words of its settings are a part of a sentence ("the number of relevant labels") and no clause; `subject`, what
    represents {subject} in them; `tex`, what is in formulas for a setting without one. What cannot matter is left
    out of a paper, unless the formula shows it anyway (`shown_idle`). `function_of` says of which data a plain function
    may be given for a setting, `gain=lambda g: g**2`; without it none may. Settings that `combine` may be given several
    at once, as a list or as `with-unretrieved + padded`, and are then carried out in that order. `traits` is the class
    of what settings state besides their function, where they state more than `Traits` has. What is no convention on a
    metric, but one on how data are divided, is in a `registry` of its own.

    >>> GREETING = Convention("greeting", "Form of a greeting", reads=("person",), neutral="plain")
    >>> @GREETING.setting("plain", rule="the name")
    ... def _(person): return person
    >>> @GREETING.setting("loud", rule="the name, n exclamation marks")
    ... def _(person, *, marks: int): return person + "!" * marks
    >>> GREETING("loud(marks=2)")(person="Ada")
    'Ada!!'
    >>> del CONVENTIONS["greeting"]
    """

    shown: ClassVar[Callable[["Convention"], str]] = repr
    """How it is printed; `rc.convention` prints with it which presets have which setting, which presets alone know."""

    def __init__(
        self,
        name: str,
        description: str,
        *,
        reads: tuple[str, ...] = (),
        options_of: "Convention | None" = None,
        noun: str = "",
        neutral: str | None = None,
        is_table: bool = False,
        closed: bool = False,
        tells: str = "",
        phrase: bool = False,
        subject: str = "",
        tex: str = "",
        shown_idle: bool = False,
        function_of: FunctionOf | None = None,
        combine: bool = False,
        traits: type[Traits] | None = None,
        module: str = "",
        registry: "MutableMapping[str, Convention] | None" = None,
    ) -> None:
        super().__init__(
            name, reads, options_of, closed, module or sys._getframe(1).f_globals.get("__name__", ""), traits
        )
        self.description, self.neutral = description, neutral
        self.noun = noun or f"known setting of '{name}'"
        shared_tells = options_of.tells if options_of else f"a user with a value that {name} changes"
        self.tells: str = tells or shared_tells
        self.phrase: bool = phrase or bool(options_of and options_of.phrase)
        self.subject, self.tex, self.shown_idle = subject, tex, shown_idle
        self.function_of: FunctionOf | None = function_of or (options_of.function_of if options_of else None)
        self.combine = combine
        self.unclear: dict[str, str] = {}
        """Words of texts that may mean several settings, and which."""
        self._settings: dict[str, Setting] = {}
        self._generation = Registry.generation
        self._register(registry if registry is not None else TABLES if is_table else CONVENTIONS)

    def _register(self, registry: MutableMapping[str, "Convention"]) -> None:
        if isinstance(registry, LazyRegistry):
            known = registry.known_to(self.module, self.name)
        else:
            known = registry.get(self.name)
        if known is not None and known.module != self.module:
            raise ConventionError(
                f"the convention '{self.name}' is already the convention of {place_of(known.module)}",
                do=rename("convention", known.module),
            )
        registry[self.name] = self

    def __call__(self, given: Any) -> Setting:
        """The setting given by this text, number or function; ConventionError for an unknown one."""
        if isinstance(given, CustomText) or (callable(given) and not isinstance(given, type)):
            return _custom_setting(self, given if isinstance(given, CustomText) else CustomText(given))
        several = self.combine and isinstance(given, (list, tuple)) and given
        try:
            text = " + ".join(map(text_of, given)) if several else text_of(given)
        except ConventionError as error:
            raise error.at(f"'{self.name}'").replace(allowed=f"Choose one of: {', '.join(self.names)}") from None
        if self._generation != Registry.generation:
            self._settings, self._generation = {}, Registry.generation
        known = self._settings  # another thread may begin anew
        if text not in known:
            setting = self._read(text)
            known[text] = known.setdefault(setting.text, setting)
        return known[text]

    def _read(self, text: str) -> Setting:
        check_depth(text)
        parts = parts_between("+", text)
        if len(parts) > 1 and self.combine:
            return self._in_turn([self._read(part) for part in parts])
        text = self.words.get(text, text)
        value = read_number(text)
        if value is not None and NUMBER in self.setting_types:
            self._check_range(value, self.setting_types[NUMBER])
            return self._setting(self.setting_types[NUMBER], number_text(value), (), {"value": value})
        name, arguments, keywords = read_call(text)
        if name not in self.setting_types or name == NUMBER:
            raise self._not_a_setting(text, name)
        setting_type = self.setting_types[name]
        try:
            bound = setting_type.parameters.bind(arguments, keywords, self)
        except RankconvError:
            raise
        except ValueError as problem:
            shown = setting_type.parameters.shown(name)
            raise ConventionError(
                f"'{text}' is not a setting of '{self.name}': {problem}", do=f"Write {shown}."
            ) from None
        return self._setting(setting_type, call_text(name, bound), bound.positional, bound.by_name)

    def _in_turn(self, parts: list[Setting]) -> Setting:
        """The settings in turn; those that change nothing say nothing besides others."""
        changing = tuple(part for part in parts if not part.changes_nothing) or (parts[0],)
        return changing[0] if len(changing) == 1 else in_turn(changing, self.reads)

    def _setting(
        self, setting_type: SettingType, text: str, arguments: tuple[Any, ...], keywords: Mapping[str, Any]
    ) -> Setting:
        parts = [part for part in (*arguments, *keywords.values()) if isinstance(part, Setting)]
        reads = dict.fromkeys([*setting_type.parameters.data, *(name for part in parts for name in part.reads)])
        return Setting(setting_type, text, arguments, keywords, tuple(reads), self.name)

    def _check_range(self, value: float, setting_type: SettingType) -> None:
        allowed_range = setting_type.traits.range
        if allowed_range and not allowed_range.least <= value <= allowed_range.most:
            least, most = allowed_range
            allowed = f"It must be at least {least:g}" + (f" and at most {most:g}" if most < math.inf else "")
            raise ConventionError(f"{number_text(value)} is not a setting of '{self.name}'", allowed=allowed)
        if not in_bounds(value):
            raise ConventionError(f"{value:g} is not a setting of '{self.name}'", allowed=OUT_OF_BOUNDS)

    def _not_a_setting(self, text: str, name: str) -> ConventionError:
        error = unknown(self.noun, text, self.names)
        symbols = {one.rule.partition(",")[0]: one.name for one in self.setting_types.values()}
        names = [setting_type.name for setting_type in self.setting_types.values() if setting_type.name != NUMBER]
        error.nearest = symbols.get(name, "") or nearest(name, names)
        do = not_in_text(self.name) if name == CUSTOM and self.function_of else self.unclear.get(name.casefold(), "")
        return ConventionError(error.wrong, allowed=error.allowed, nearest=error.nearest, do=do)

    def validate(self, given: Any) -> str:
        """The one spelling of this setting."""
        return self(given).text

    def __repr__(self) -> str:
        return f"{self.name}: {self.description}"

    def __str__(self) -> str:
        return type(self).shown(self)

    @property
    def json_schema(self) -> dict[str, Any]:
        """`oneOf` all settings, each with its rule as hover text."""
        forms = [form for setting_type in self.setting_types.values() for form in setting_type.json_schema]
        if self.combine:
            several = "Several of these, carried out in this order."
            forms.append({"type": "string", "pattern": r"\s\+\s", "description": several})
            forms.append({"type": "array", "minItems": 1, "description": several})
        return {"description": self.description, "oneOf": forms}


@lru_cache(maxsize=256)
def _custom_setting(convention: Convention, text: CustomText) -> Setting:
    """The setting that a function is: one, for all definitions that have it."""
    if convention.function_of is None:
        taking = [name for name, one in CONVENTIONS.items() if one.function_of]
        raise no_function(convention.name, convention.names, taking)
    setting_type = custom_option(text, convention.name, convention.function_of, convention.traits)
    return Setting(setting_type, text, (), {}, setting_type.parameters.data, convention.name)
