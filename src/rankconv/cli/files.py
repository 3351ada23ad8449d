"""The files that a command names: plugins, labels and runs."""

from pathlib import Path
from typing import Any

from rankconv.errors import InputError
from rankconv.plugins import load_plugin


def load(plugins: list[Path]) -> None:
    """Run the plugin files."""
    for file in plugins:
        load_plugin(file)


def path(file: Path | None) -> str | None:
    """A path as text, which the readers take."""
    return None if file is None else str(file)


def labels(file: Path, columns: list[str]) -> Any:
    """The labels of a file, with the columns that the caller named."""
    import rankconv as rc

    return rc.labels(str(file), **_named(columns, ("user", "item", "grade")))


def rankings(file: Path, columns: list[str]) -> Any:
    """One run."""
    import rankconv as rc

    return rc.rankings(str(file), **_named(columns, ("user", "item", "score", "rank")))


def runs(files: list[Path], columns: list[str]) -> Any:
    """Several runs, named by their files; a folder stands for all files in it."""
    import rankconv as rc
    from rankconv.inputs.folder import named_by_file, runs_in

    each = [run for file in files for run in (runs_in(file).values() if file.is_dir() else [file])]
    return rc.runs({name: rankings(file, columns) for name, file in named_by_file(each).items()})


def _named(columns: list[str], roles: tuple[str, ...]) -> dict[str, Any]:
    pairs = [column.partition("=") for column in columns]
    for role, sign, name in pairs:
        if role not in ("user", "item", "grade", "score", "rank") or not (sign and name):
            allowed = "Write --column user=NAME; besides user: item, grade, score, rank"
            raise InputError(f"'{role}{sign}{name}' does not name a column", allowed=allowed)
    return {role: name for role, _, name in pairs if role in roles}
