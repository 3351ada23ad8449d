"""Settings with parameters, and how these are read from text."""

import inspect
import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from rankconv.basics.registries import Ordered, same_code
from rankconv.conventions.data_parts import DataPart, parts_read
from rankconv.conventions.spec import OUT_OF_BOUNDS, in_bounds, number_text, read_number
from rankconv.conventions.traits import Traits
from rankconv.conventions.traits import in_turn as traits_in_turn


class Mark(ABC):
    """Says in an annotation how a parameter is read."""

    @abstractmethod
    def read(self, name: str, text: str, *, whole: bool) -> Any:
        """The value that this text is; a ValueError or ConventionError for what is none."""


class Base(Mark):
    """Marks a parameter that is the base of a logarithm: a number above 1, or `e`."""

    def read(self, name: str, text: str, *, whole: bool) -> float:
        value = math.e if text == "e" else read_number(text)
        if value is None or value <= 1:
            raise ValueError(f"'{text}' is not a base: it must be e or a number above 1")
        return _bounded("base", value, text)


@dataclass(frozen=True)
class Above(Mark):
    """Marks a parameter that is a number above this one."""

    limit: float

    def read(self, name: str, text: str, *, whole: bool) -> float:
        value = _bounded(name, _read_number(name, text, whole), text)
        if value <= self.limit:
            raise ValueError(f"{name} must be above {self.limit:g}, not '{text}'")
        return value


@dataclass(frozen=True)
class Within(Mark):
    """Marks a parameter that is a number from `least` to `most`."""

    least: float
    most: float

    def read(self, name: str, text: str, *, whole: bool) -> float:
        value = _read_number(name, text, whole)
        if not self.least <= value <= self.most:
            bounds = f"{number_text(self.least)} to {number_text(self.most)}"
            raise ValueError(f"{name} must be from {bounds}, not '{text}'")
        return value


@dataclass(frozen=True)
class OfWords(Within):
    """Marks a table from words to numbers from `least` to `most`: `numbers(vital=2, okay=1)`."""


@dataclass(frozen=True)
class InOrder(Mark):
    """Marks parameters whose order counts: names of a registry, at least so many, each of them once."""

    of: Ordered[Any]
    least: int = 1

    def read(self, name: str, text: str, *, whole: bool) -> str:
        self.of.check_known(text)
        return text


LogBase = Annotated[float, Base()]
_STARRED = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS


@dataclass(frozen=True)
class Bound:
    """The parameters of one setting, checked and converted."""

    positional: tuple[Any, ...]
    by_name: Mapping[str, Any]
    shown: tuple[str, ...]
    """As they are written in the setting's one spelling."""


def call_text(name: str, bound: Bound) -> str:
    """A setting in its one spelling."""
    return f"{name}({', '.join(bound.shown)})" if bound.shown else name


@dataclass(frozen=True)
class Parameters:
    """What a setting's function reads, and what the user may say in parentheses."""

    data: tuple[str, ...]
    own: tuple[inspect.Parameter, ...]
    types: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, function: Callable[..., Any], reads: tuple[str, ...]) -> "Parameters":
        """Taken from the signature: what is named as the choice's data is data, the rest is the user's."""
        code = getattr(function, "__code__", None)
        if code is not None and not (code.co_kwonlyargcount or code.co_flags & _STARRED):
            names = code.co_varnames[: code.co_argcount]
            if all(name in reads or name == "value" for name in names):  # most settings, and a signature takes long
                return cls(tuple(name for name in names if name in reads), ())
        signed = inspect.signature(function).parameters.values()
        data = tuple(p.name for p in signed if p.name in reads)
        own = tuple(p for p in signed if p.name not in reads and p.name != "value")
        types = get_type_hints(function, include_extras=True) if own else {}
        return cls(data, own, types)

    @property
    def any(self) -> bool:
        """Whether the setting takes parameters at all."""
        return bool(self.own)

    @property
    def required(self) -> bool:
        """Whether the bare name is no setting."""
        return any(p.default is p.empty for p in self.own)

    def shown(self, name: str) -> str:
        """The setting with its parameters as a list of settings shows it: `log(base=…)`, `min(…)`."""
        inside = [f"{p.name}=…" if p.kind is p.KEYWORD_ONLY else "…" for p in self.own if p.default is p.empty]
        return f"{name}({', '.join(inside)})" if inside else name

    def bind(self, positional: list[str], named: dict[str, str], preset: Any = None) -> Bound:
        """Convert what the user wrote; a ValueError says what does not fit.

        `preset` is the convention: a parameter that is a setting from its table may be one of its own settings too.
        """
        left, rest = list(positional), dict(named)
        values: dict[str, Any] = {}
        shown: list[str] = []
        extra: tuple[Any, ...] = ()
        for p in self.own:
            if p.kind is p.VAR_POSITIONAL:
                extra, left = self._several(p.name, left, preset), []
                shown += [_shown(value) for value in extra]
            elif p.kind is p.VAR_KEYWORD:
                table = {name: self._convert(p.name, text, preset) for name, text in rest.items()}
                levels = _of_words(table) if isinstance(self._mark(p.name), OfWords) else _levels(table)
                values, rest = values | levels, {}
                shown += [f"{name}={_shown(value)}" for name, value in levels.items()]
            elif (text := _taken(p, left, rest)) is not None:
                value = self._convert(p.name, text, preset)
                if p.default is p.empty or value != p.default:  # equal settings hold the same, however written
                    values[p.name] = value
                    shown.append(self._spelled(p, value, values))
        if left or rest:
            raise ValueError(f"it takes no parameter '{(left or list(rest))[0]}'")
        if not extra and any(p.kind is p.VAR_POSITIONAL for p in self.own):
            raise ValueError("it needs at least one part")
        return Bound(extra, values, tuple(shown))

    def _several(self, name: str, given: list[str], preset: Any) -> tuple[Any, ...]:
        """Parameters of one name: sorted, each once; where their order counts, as they were given."""
        values = [self._convert(name, text, preset) for text in given]
        mark = self._mark(name)
        if not isinstance(mark, InOrder):
            each = {_shown(value): value for value in values}
            return tuple(each[text] for text in sorted(each))
        for value in values:
            if values.count(value) > 1:
                raise ValueError(f"it names {value} twice")
        if len(values) < mark.least:
            raise ValueError(f"it needs at least {mark.least} names")
        return tuple(values)

    def _spelled(self, p: inspect.Parameter, value: Any, given: Mapping[str, Any]) -> str:
        """A parameter as it is written: by its place where none before it is left out, else by its name."""
        by_place = p.kind is p.POSITIONAL_OR_KEYWORD
        by_place &= all(one.name in given for one in self.own[: self.own.index(p)])
        text = "e" if value == math.e and isinstance(self._mark(p.name), Base) else _shown(value)
        return text if by_place else f"{p.name}={text}"

    def _convert(self, name: str, text: str, preset: Any) -> Any:
        kind, mark = self.types.get(name, str), self._mark(name)
        if mark is not None:
            of = get_args(kind)[0]
            if isinstance(mark, Mark):
                return mark.read(name, text, whole=of is int)
            setting = _setting(mark, text, preset)
            return setting.text if of is str else setting
        if get_origin(kind) is Literal:
            if text not in get_args(kind):
                raise ValueError(f"'{text}' is not one of: {', '.join(get_args(kind))}")
            return text
        return text if kind is str else _bounded(name, _read_number(name, text, whole=kind is int), text)

    def _mark(self, name: str) -> Any:
        """How a parameter is read, or the convention whose settings it takes; None for plain types."""
        kind = self.types.get(name, str)
        return get_args(kind)[1] if get_origin(kind) is Annotated else None


def _taken(p: inspect.Parameter, left: list[str], rest: dict[str, str]) -> str | None:
    """The text of a parameter, taken out of those that are left; None where its default holds."""
    if p.name in rest:
        return rest.pop(p.name)
    if left and p.kind is p.POSITIONAL_OR_KEYWORD:
        return left.pop(0)
    if p.default is p.empty:
        raise ValueError(f"it needs {p.name}")
    return None


def _setting(table: Any, text: str, preset: Any) -> Any:
    """A setting from this table, or one that only its own convention knows; it may read no more than the table."""
    setting = (preset if preset is not None and preset.shares is table else table)(text)
    if setting.traits.never_inside:
        raise ValueError(f"'{text}' cannot be inside it: {setting.traits.never_inside}")
    more = [name for name in setting.reads if name not in table.reads]
    if more:
        raise ValueError(f"'{text}' cannot be inside another setting, as it reads {', '.join(more)}")
    return setting


def _bounded(name: str, value: float, text: str) -> float:
    if not in_bounds(value):
        raise ValueError(f"{name} cannot be {_short(text)}. {OUT_OF_BOUNDS}")
    return value


def _short(text: str) -> str:
    return text if len(text) <= 30 else f"{text[:30]}…"


def _levels(given: dict[str, Any]) -> dict[str, Any]:
    """A table from numbers to numbers, sorted, each number in its one spelling."""
    keys = {name: read_number(name) for name in given}
    for name, key in keys.items():
        if key is None:
            raise ValueError(f"'{name}' is not a number")
    if not keys:
        raise ValueError("it needs at least one entry, such as 2=5")
    return {number_text(keys[name] or 0): given[name] for name in sorted(given, key=lambda name: keys[name] or 0)}


def _of_words(given: dict[str, Any]) -> dict[str, Any]:
    """A table from words to numbers, the highest first and those of one number by the alphabet."""
    if not given:
        raise ValueError("it needs at least one entry, such as vital=2")
    return {name: given[name] for name in sorted(given, key=lambda name: (-given[name], name))}


def _read_number(name: str, text: str, whole: bool) -> float:
    value = read_number(text)
    if value is None or (whole and value != int(value)):
        raise ValueError(f"{name} must be a {'whole ' if whole else ''}number, not '{text}'")
    return int(value) if whole else value


def _shown(value: Any) -> str:
    if isinstance(value, (int, float)):
        return number_text(float(value))
    return value if isinstance(value, str) else str(value.text)


Rule = Callable[..., Any]
NUMBER = "a number"
"""The name of the setting that is any number."""
NOTHING: Mapping[str, Any] = {}


@dataclass(frozen=True)
class SettingType:
    """One setting of a convention: its name, its rule, the function that carries it out."""

    name: str
    rule: str
    function: Rule = field(repr=False)
    parameters: Parameters
    cite: str = ""
    """Where it comes from: the key of a source, or the name of a preset whose sources say."""
    traits: Traits = field(default_factory=Traits.none)
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
    has_name: bool = True
    """Whether text can name it: a function that a caller gave has no name that lasts, and may change what it reads."""

    def same(self, other: "SettingType") -> bool:
        """Whether both say and do the same, wherever they were written."""
        return replace(self, function=other.function) == other and same_code(self.function, other.function)

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
    steps: "tuple[Setting, ...]" = ()
    """The settings that it carries out in turn, where it is several: `with-unretrieved + padded`."""

    @property
    def each(self) -> "tuple[Setting, ...]":
        """Its parts, or itself alone."""
        return self.steps or (self,)

    @cached_property
    def inner(self) -> "tuple[Setting, ...]":
        """The settings that are its parameters."""
        return tuple(one for one in (*self.arguments, *self.keywords.values()) if isinstance(one, Setting))

    @cached_property
    def whole(self) -> "tuple[Setting, ...]":
        """The setting itself, and all that it carries out or that stand in it."""
        return self, *(part for one in (*self.steps, *self.inner) for part in one.whole)

    @property
    def changes_nothing(self) -> bool:
        """Whether nothing is done under it: a paper says that there is none of something, or is silent."""
        return self.setting_type.no is not None

    @property
    def traits(self) -> Traits:
        """What else the engine must know of it."""
        return self.setting_type.traits

    @property
    def data_read(self) -> frozenset[DataPart]:
        """The parts of labels and run that it reads, and those that the settings in it read.

        They are declared by the trait `reads_data`, which may be a function of its parameters.
        """
        each = (
            parts_read(kind.function.__module__, kind.traits.reads_data, kind.parameters.data, one.keywords)
            for one in self.whole
            for kind in [one.setting_type]
        )
        return frozenset[DataPart]().union(*each)

    @property
    def reads_of_users(self) -> tuple[str, ...]:
        """What a mean reads of its users: one by one, and in the sums of their terms."""
        return (*self.reads, *self.traits.reads_of_users)

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


def in_turn(parts: tuple[Setting, ...], reads: tuple[str, ...]) -> Setting:
    """The setting that is these ones in turn; what is known of one of them is known of it."""

    def carry_out(*data: Any) -> None:
        for part in parts:
            part(**dict(zip(reads, data, strict=True)))

    text, rule = " + ".join(part.text for part in parts), ", then ".join(part.setting_type.rule for part in parts)
    traits = traits_in_turn([part.traits for part in parts])
    setting_type = SettingType(text, rule, carry_out, Parameters(reads, ()), traits=traits)
    return Setting(setting_type, text, (), {}, reads, parts[0].convention_name, parts)
