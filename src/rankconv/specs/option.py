"""A setting to a convention: what it is called, does and says; and one that was given, with its parameters."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

from rankconv.same_code import same_code
from rankconv.specs.parameters import Parameters

Rule = Callable[..., Any]
NUMBER = "a number"
"""The name of the setting that is any number."""
NOTHING: Mapping[str, Any] = {}


@dataclass(frozen=True)
class SettingType:
    """One setting to a convention: its name, its rule, the function that carries it out."""

    name: str
    rule: str
    function: Rule = field(repr=False)
    parameters: Parameters
    cite: str = ""
    """Where it comes from: the key of a source, or the name of a preset whose sources say."""
    traits: Mapping[str, Any] = field(default_factory=dict)
    """What else the engine must know of this setting: that it needs scores, or the cutoff."""
    says: str = ""
    """What it says in a paper's sentence: a clause, or a part of one where the convention asks for a phrase."""
    no: str | None = None
    """What there is none of under a setting that changes nothing; empty where even that would say too much."""
    tex: str | None = None
    """What it is in a formula."""
    signs: Mapping[str, str] = field(default_factory=dict)
    """What the signs mean that its formula alone has."""
    paper: Mapping[str, Any] = field(default_factory=dict)
    """The source that `cite` is the key of, where no preset has it: title, authors, year, doi, url."""
    table: str = ""
    """The convention that it belongs to, or the table of settings that several conventions share."""
    named: bool = True
    """Whether text can name it: a function that a caller gave has no name that lasts, and may change what it reads."""

    def same(self, other: "SettingType") -> bool:
        """Whether both say and do the same, wherever they were written."""
        return self._stated == other._stated and same_code(self.function, other.function)

    @property
    def _stated(self) -> tuple[Any, ...]:
        words = (self.rule, self.cite, self.says, self.no, self.tex, dict(self.signs), dict(self.paper))
        return *words, self.parameters, dict(self.traits)

    @property
    def about(self) -> str:
        """The first line of its docstring."""
        return (self.function.__doc__ or "").strip().split("\n")[0]

    @property
    def json_schema(self) -> list[dict[str, Any]]:
        """The forms in which YAML gives it, each with the rule as hover text."""
        about = f"{self.rule}. {self.about}".strip(" .") + "."
        if self.name == NUMBER:
            return [{"type": "number", "description": about}]
        forms: list[dict[str, Any]] = []
        if not self.parameters.required:
            forms.append({"const": self.name, "description": about})
        if self.parameters.any:
            pattern = rf"^{re.escape(self.name)}\(.*\)$"
            forms.append({"type": "string", "pattern": pattern, "description": about})
            mapping = {"type": "object", "properties": {self.name: {}}, "required": [self.name]}
            forms.append({**mapping, "additionalProperties": False, "description": about})
        return forms


@dataclass(frozen=True, eq=False)
class Setting:
    """A setting as given: the option, its parameters, and the one spelling that all equal settings share.

    A parameter may be a setting itself, as the parts of `min(k, relevant)`.
    """

    setting_type: SettingType
    text: str
    arguments: tuple[Any, ...]
    keywords: Mapping[str, Any]
    reads: tuple[str, ...]
    """The data that it and the settings in it read."""
    convention_name: str = ""
    """The convention that it was given to."""
    parts: "tuple[Setting, ...]" = ()
    """The settings that it carries out in turn, where it is several: `with-unretrieved + padded`."""

    @property
    def each(self) -> "tuple[Setting, ...]":
        """Its parts, or itself alone."""
        return self.parts or (self,)

    @cached_property
    def inner(self) -> "tuple[Setting, ...]":
        """The settings that are its parameters."""
        return tuple(one for one in (*self.arguments, *self.keywords.values()) if isinstance(one, Setting))

    @property
    def whole(self) -> "Iterator[Setting]":
        """The setting itself, and all that it carries out or that stand in it."""
        yield self
        for one in (*self.parts, *self.inner):
            yield from one.whole

    @property
    def changes_nothing(self) -> bool:
        """Whether nothing is done under it: a paper says that there is none of something, or is silent."""
        return self.setting_type.no is not None

    def trait(self, name: str, otherwise: Any = None) -> Any:
        """What else is known of it under this name."""
        return self.setting_type.traits.get(name, otherwise)

    def __call__(self, **data: Any) -> Any:
        """Carry the setting out; of the data it gets what its function reads.

        A parameter that is a setting comes as a function without arguments, which carries it out on the same data.
        """
        wanted = [data[name] for name in self.setting_type.parameters.data]
        if not self.inner:
            return self.setting_type.function(*wanted, *self.arguments, **self.keywords)
        arguments = [_ready(value, data) for value in self.arguments]
        return self.setting_type.function(
            *wanted, *arguments, **{name: _ready(value, data) for name, value in self.keywords.items()}
        )


def _ready(value: Any, data: Mapping[str, Any]) -> Any:
    """A parameter as a function gets it."""
    return partial(value, **data) if isinstance(value, Setting) else value


@dataclass(frozen=True)
class InTurn:
    """Carries out its parts one after another, on the same data."""

    parts: tuple[Setting, ...]

    def __call__(self, **data: Any) -> None:
        for part in self.parts:
            part(**data)


def in_turn(parts: tuple[Setting, ...], reads: tuple[str, ...]) -> Setting:
    """The setting that is these ones in turn; what is known of one of them is known of it."""
    text, rule = " + ".join(part.text for part in parts), ", then ".join(part.setting_type.rule for part in parts)
    setting_type = SettingType(
        text, rule, InTurn(parts), Parameters(reads, ()), traits=_traits([part.setting_type.traits for part in parts])
    )
    return Setting(setting_type, text, (), {}, reads, parts[0].convention_name, parts)


def _traits(known: list[Mapping[str, Any]]) -> dict[str, Any]:
    """What all parts have in common, and what is true of one of them; a list is left as it is where all parts do so."""
    merged: dict[str, Any] = {"plain": ", ".join(str(one.get("plain", "never")) for one in known)}
    for name in dict.fromkeys(name for one in known for name in one if name not in ("plain", "when", "needs")):
        values = [one.get(name) for one in known]
        if all(value == values[0] for value in values):
            merged[name] = values[0]
        elif name != "rises" and True in values:
            merged[name] = True
    return merged
