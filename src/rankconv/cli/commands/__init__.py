"""One module for each command: it registers itself with its place in `rankconv --help`, and a new file is found.

A module is named as its command is, so that a command is run without the others being read.
"""

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules


def names() -> Iterator[str]:
    """The commands of rankconv, as they are typed."""
    return (found.name.replace("_", "-") for found in iter_modules(__path__))


def load(name: str) -> None:
    """Register the command of this name."""
    import_module(f"{__name__}.{name.replace('-', '_')}")


def load_all() -> None:
    """Register all commands of rankconv: before their list is shown, and before a plugin takes a name."""
    for name in names():
        load(name)
