"""Pickling of conventions and settings, by name or as text; another process reads what is registered there."""

import copyreg
import sys
from functools import reduce
from typing import Any

from rankconv.errors import ConventionError, unknown
from rankconv.plugins import file_of, place_of, provide
from rankconv.specs.convention import CONVENTIONS, TABLES, Convention
from rankconv.specs.custom import CustomText
from rankconv.specs.option import Setting, SettingType


def _convention_named(name: str, module: str, file: str) -> Convention:
    known = TABLES.get(name) or CONVENTIONS.get(name)
    if known is None:
        provide(module, file)
        known = TABLES.get(name) or CONVENTIONS[name]
    return known


def _convention_reduced(convention: Convention) -> tuple[Any, ...]:
    return _convention_named, (convention.name, convention.module, file_of(convention.module))


def _option_reduced(setting_type: SettingType) -> tuple[Any, ...]:
    module = setting_type.function.__module__
    return _option_named, (setting_type.table, setting_type.name, module, file_of(module))


def _setting_reduced(setting: Setting) -> tuple[Any, ...]:
    module = setting.setting_type.function.__module__
    return _setting_read, (setting.convention_name, setting.text, module, file_of(module))


copyreg.pickle(Convention, _convention_reduced)
copyreg.pickle(SettingType, _option_reduced)
copyreg.pickle(Setting, _setting_reduced)


def _option_named(table: str, name: str, module: str, file: str) -> SettingType:
    provide(module, file)
    convention = _convention_named(table, module, file)
    if isinstance(name, CustomText):
        return convention(name).setting_type
    if name not in convention.setting_types:
        raise unknown(convention.noun, name, convention.names, where=_not_here(module))
    return convention.setting_types[name]


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
    return kind.with_settings(settings)
