"""Settings of conventions that register themselves one by one, where they stand: a plugin may add one at any time."""

from collections.abc import Mapping
from typing import Any

from rankconv.errors import ConventionError, unknown
from rankconv.specs.setting_set import SettingSet, convention_of_field


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

    @property
    def fields(self) -> dict[str, Any]:
        return dict(vars(self)["_fields"])

    @property
    def added(self) -> list[str]:
        """The conventions of plugins of which it has another than the neutral setting."""
        return [name for name in self.kept if self.conventions()[name].neutral is not None]
