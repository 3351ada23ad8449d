"""Several settings to one convention that are carried out one after another: `with-unretrieved + padded`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rankconv.specs.option import Setting, SettingType
from rankconv.specs.parameters import Parameters


@dataclass(frozen=True)
class InTurn:
    """Carries out its parts one after another, on the same data."""

    parts: tuple[Setting, ...]

    def __call__(self, **data: Any) -> None:
        for part in self.parts:
            part(**data)


def in_turn(parts: tuple[Setting, ...], reads: tuple[str, ...]) -> Setting:
    """The answer that is these ones in turn; what is known of one of them is known of it."""
    text, rule = " + ".join(part.text for part in parts), ", then ".join(part.setting_type.rule for part in parts)
    setting_type = SettingType(
        text, rule, InTurn(parts), Parameters(reads, ()), traits=_traits([part.setting_type.traits for part in parts])
    )
    return Setting(setting_type, text, (), {}, reads, parts[0].convention_name, parts)


def _traits(known: list[Mapping[str, Any]]) -> dict[str, Any]:
    """What all parts have alike, and what is true of one of them; a list is left as it is where all parts do so."""
    merged: dict[str, Any] = {"plain": ", ".join(str(one.get("plain", "never")) for one in known)}
    for name in dict.fromkeys(name for one in known for name in one if name not in ("plain", "when", "needs")):
        values = [one.get(name) for one in known]
        if all(value == values[0] for value in values):
            merged[name] = values[0]
        elif name != "rises" and True in values:
            merged[name] = True
    return merged
