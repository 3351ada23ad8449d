"""All files that are generated from the source and kept: `python -m tests.generate` writes them.

`python -m tests.generate types schemas` writes these parts alone: the types of the public names, which type checkers
and editors read; the JSON Schemas of presets and published files; the conformance vectors; what commands print on pages
of `docs/`; the pages on sources of the registry; the pictures of definitions; the page on JSON. A test fails where a
file is old.
"""

import json
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

from rankconv.analysis.reproduce.sources import published_schema
from rankconv.basics.lazy_names import MODULES, Homes
from rankconv.data.labels_and_rankings import ReadingClass
from rankconv.presets import factories
from rankconv.presets.schema import preset_schema
from tests import readme
from tests.addons.conformance import make
from tests.oracles import readme_table
from tests.oracles.harness import check_system

CONVENTIONS = readme.ROOT / "conventions"


def public(module: str) -> Iterator[str]:
    """Yield the lines of the stub of a public module."""
    found = import_module(module)
    homes: Homes = found.HOMES
    yield '"""Written by `python -m tests.generate`."""'
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
    parts = list[str]()
    for one in signature(read).parameters.values():
        keyword = one.kind is Parameter.KEYWORD_ONLY and not any(part.startswith("*") for part in parts)
        parts += ["*"] * keyword
        stars = "**" * (one.kind is Parameter.VAR_KEYWORD)
        default = "" if one.default is Parameter.empty else " = ..."
        parts += [f"{stars}{one.name}: Any{default}", *(["/"] if one.kind is Parameter.POSITIONAL_ONLY else [])]
    return ", ".join(parts)


def metrics() -> Iterator[str]:
    """The types of all factories of the package, line by line."""
    yield '"""Written by `python -m tests.generate`."""'
    yield ""
    yield "from collections.abc import Callable"
    yield "from typing import Any"
    yield ""
    yield "from rankconv.presets.definition import Definition"
    yield "from rankconv.presets.preset import Preset"
    yield ""
    yield "SettingLike = str | float | Callable[..., Any]"
    yield ""
    yield "def __getattr__(name: str) -> Any: ..."
    for name, factory in sorted(factories.factories().items()):
        if factory.strategy.__module__.startswith("rankconv.metrics."):
            yield f"def {name}("
            yield "    k: int | None = None,"
            yield "    *,"
            yield "    preset: str | Preset | None = None,"
            yield "    name: str | None = None,"
            yield from (
                f"    {convention_name.replace('-', '_')}: SettingLike = ...,"
                for convention_name in factory.strategy.conventions()
            )
            yield "    **settings: SettingLike,"
            yield ") -> Definition: ..."


def types() -> dict[Path, str]:
    """The stubs of the public modules and of the factories."""
    lines = {module: public(module) for module in MODULES} | {factories.__name__: metrics()}
    files = {module: Path(import_module(module).__file__ or "").with_suffix(".pyi") for module in lines}
    return {files[module]: "\n".join(each) + "\n" for module, each in lines.items()}


def schemas() -> dict[Path, str]:
    """What editors check files of presets and of published numbers against."""
    found = {CONVENTIONS / "schema.json": preset_schema(), CONVENTIONS / "published/schema.json": published_schema()}
    return {file: json.dumps(schema, indent=2, ensure_ascii=False) + "\n" for file, schema in found.items()}


def vectors() -> dict[Path, str]:
    """The conformance vectors."""
    return {make.FOLDER / name: text for name, text in make.files().items()}


def stories() -> dict[Path, str]:
    """The pages and pictures on sources of the registry."""
    sys.path.insert(0, str(readme.ROOT / "docs"))
    found: dict[Path, str] = import_module("stories").files()
    return found


def pictures() -> dict[Path, str]:
    """The pictures of definitions on pages."""
    sys.path.insert(0, str(readme.ROOT / "docs"))
    found: dict[Path, str] = import_module("pictures").files()
    return found


def outputs() -> dict[Path, str]:
    """The page on what commands print as JSON, and its schema."""
    sys.path.insert(0, str(readme.ROOT / "docs"))
    found: dict[Path, str] = import_module("outputs").files()
    return found


def pages() -> dict[Path, str]:
    """The pages with what their commands print, and with the table of systems."""
    found, systems = readme.refreshed_pages(), readme_table.PAGE
    return found | {systems: readme_table.replaced(found[systems], readme_table.table(check_system))}


PARTS: dict[str, Callable[[], dict[Path, str]]] = {
    one.__name__: one for one in (types, schemas, vectors, stories, pictures, outputs, pages)
}


def main() -> None:
    """Write all parts, or those named, and print the files that have changed."""
    unknown = {*sys.argv[1:]} - PARTS.keys()
    if unknown:
        sys.exit(f"there is no part {', '.join(unknown)}; there are {', '.join(PARTS)}")
    for part in sys.argv[1:] or PARTS:
        for file, text in PARTS[part]().items():
            if not file.exists() or file.read_text("utf-8") != text:
                file.parent.mkdir(exist_ok=True)
                file.write_text(text, "utf-8")
                print(file.relative_to(readme.ROOT))


if __name__ == "__main__":
    main()
