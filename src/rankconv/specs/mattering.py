"""Whether the setting to a convention can matter: beside other settings, and on the data at hand.

Both are told where the convention stands, by `CHOICE.idle(…)` and `CHOICE.alike`; whoever must know asks here.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from rankconv.specs.option import Setting


class Told(NamedTuple):
    """The settings of a definition or of one part of it, as far as they are told."""

    settings: Mapping[str, Setting]
    k: int | None = None
    """The cutoff of the metric."""
    metric: Any = None
    """The class of the metric."""

    def trait(self, convention_name: str, name: str) -> Any:
        """What the setting to a convention has under this name; None where it has nothing, or nothing is told."""
        return (
            self.settings[convention_name].setting_type.traits.get(name) if convention_name in self.settings else None
        )

    def any(self, name: str) -> bool:
        """Whether some setting has something under this name."""
        return any(setting.setting_type.traits.get(name) for setting in self.settings.values())


class Idle(NamedTuple):
    """Beside which other answers the one to a convention cannot matter."""

    because: str
    """The reason: "the list is not ordered by score"; empty where it goes without saying."""
    by: str
    """The question whose answer makes it so, `k` for the cutoff; empty where none does."""
    holds: Callable[[Told], bool]

    @property
    def by_setting(self) -> bool:
        """Whether another setting makes it so."""
        return self.by not in ("", "k")


IDLE: dict[str, dict[str, Idle]] = {}
"""By convention, and by reason."""
ALIKE: dict[str, Callable[[Any, Any], bool]] = {}
"""By convention, whether two definitions are bound to agree on it on the data at hand."""


def idle(told: Told) -> dict[str, Idle]:
    """The questions whose answers cannot matter, each with what makes it so."""
    rules = (
        (convention_name, rule)
        for convention_name in IDLE
        if convention_name in told.settings
        for rule in IDLE[convention_name].values()
    )
    return {convention_name: rule for convention_name, rule in rules if rule.holds(told)}


def alike(convention_name: str, ours: Any, other: Any) -> bool:
    """Whether the settings of two definitions to this convention are bound to agree on the data at hand."""
    return convention_name in ALIKE and ALIKE[convention_name](ours, other)
