"""Lazy public names: each module lists its names once, and its stub is written from that list."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

MODULES = ("rankconv", "rankconv.ir", "rankconv.plugin", "rankconv.protocols", "rankconv.spark", "rankconv.typing")
Homes = Mapping[str, tuple[str, ...]]


def exported(module: str, homes: Homes, values: dict[str, Any]) -> tuple[list[str], Callable[[str], Any]]:
    """Return the public names of a module, and the `__getattr__` that loads each when it is first used.

    `homes` maps a module below `rankconv` to the names that it defines; `values` are the globals of the public module.
    """
    home_of = {name: home for home, names in homes.items() for name in names}

    def load(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module '{module}' has no attribute '{name}'")
        values[name] = getattr(import_module(f"rankconv.{home_of[name]}"), name)
        return values[name]

    return sorted(home_of), load
