"""Checks of what the class of a metric states: its constants, and its fields, which are conventions."""

from inspect import get_annotations

from rankconv.basics.errors import ConventionError, nearest
from rankconv.basics.plugins import file_of
from rankconv.conventions.convention import CONVENTIONS
from rankconv.conventions.setting_set import MISSING, SettingSet, convention_of_field


def place_of_class(metric: type[SettingSet]) -> str:
    """Where the class is defined, in words."""
    module, name = metric.__module__, metric.__qualname__
    return f"{name} in {file_of(module)}" if file_of(module) else f"{module}.{name}"


def check_constants(cls: type[SettingSet]) -> None:
    """A ConventionError for a constant that nobody would read, such as a name with a slip in it."""
    known = {name for above in cls.__mro__[1:] for name in vars(above)} | get_annotations(cls).keys()
    for name, value in vars(cls).items():
        if not (name in known or name.startswith("_") or hasattr(value, "__get__")):
            do = f"Write {name}: ClassVar[…] = … for a constant of your own."
            close = nearest(name, known)
            raise ConventionError(f"metrics have no '{name}'", where=cls.__qualname__, nearest=close, do=do)


def check_fields(cls: type[SettingSet]) -> None:
    """A ConventionError for a field that names no convention, or whose default is none of its settings."""
    for name, convention in cls.convention_fields.items():
        default, where = cls.default(name), f"{cls.__qualname__}.{name}"
        if name != "k" and (convention is None or convention.name != convention_of_field(name)):
            form = f'Annotated[str, rc.convention("{convention_of_field(name)}")]'
            do, close = f"Write {name}: {form}, or ClassVar for a constant.", ""
            if convention is not None:
                do = f"Call it {convention.name.replace('-', '_')}."
            elif convention_of_field(name) not in CONVENTIONS:
                do = f"Write {name}: ClassVar[…] = … for a constant, or define the convention first: "
                do += "plugin.Convention(…)."
                close = nearest(convention_of_field(name), CONVENTIONS)
            wrong = "the field of a metric is a convention by its own name"
            raise ConventionError(wrong, where=where, nearest=close, do=do)
        try:
            _ = convention and default is not MISSING and convention.validate(default)
        except ConventionError as error:
            raise error.at(where) from None
