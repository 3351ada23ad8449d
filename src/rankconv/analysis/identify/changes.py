"""Settings that are changed, one at a time, to what other presets have."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from rankconv.conventions.setting_set import SettingSet
from rankconv.metrics.divisors import K_ACCEPTED
from rankconv.presets.definition import Definition, with_changes

Changeable = TypeVar("Changeable", bound=SettingSet)
Change = tuple[str, str]
"""A convention and its new setting."""
Changes = tuple[Change, ...]
Occurring = Mapping[str, Sequence[str]]
"""The settings of presets by convention."""


def occurring(definitions: Iterable[Definition], fixed: Collection[str]) -> dict[str, list[str]]:
    """The settings that these give to each convention, but for conventions that are `fixed`."""
    found: dict[str, dict[str, None]] = {}
    for definition in definitions:
        for name, setting in definition.settings.items():
            found.setdefault(name, {})[setting] = None
    return {name: list(settings) for name, settings in found.items() if name not in {*fixed, K_ACCEPTED.name}}


def changes(part: SettingSet, settings: Occurring) -> list[Change]:
    """Each other setting of each of its conventions."""
    return [(name, text) for name, own in part.stated.items() for text in settings.get(name, ()) if text != own]


def changed(part: Changeable, settings: Occurring) -> Iterator[tuple[Change, Changeable]]:
    """It with each other setting of one convention, and what was changed."""
    return ((change, part.with_setting(*change)) for change in changes(part, settings))


def with_one_changed(definition: Definition, settings: Occurring) -> Iterator[Definition]:
    """It with each other setting of one convention, where that is possible and acts."""
    known = {definition.signature}
    for change in (change for part in definition.setting_sets for change in changes(part, settings)):
        one = with_changes(definition, dict([change]))
        if one is not None and not one.needs and one.signature not in known:
            known.add(one.signature)
            yield one
