"""The parameters of a setting, as the signature of its function has them: converted, bounded, written back."""

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from rankconv.ordered import Ordered
from rankconv.specs.setting_text import OUT_OF_BOUNDS, in_bounds, number_text, read_number


class Base:
    """Marks a parameter that is the base of a logarithm: a number above 1, or `e`."""


@dataclass(frozen=True)
class Above:
    """Marks a parameter that is a number above this one."""

    limit: float


@dataclass(frozen=True)
class Within:
    """Marks a parameter that is a number from `least` to `most`."""

    least: float
    most: float


@dataclass(frozen=True)
class InOrder:
    """Marks parameters whose order counts: names of a registry, at least so many, each of them once."""

    of: Ordered[Any]
    least: int = 1

    def validate(self, text: str) -> str:
        """The name; a ConventionError for one that nothing has."""
        self.of.check_known(text)
        return text


LogBase = Annotated[float, Base()]


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
                levels = _levels({name: self._convert(p.name, text, preset) for name, text in rest.items()})
                values, rest = values | levels, {}
                shown += [f"{name}={_shown(value)}" for name, value in levels.items()]
            else:
                self._bind_one(p, left, rest, values, shown, preset)
        if left or rest:
            raise ValueError(f"it takes no parameter '{(left or list(rest))[0]}'")
        if not extra and any(p.kind is p.VAR_POSITIONAL for p in self.own):
            raise ValueError("it needs at least one part")
        return Bound(extra, values, tuple(shown))

    def _several(self, name: str, given: list[str], preset: Any) -> tuple[Any, ...]:
        """Parameters of one name: sorted, each once; where their order counts, as they were given."""
        values = [self._convert(name, text, preset) for text in given]
        kind = self.types.get(name, str)
        mark = get_args(kind)[1] if get_origin(kind) is Annotated else None
        if not isinstance(mark, InOrder):
            each = {_shown(value): value for value in values}
            return tuple(each[text] for text in sorted(each))
        for value in values:
            if values.count(value) > 1:
                raise ValueError(f"it names {value} twice")
        if len(values) < mark.least:
            raise ValueError(f"it needs at least {mark.least} names")
        return tuple(values)

    def _bind_one(
        self,
        p: inspect.Parameter,
        left: list[str],
        rest: dict[str, str],
        values: dict[str, Any],
        shown: list[str],
        preset: Any,
    ) -> None:
        by_place = p.kind is p.POSITIONAL_OR_KEYWORD
        if p.name in rest:
            text = rest.pop(p.name)
        elif by_place and left:
            text = left.pop(0)
        elif p.default is p.empty:
            raise ValueError(f"it needs {p.name}")
        else:
            return
        value = self._convert(p.name, text, preset)
        if p.default is p.empty or value != p.default:  # equal settings hold the same, however they were written
            values[p.name] = value
            spelled = "e" if value == math.e and self._is_base(p.name) else _shown(value)
            shown.append(spelled if by_place else f"{p.name}={spelled}")

    def _is_base(self, name: str) -> bool:
        kind = self.types.get(name, str)
        return get_origin(kind) is Annotated and isinstance(get_args(kind)[1], Base)

    def _convert(self, name: str, text: str, preset: Any) -> Any:
        kind = self.types.get(name, str)
        if get_origin(kind) is Annotated:
            mark = get_args(kind)[1]
            if isinstance(mark, Above):
                return _above(name, text, mark.limit)
            if isinstance(mark, Within):
                return _within(name, text, mark, whole=get_args(kind)[0] is int)
            if isinstance(mark, InOrder):
                return mark.validate(text)
            if isinstance(mark, Base):
                return _base(text)
            setting = _setting(mark, text, preset)
            return setting.text if get_args(kind)[0] is str else setting
        if get_origin(kind) is Literal:
            return _one_of(text, get_args(kind))
        return _number(name, text, whole=kind is int) if kind is not str else text


def _setting(table: Any, text: str, preset: Any) -> Any:
    """A setting from this table, or one that only its own convention knows; it may read no more than the table."""
    setting = (preset if preset is not None and preset.shares is table else table)(text)
    if setting.trait("alone"):
        raise ValueError(f"'{text}' cannot be inside it: {setting.trait('alone')}")
    more = [name for name in setting.reads if name not in table.reads]
    if more:
        raise ValueError(f"'{text}' cannot be inside another setting, as it reads {', '.join(more)}")
    return setting


def _base(text: str) -> float:
    value = math.e if text == "e" else read_number(text)
    if value is None or value <= 1:
        raise ValueError(f"'{text}' is not a base: it must be e or a number above 1")
    return _bounded("base", value, text)


def _bounded(name: str, value: float, text: str) -> float:
    if not in_bounds(value):
        raise ValueError(f"{name} cannot be {_short(text)}. {OUT_OF_BOUNDS}")
    return value


def _short(text: str) -> str:
    return text if len(text) <= 30 else f"{text[:30]}…"


def _within(name: str, text: str, mark: Within, whole: bool) -> float:
    value = _read_number(name, text, whole)
    if not mark.least <= value <= mark.most:
        raise ValueError(f"{name} must be from {number_text(mark.least)} to {number_text(mark.most)}, not '{text}'")
    return value


def _above(name: str, text: str, limit: float) -> float:
    value = _number(name, text, whole=False)
    if value <= limit:
        raise ValueError(f"{name} must be above {limit:g}, not '{text}'")
    return value


def _levels(given: dict[str, Any]) -> dict[str, Any]:
    """A table from numbers to numbers, sorted, each number in its one spelling."""
    keys = {name: read_number(name) for name in given}
    for name, key in keys.items():
        if key is None:
            raise ValueError(f"'{name}' is not a number")
    if not keys:
        raise ValueError("it needs at least one entry, such as 2=5")
    return {number_text(keys[name] or 0): given[name] for name in sorted(given, key=lambda name: keys[name] or 0)}


def _one_of(text: str, allowed: tuple[str, ...]) -> str:
    if text not in allowed:
        raise ValueError(f"'{text}' is not one of: {', '.join(allowed)}")
    return text


def _number(name: str, text: str, whole: bool) -> float:
    return _bounded(name, _read_number(name, text, whole), text)


def _read_number(name: str, text: str, whole: bool) -> float:
    value = read_number(text)
    if value is None or (whole and value != int(value)):
        raise ValueError(f"{name} must be a {'whole ' if whole else ''}number, not '{text}'")
    return int(value) if whole else value


def _shown(value: Any) -> str:
    if isinstance(value, (int, float)):
        return number_text(float(value))
    return value if isinstance(value, str) else str(value.text)
