"""Code that adds metrics, answers or questions: a user's file, named on purpose, or an installed package."""

import importlib.util
import sys
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path

from rankconv.errors import InputError

ENTRY_POINTS = "rankconv.plugins"


def load_plugin(path: str | Path) -> None:
    """Run a Python file, so that the metrics and answers that it defines are registered.

    Code runs only because the caller names the file here; no preset and no data file can ask for it.
    A missing file is an InputError.
    """
    file = Path(path)
    if not file.is_file():
        raise InputError(f"there is no plugin file {file}")
    name = f"rankconv_plugin_{file.stem}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise InputError(f"{file} is not a Python file", do="A plugin ends in .py.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)


@cache
def load_installed() -> None:
    """Import what installed packages offer under the entry point `rankconv.plugins`."""
    for point in entry_points(group=ENTRY_POINTS):
        point.load()
