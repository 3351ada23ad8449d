"""One module for each command: it registers itself with its place in `rankconv --help`, and a new file is found."""

from importlib import import_module
from pkgutil import iter_modules

for _found in iter_modules(__path__):
    import_module(f"{__name__}.{_found.name}")
