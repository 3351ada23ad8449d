"""Imports run downwards, also those for types and those inside functions, and no module leads back to itself."""

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path

import rankconv

SOURCE = Path(rankconv.__file__).parent
ROOMS = {
    "errors and files": "errors escaping ordered progress writing plugins five_users optional",
    "conventions": "specs",
    "numbers": "numbers",
    "pages": "pages",
    "data": "data",
    "lazy names": "exports",
    "statistics": "statistics",
    "inputs": "inputs",
    "preparation": "preparation",
    "metrics": "metrics",
    "aggregation": "aggregation",
    "single systems": "systems",
    "presets": "presets",
    "engine": "engine",
    "partial sums": "streaming.sums streaming.exact",
    "citing": "citing",
    "protocols": "protocols",
    "recommenders": "protocols.recommenders",
    "analysis": "analysis",
    "findings": "analysis.findings",
    "results": "evaluation",
    "streaming": "streaming",
    "evaluate": "evaluation.evaluate evaluation.training",
    "compare": "evaluation.compare",
    "learning curve": "protocols.curves protocols.curve_result protocols.curve_grid",
    "curve": "analysis.curve",
    "explain": "analysis.explain",
    "why": "analysis.why",
    "sensitivity": "analysis.sensitivity",
    "segments": "analysis.segments",
    "test": "analysis.test",
    "similarity": "analysis.similarity analysis.similarity_measures",
    "gate": "analysis.gate",
    "reproduce": "analysis.reproduce",
    "identify": "analysis.identify",
    "cite": "analysis.cite",
    "check": "analysis.check",
    "report": "analysis.report",
    "verify": "verification",
    "conform": "conformance",
    "show": "analysis.show",
    "playground": "playground",
    "spark": "spark",
    "the public door": "plugin typing",
    "drop-in names": "compat",
    "command line": "cli",
}
"""From the lowest to the highest: what may be imported by all rooms below it; a new room is one line here.

A module belongs to the room that names the longest part of its path.
"""
DOORS = ("", "plugin", "protocols", "typing")
"""The public modules, whose names are loaded when they are first used: of a package its `__init__` only."""
ADD_ONS = {"protocols", "compat", "spark", "verification", "conformance", "playground"}
"""The packages without which everything else works; only the public door and the command line know them."""
POLARS = set(
    "inputs.delimited inputs.files inputs.frames inputs.line_files inputs.parts inputs.pieces "
    "inputs.side_data inputs.sides inputs.values optional protocols spark streaming.files "
    "streaming.user_file writing".split()
)
"""What may load polars: readers and writers of files, protocols, Spark, large texts, and the maker of frames."""
Imports = Mapping[str, set[str]]
"""Each module with those that it imports, by their names below `rankconv`."""


def modules() -> dict[str, Path]:
    """The files of the package by module; the package itself is ''."""
    names = {file: file.relative_to(SOURCE).with_suffix("").parts for file in sorted(SOURCE.rglob("*.py"))}
    return {".".join(one for one in parts if one != "__init__"): file for file, parts in names.items()}


@cache
def imports() -> dict[str, set[str]]:
    """What each module imports, at its top, inside functions, and for types; a public module also what it loads."""
    known = modules()
    found = {name: {*imported(ast.parse(file.read_text()), known)} - {name} for name, file in known.items()}
    loaded = {name: {*import_module(f"rankconv.{name}".rstrip(".")).HOMES} for name in DOORS}
    return {name: others | loaded.get(name, set()) for name, others in found.items()}


def imported(source: ast.Module, known: Iterable[str]) -> Iterator[str]:
    """The modules of the package that a module imports; of a package its `__init__` where no module is named."""
    for node in ast.walk(source):
        if isinstance(node, ast.ImportFrom):
            assert not node.level, "imports are written out: from rankconv.… import …"
            paths = [(f"{node.module}.{one.name}", str(node.module)) for one in node.names]
        elif isinstance(node, ast.Import):
            paths = [(one.name, one.name) for one in node.names]
        else:
            continue
        for path, package in paths:
            if package.partition(".")[0] == "rankconv":
                below, above = (text.removeprefix("rankconv").removeprefix(".") for text in (path, package))
                yield below if below in known else above


def room_of(module: str) -> str:
    """The room that names the longest part of a module's path."""
    if module in DOORS:
        return "the public door"
    parts = module.split(".")
    heads = [".".join(parts[:size]) for size in range(len(parts), 0, -1)]
    rooms = (room for head in heads for room, names in ROOMS.items() if head in names.split())
    return next(rooms, "")


def upward(found: Imports) -> list[tuple[str, str]]:
    """Imports of a higher room."""
    order = list(ROOMS)
    pairs = [(one, other) for one, others in found.items() for other in sorted(others)]
    return [pair for pair in pairs if order.index(room_of(pair[0])) < order.index(room_of(pair[1]))]


def circle(found: Imports) -> list[str]:
    """Modules each of which imports the next, the last one being the first; none where there is no circle."""
    left: dict[str, set[str]] = {one: set(others) for one, others in found.items()}
    while ends := {one for one in left if not left[one] & left.keys()}:
        left = {one: others for one, others in left.items() if one not in ends}
    way = sorted(left)[:1]
    while way and way[-1] not in way[:-1]:
        way.append(min(left[way[-1]] & left.keys()))
    return way[way.index(way[-1]) :] if way else []


def test_every_module_has_a_room() -> None:
    assert not [module for module in modules() if not room_of(module)]


def test_every_room_has_a_module() -> None:
    assert {room_of(module) for module in modules()} == set(ROOMS)
    named = [name for names in ROOMS.values() for name in names.split()]
    assert set(named) <= modules().keys()
    assert len(set(named)) == len(named)


def test_public_modules_load_what_is_below_them() -> None:
    door = {name for name, others in imports().items() if "exports" in others}
    assert door == {*DOORS}
    code = {name: file.read_text() for name, file in modules().items()}
    late = {name for name, text in code.items() if "optional import loaded" in text}
    # a definition is evaluated, and evaluation is above it; so is the page of a preset above the preset
    assert late == {"exports", "presets.definition", "presets.resolved"}
    assert {"protocols.curves", "exports"} <= imports()["protocols"]
    assert {"presets.arguments", "data.joined"} <= imports()["typing"]
    assert upward({"analysis.why": {"protocols"}, "cli": {"protocols"}}) == [("analysis.why", "protocols")]


def test_no_import_runs_upwards() -> None:
    found = upward(imports())
    lines = [f"{one} imports {other}: {room_of(one)} is below {room_of(other)}" for one, other in found]
    assert not lines, "\n".join(lines)


def test_the_core_imports_no_add_on() -> None:
    core = {one: others for one, others in imports().items() if one not in DOORS and one.split(".")[0] != "cli"}
    found = [
        (one, other)
        for one, others in core.items()
        for other in others
        if other.split(".")[0] in ADD_ONS and one.split(".")[0] not in ADD_ONS
    ]
    assert not found


def loads_polars(source: ast.AST) -> bool:
    """Whether a module imports or requires polars when it runs, and not for types alone."""
    match source:
        case ast.If(test=ast.Name("TYPE_CHECKING")):
            return False
        case ast.Import(names):
            return any(one.name.partition(".")[0] == "polars" for one in names)
        case ast.ImportFrom(module):
            return str(module).partition(".")[0] == "polars"
        case ast.Call(func=ast.Name("require" | "import_module"), args=[ast.Constant("polars"), *_]):
            return True
    return any(map(loads_polars, ast.iter_child_nodes(source)))


def test_only_readers_of_files_protocols_and_spark_load_polars() -> None:
    found = {name for name, file in modules().items() if loads_polars(ast.parse(file.read_text()))}
    others = {name for name in found if not {name, name.split(".")[0]} & POLARS}
    assert not others
    assert {name if name in POLARS else name.split(".")[0] for name in found} == POLARS


def test_no_module_leads_back_to_itself() -> None:
    found = circle(imports())
    assert not found, " imports ".join(found)
