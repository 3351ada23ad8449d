"""Lazy public names: each module lists its names once, and its stub is written from that list.

`python -m rankconv.exports` writes the stubs, which type checkers and editors read.
"""

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from rankconv.optional import loaded

MODULES = ("rankconv", "rankconv.plugin", "rankconv.protocols", "rankconv.typing")
Homes = Mapping[str, tuple[str, ...]]


def exported(module: str, homes: Homes, values: dict[str, Any]) -> tuple[list[str], Callable[[str], Any]]:
    """Return the public names of a module, and the `__getattr__` that loads each when it is first used.

    `homes` maps a module below `rankconv` to the names that it defines; `values` are the globals of the public module.
    """
    home_of = {name: home for home, names in homes.items() for name in names}

    def load(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module '{module}' has no attribute '{name}'")
        import_module("rankconv.presets.definition")  # which knows all metrics and conventions
        values[name] = loaded(home_of[name], name)
        return values[name]

    return sorted(home_of), load


def stub(module: str) -> Iterator[str]:
    """Yield the lines of the stub of a public module."""
    from rankconv.data.labels_and_rankings import ReadingClass

    found = import_module(module)
    homes: Homes = found.HOMES
    yield '"""Written by `python -m rankconv.exports`."""'
    yield ""
    yield "from typing import Any"
    yield ""
    read = [name for names in homes.values() for name in names if isinstance(getattr(found, name), ReadingClass)]
    for home, names in sorted(homes.items()):
        aliases = [f"{name} as {f'_{name}' if name in read else name}" for name in names]
        yield f"from rankconv.{home} import {', '.join(aliases)}"
    for name in read:
        yield ""
        yield f"class {name}(_{name}):"
        yield f"    def __init__(self, {_parameters(getattr(found, name))}) -> None: ..."
    if module == "rankconv":
        yield from (f"from rankconv import {name} as {name}" for name in found.MODULES)
        yield "from rankconv.presets.factories import *"
    yield ""
    yield f"__all__ = {sorted(name for names in homes.values() for name in names)!r}"


def _parameters(read: Any) -> str:
    """The parameters of a class that reads data, for its stub."""
    from inspect import Parameter, signature

    parts = list[str]()
    for one in signature(read).parameters.values():
        keyword = one.kind is Parameter.KEYWORD_ONLY and not any(part.startswith("*") for part in parts)
        parts += ["*"] * keyword
        stars = "**" * (one.kind is Parameter.VAR_KEYWORD)
        default = "" if one.default is Parameter.empty else " = ..."
        parts += [f"{stars}{one.name}: Any{default}", *(["/"] if one.kind is Parameter.POSITIONAL_ONLY else [])]
    return ", ".join(parts)


def main() -> None:
    """Write the stub of each public module next to it."""
    for module in MODULES:
        file = Path(import_module(module).__file__ or "")
        file.with_suffix(".pyi").write_text("\n".join(stub(module)) + "\n", "utf-8")


if __name__ == "__main__":
    main()
