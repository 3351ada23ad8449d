"""Settings of conventions, closed or open to plugins, and how they are pickled."""

import copyreg
import sys
from abc import ABC
from collections.abc import Callable, Mapping
from functools import cache, cached_property, lru_cache, reduce
from inspect import get_annotations
from typing import (
    Any,
    ClassVar,
    Final,
    Generic,
    NoReturn,
    Self,
    TypeVar,
    cast,
    get_origin,
    overload,
)

from rankconv.basics.errors import ConventionError, unknown
from rankconv.basics.plugins import file_of, place_of, provide
from rankconv.basics.registries import ReadOnlyDict
from rankconv.conventions.convention import CONVENTIONS, TABLES, Convention, Registry
from rankconv.conventions.parameters import Setting
from rankconv.conventions.spec import checked_cutoff

MISSING: Final = object()
"""In place of a default, where a field has none."""


def _convention_named(name: str, module: str, file: str) -> Convention:
    known: Convention | None = TABLES.get(name) or CONVENTIONS.get(name)
    if known is None:
        provide(module, file)
        known = TABLES.get(name) or CONVENTIONS[name]
    return known


def _convention_reduced(convention: Convention) -> tuple[Any, ...]:
    return _convention_named, (convention.name, convention.module, file_of(convention.module))


def _setting_reduced(setting: Setting) -> tuple[Any, ...]:
    module = setting.setting_type.function.__module__
    return _setting_read, (setting.convention_name, setting.text, module, file_of(module))


copyreg.pickle(Convention, _convention_reduced)
copyreg.pickle(Setting, _setting_reduced)


def _setting_read(convention_name: str, text: str, module: str, file: str) -> Setting:
    provide(module, file)
    try:
        return _convention_named(convention_name, module, file)(text)
    except ConventionError as error:
        raise error.at(_not_here(module)) from None


def _not_here(module: str) -> str:
    return f"in this process, where {place_of(module)} has not registered it"


def class_named(module: str, name: str) -> Any:
    """The class of this name in this module; None where there is none."""
    return reduce(lambda found, part: getattr(found, part, None), name.split("."), sys.modules.get(module))


def rebuilt(module: str, name: str, settings: dict[str, Any], needed: dict[str, str]) -> Any:
    """The preparation, metric or aggregation with these settings."""
    for other, file in needed.items():
        provide(other, file)
    kind = class_named(module, name)
    if kind is None:
        raise ConventionError(f"this object needs {name}, which {place_of(module)} does not define in this process")
    CONVENTIONS.make(*map(convention_of_field, settings))
    return kind.with_settings(settings)


CachedValue = TypeVar("CachedValue")


def convention_of_field(field: str) -> str:
    """The convention that a field belongs to: `ap_denominator` is `ap-denominator`."""
    return field.replace("_", "-")


def _cutoff(given: Any) -> int | None:
    return None if given is None else checked_cutoff(given)


class until_registered(Generic[CachedValue]):  # noqa: N801 - it is used as `cached_property` is
    """A property that is worked out once, and anew after a convention or a setting was registered."""

    def __init__(self, function: Callable[[Any], CachedValue]) -> None:
        self._function = function
        self.__doc__ = function.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = f"{owner.__qualname__}.{name} until registered"

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type) -> CachedValue: ...

    def __get__(self, instance: object, owner: type) -> Self | CachedValue:
        if instance is None:
            return self
        known: tuple[int, CachedValue] | None = instance.__dict__.get(self._name)
        if known is None or known[0] != Registry.generation:
            known = self.put(instance, self._function(instance))
        return known[1]

    def put(self, instance: object, value: CachedValue) -> tuple[int, CachedValue]:
        """Say what it is of an object, until something is registered."""
        known = instance.__dict__[self._name] = Registry.generation, value
        return known


class SettingSet(ABC):  # noqa: B024 - so that a type checker knows its subclasses for hashable
    """One setting of each of its conventions; no convention has a default, so nothing is half stated.

    A subclass declares its conventions as annotated fields, `ideal: Annotated[str, rc.convention("ideal")]`, and may
    have a cutoff, `k: int | None = None`. All annotations but those of constants (`ClassVar`) are fields.
    """

    convention_fields: ClassVar[Mapping[str, Convention | None]] = {}
    """What its objects hold, by field: the convention, and None for the cutoff."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        own = dict[str, Convention | None]()
        for name, annotation in get_annotations(cls, eval_str=True).items():
            if ClassVar not in (get_origin(annotation), annotation):
                marks = getattr(annotation, "__metadata__", ())
                own[name] = next((mark for mark in marks if isinstance(mark, Convention)), None)
        fields = (getattr(base, "convention_fields", {}) for base in cls.__bases__)
        cls.convention_fields = {name: one for each in (*fields, own) for name, one in each.items()}

    @classmethod
    def default(cls, field: str) -> Any:
        """The value of a field where none is given; MISSING where it must be given."""
        return getattr(cls, field, MISSING)

    def __init__(self, **given_settings: Any) -> None:
        """The settings by convention or by field; ConventionError for one too many, one too few, or what is none."""
        vars(self).update(self._read(given_settings))

    @classmethod
    def with_settings(cls, given_settings: Mapping[str, Any]) -> Self:
        """The object with these settings, by convention or by field; ConventionError as where it is called."""
        return cls(**given_settings)

    @classmethod
    def _read(cls, given_settings: Mapping[str, Any]) -> dict[str, Any]:
        """What is held, by field: each setting in its one spelling."""
        given = {name.replace("-", "_"): setting for name, setting in given_settings.items()}
        for name in given.keys() - cls.convention_fields.keys():
            raise unknown(f"field of {cls.__qualname__}", name, cls.convention_fields)
        held = {name: given.get(name, cls.default(name)) for name in cls.convention_fields}
        unset = [convention_of_field(name) for name, setting in held.items() if setting is MISSING]
        if unset:
            raise ConventionError(f"these conventions have no setting: {', '.join(unset)}")
        return {
            name: convention.validate(held[name]) if convention else _cutoff(held[name])
            for name, convention in cls.convention_fields.items()
        }

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise AttributeError(f"{type(self).__qualname__} is frozen: make another with replace(…)", name=name, obj=self)

    def __delattr__(self, name: str) -> NoReturn:
        self.__setattr__(name, None)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(self) is not type(other):
            return NotImplemented
        return self.fields == other.fields

    def __hash__(self) -> int:
        return self.known_hash

    def __repr__(self) -> str:
        return f"{type(self).__qualname__}({', '.join(f'{name}={value!r}' for name, value in self.fields.items())})"

    @cached_property
    def known_hash(self) -> int:
        """The hash of all settings, made once: definitions are grouped by their preparation again and again."""
        return hash((type(self), frozenset(self.fields.items())))

    @classmethod
    def conventions(cls) -> Mapping[str, Convention]:
        """Its conventions, by name, in the order in which they are applied."""
        return _conventions_of(cls)

    @until_registered
    def settings(self) -> dict[str, Setting]:
        """The settings, ready to be carried out."""
        return ReadOnlyDict({name: convention(self.stated[name]) for name, convention in self.conventions().items()})

    @until_registered
    def stated(self) -> dict[str, str]:
        """The settings as text; a convention that was registered later has its neutral setting."""
        own_conventions = self.conventions().items()
        return ReadOnlyDict(
            {name: self.kept.get(name, str(convention.neutral)) for name, convention in own_conventions}
        )

    @property
    def fields(self) -> dict[str, Any]:
        """All that it holds by field: its settings, and of a metric its cutoff."""
        return {name: vars(self)[name] for name in self.convention_fields}

    @cached_property
    def kept(self) -> dict[str, str]:
        """The settings that it holds, as text."""
        held = {convention_of_field(field): setting for field, setting in self.fields.items()}
        return ReadOnlyDict({name: setting for name, setting in held.items() if name in self.conventions()})

    def given(self, convention_name: str) -> str:
        """The setting of one convention, as text."""
        return self.stated[convention_name]

    def replace(self, given_settings: Mapping[str, str], **more: Any) -> Self:
        """With these settings in place of its own; settings of conventions of others are left aside."""
        stated = self.stated
        given = {name: given_settings.get(name, setting) for name, setting in stated.items()}
        if not more and given == stated:
            return self
        own = {name: vars(self)[name] for name, convention in self.convention_fields.items() if convention is None}
        return cast(Self, filled(type(self), tuple({**given, **own, **more}.items()), Registry.generation))

    def with_setting(self, convention_name: str, text: str) -> Self:
        """With one other setting; those that it keeps are not read again."""
        convention, one = self.conventions()[convention_name], object.__new__(type(self))
        setting = convention(text)
        vars(one).update(self._held_with(convention, setting.text))
        type(self).settings.put(one, ReadOnlyDict({**self.settings, convention_name: setting}))
        type(self).stated.put(one, ReadOnlyDict({**self.stated, convention_name: setting.text}))
        return one

    def _held_with(self, convention: Convention, text: str) -> dict[str, Any]:
        """What is held with another setting of a convention, by field."""
        return {**self.fields, convention.name.replace("-", "_"): text}

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
        """Made anew of its settings as text: what carries them out is one for all."""
        return self.with_settings(self.fields)

    def __copy__(self) -> Self:
        return self.with_settings(self.fields)

    def __reduce__(self) -> tuple[Any, ...]:
        """By the name of its class, and the settings as text; what carries them out is there in every process."""
        kind = type(self)
        if class_named(kind.__module__, kind.__qualname__) is not kind:
            do = "Define it once, at the top of a module or of a plugin file."
            raise ConventionError(f"{kind.__qualname__} cannot be found by its name, so it cannot be pickled", do=do)
        given = (one for convention_name in self.kept for one in self.settings[convention_name].whole)
        modules = {one.setting_type.function.__module__ for one in given}
        modules |= {self.conventions()[convention_name].module for convention_name in self.kept}
        needed = {module: file_of(module) for module in (kind.__module__, *sorted(modules))}
        return rebuilt, (kind.__module__, kind.__qualname__, self.fields, needed)


@lru_cache(maxsize=4096)
def filled(kind: type[SettingSet], given: tuple[tuple[str, Any], ...], generation: int) -> SettingSet:
    """Equal settings are one object, so that definitions which share a preparation are found at once."""
    return kind.with_settings(dict(given))


@cache
def _conventions_of(kind: type[SettingSet]) -> Mapping[str, Convention]:
    return {convention_of_field(name): one for name, one in kind.convention_fields.items() if one is not None}


class OpenSettings(SettingSet):
    """One setting of each convention of a registry, `conventions()`, which may grow.

    A convention that a plugin adds has a neutral setting, under which nothing changes. It is what all say who say
    nothing,
    and it is not kept: settings given before the plugin was loaded, or without it, are equal to those given with it.
    """

    @classmethod
    def _read(cls, stated: Mapping[str, Any]) -> dict[str, Any]:
        given, own = {convention_of_field(name): setting for name, setting in stated.items()}, cls.conventions()
        for name in given.keys() - own.keys():
            raise unknown("convention here", name, own)
        settings = {name: given.get(name, convention.neutral) for name, convention in own.items()}
        unset = [name for name, setting in settings.items() if setting is None]
        if unset:
            raise ConventionError(f"these conventions have no setting: {', '.join(unset)}")
        texts = {name: own[name].validate(setting) for name, setting in settings.items()}
        kept = {name.replace("-", "_"): text for name, text in texts.items() if text != own[name].neutral}
        return {"_fields": kept}

    def _held_with(self, convention: Convention, text: str) -> dict[str, Any]:
        field = convention.name.replace("-", "_")
        others = {name: setting for name, setting in self.fields.items() if name != field}
        return {"_fields": others if text == convention.neutral else {**others, field: text}}

    @property
    def fields(self) -> dict[str, Any]:
        return dict(vars(self)["_fields"])

    @property
    def added(self) -> list[str]:
        """The conventions of plugins of which it has another than the neutral setting."""
        return [name for name in self.kept if self.conventions()[name].neutral is not None]
