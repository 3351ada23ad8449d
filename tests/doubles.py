"""Names of the source that have two meanings, or none: `python -m tests.doubles` prints them.

Types (classes, aliases, type variables) and files are named once, and a constant of a convention as its convention.
A function, method, property or field is not called by a word that says nothing of what comes.
"""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import rankconv

SOURCE = Path(rankconv.__file__).parent
COMPAT = SOURCE / "compat"
EMPTY_WORDS = {"held", "named", "parts", "pieces", "said", "sides", "written"}
"""Each was the name of functions that give texts, files, settings and sums."""
Places = dict[str, list[str]]
"""Where each name is given, as `file:line`."""


def sources() -> dict[Path, ast.Module]:
    """The parsed files of the package."""
    return {file: ast.parse(file.read_text()) for file in sorted(SOURCE.rglob("*.py"))}


def type_names(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Classes at any depth, and what a module or a class binds to a name in capitals and small letters.

    A type variable of one letter, and a constant in capitals, are none.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            yield node.name, node.lineno
        if isinstance(node, ast.Module | ast.ClassDef):
            for statement in node.body:
                yield from ((name, statement.lineno) for name in bound(statement) if is_of_a_type(name))


def bound(statement: ast.stmt) -> Iterator[str]:
    """The names that an assignment gives, or the statement `type`, which Python has from 3.12 on."""
    match statement:
        case ast.Assign(targets=targets):
            given = [one for target in targets for one in getattr(target, "elts", [target])]
            yield from (one.id for one in given if isinstance(one, ast.Name))
        case ast.AnnAssign(target=ast.Name(name)):
            yield name
        case _ if type(statement).__name__ == "TypeAlias":
            yield statement.name.id  # type: ignore[attr-defined]


def is_of_a_type(name: str) -> bool:
    """Whether a name is written as that of a type: `Block`, `_Start`."""
    return name.lstrip("_")[:1].isupper() and not name.isupper()


def of_other_libraries(file: Path, tree: ast.Module) -> set[str]:
    """Names that are not ours to choose: a module of `compat` exports what the other library calls so."""
    lists = [node.value for node in tree.body if isinstance(node, ast.Assign) and "__all__" in bound(node)]
    return {name for one in lists for name in ast.literal_eval(one)} if file.is_relative_to(COMPAT) else set()


def double_types(trees: dict[Path, ast.Module]) -> Places:
    """Names of types that are given more than once."""
    found: Places = defaultdict(list)
    for file, tree in trees.items():
        excepted = of_other_libraries(file, tree)
        for name, line in type_names(tree):
            if name not in excepted:
                found[name.lstrip("_")].append(f"{file.relative_to(SOURCE)}:{line}")
    return twice(found)


def double_files(files: dict[Path, ast.Module]) -> Places:
    """Names of files that occur in two folders; `__init__` is none."""
    found: Places = defaultdict(list)
    for file in files:
        if not file.name.startswith("__"):
            found[file.name].append(str(file.relative_to(SOURCE)))
    return twice(found)


def twice(places: Places) -> Places:
    """What has more than one place."""
    return {name: where for name, where in sorted(places.items()) if len(where) > 1}


def misnamed_constants(trees: dict[Path, ast.Module]) -> Places:
    """Constants of conventions, each with the name that it should have and does not: GAIN for "gain"."""
    found: Places = defaultdict(list)
    for file, tree in trees.items():
        for node in tree.body:
            match node:
                case ast.Assign([ast.Name(name)], ast.Call(ast.Name("Convention"), [ast.Constant(text), *_])):
                    wanted = str(text).upper().replace("-", "_")
                    if name != wanted:
                        found[name].append(f"{file.relative_to(SOURCE)}:{node.lineno}, should be {wanted}")
    return found


def given_names(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Names of functions, methods and properties, and of fields: of a class, or set on `self`."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name) | ast.AsyncFunctionDef(name):
                yield name, node.lineno
            case ast.ClassDef(body=body):
                yield from ((name, statement.lineno) for statement in body for name in bound(statement))
            case ast.Attribute(ast.Name("self"), name, ast.Store()):
                yield name, node.lineno


def empty_names(trees: dict[Path, ast.Module]) -> Places:
    """Functions and fields whose name is one of `EMPTY_WORDS`, also with an underscore before it."""
    found: Places = defaultdict(list)
    for file, tree in trees.items():
        for name, line in given_names(tree):
            if name.lstrip("_") in EMPTY_WORDS:
                found[name].append(f"{file.relative_to(SOURCE)}:{line}")
    return found


def doubles() -> Places:
    """All that this file finds."""
    trees = sources()
    return double_types(trees) | double_files(trees) | misnamed_constants(trees) | empty_names(trees)


if __name__ == "__main__":
    for name, where in doubles().items():
        print(f"{name}: {'; '.join(where)}")
