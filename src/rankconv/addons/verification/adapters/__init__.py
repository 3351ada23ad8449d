"""One file per library: how it is called. A further one may come from a plugin file."""

from importlib import import_module
from pkgutil import iter_modules


def load() -> None:
    """Import all of them, which registers them; no library is imported by that."""
    for module in iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")
