"""The folders are the floors: imports run downwards, also those for types and inside functions, and no room leads back.

A room is a folder or a file; of the rooms of one folder none leads back to itself, at every depth. So the tree is the
order, and there is no list but that of the floors.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path

import rankconv

SOURCE = Path(rankconv.__file__).parent
FLOORS = ["basics", "conventions", "rendering", "data", "preparation", "metrics", "aggregation", "presets", "engine"]
FLOORS += ["evaluation", "analysis", "addons"]
"""From the lowest to the highest; a floor imports what is below it."""
DOORS = ("", "ir", "plugin", "protocols", "spark", "typing")
"""The public modules, above all floors, whose names are loaded when they are first used."""
ROOF = ["compat", "cli"]
"""What only imports: names of other libraries, and the command line."""
MAIN = "__main__"
"""The command line as `python -m rankconv`, above all."""
POLARS = set(
    "basics.optional basics.output_files data.inputs addons.protocols addons.spark evaluation.streaming.large_files "
    "evaluation.streaming.user_file addons.verification.adapters.judged_rows".split()
)
"""What may load polars: readers and writers of files, protocols, Spark, large texts, the maker of frames, polars_ds."""
PREFIX = "rankconv."
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


def floor(module: str) -> int:
    """How high a module is; the doors are one floor."""
    order = [*FLOORS, "", *ROOF, MAIN]
    return order.index("" if module in DOORS else module.partition(".")[0])


def upward(found: Imports) -> list[str]:
    """Imports of a higher floor."""
    pairs = [(one, other) for one, others in found.items() for other in sorted(others)]
    return [f"{one} imports {other}" for one, other in pairs if floor(one) < floor(other)]


def rooms(found: Imports, folder: str) -> dict[str, set[str]]:
    """Each room of a folder with those that it imports; what the folder's own `__init__` imports too."""
    inside = {one: room for one in found if (room := room_in(folder, one)) is not None}
    joined: dict[str, set[str]] = {room: set() for room in inside.values()}
    for one, room in inside.items():
        joined[room] |= {inside[other] for other in found[one] if other in inside} - {room}
    return joined


def room_in(folder: str, module: str) -> str | None:
    """The room of a module in a folder; '' is the folder's own `__init__`; none where it is elsewhere."""
    if module == folder:
        return ""
    return module[len(folder) + 1 :].partition(".")[0] if module.startswith(f"{folder}.") else None


def circle(found: Imports) -> list[str]:
    """Names each of which leads to the next, the last one being the first; none where there is no circle."""
    left: dict[str, set[str]] = {one: set(others) for one, others in found.items()}
    while ends := {one for one in left if not left[one] & left.keys()}:
        left = {one: others for one, others in left.items() if one not in ends}
    way = sorted(left)[:1]
    while way and way[-1] not in way[:-1]:
        way.append(min(left[way[-1]] & left.keys()))
    return way[way.index(way[-1]) :] if way else []


def test_every_folder_is_a_floor() -> None:
    folders = {name.partition(".")[0] for name in modules() if name not in DOORS}
    assert folders == {*FLOORS, *ROOF, MAIN}
    assert {name for name, others in imports().items() if "basics.lazy_names" in others} == {*DOORS}


def test_no_import_runs_upwards() -> None:
    found = upward(imports())
    assert not found, "\n".join(found)
    assert upward({"analysis.why": {"addons.gate"}, "cli": {"protocols"}}) == ["analysis.why imports addons.gate"]


def test_no_room_leads_back_to_itself() -> None:
    known = imports()
    folders = {name.rpartition(".")[0] for name in known if "." in name}
    circles = {folder: way for folder in sorted(folders) if (way := circle(rooms(known, folder)))}
    assert not circles
    assert circle(rooms({"a.b": {"a.c.d"}, "a.c.d": set(), "a.c.e": {"a.b"}}, "a")) == ["b", "c", "b"]


def named(source: ast.Module, known: Iterable[str]) -> Iterator[str]:
    """The modules of the package that texts name, docstrings aside; the package itself is ''.

    Of a text with a gap, as f"rankconv.cli.commands.{name}", it is what comes before the gap.
    """
    shown = {id(node.value) for node in ast.walk(source) if isinstance(node, ast.Expr)}
    for node in ast.walk(source):
        match node:
            case ast.JoinedStr([ast.Constant(str(text)), *_]) if text.startswith(PREFIX):
                yield text.rpartition(".")[0].removeprefix("rankconv").removeprefix(".")
            case ast.Constant(str(text)) if id(node) not in shown and text.removeprefix(PREFIX) in known:
                if "." in text and text != PREFIX:  # one word alone may mean anything
                    yield text.removeprefix(PREFIX)


def test_no_text_names_a_module_of_a_higher_floor() -> None:
    """What is imported by a text, `import_module("rankconv.…")`, runs to the same floor or down as well.

    `lazy_names` alone loads whatever it is given, which is what the doors name.
    """
    known = modules()
    found = {name: {*named(ast.parse(file.read_text()), known)} for name, file in known.items()}
    assert found.pop("basics.lazy_names") == {*DOORS}
    wrong = upward(found)
    assert not wrong, "\n".join(wrong)
    late = ast.parse('import_module("rankconv.engine.plan"), later("cli.app"), f"rankconv.addons.{name}", "metrics"')
    assert {*named(late, known)} == {"engine.plan", "cli.app", "addons"}


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
    allowed = {name: {one for one in POLARS if f"{name}.".startswith(f"{one}.")} for name in found}
    assert not [name for name, by in allowed.items() if not by]
    assert set().union(*allowed.values()) == POLARS
