"""The files that a command names: plugins, labels and runs."""

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankconv import five_users
from rankconv.cli import commands
from rankconv.cli.printing import say
from rankconv.errors import InputError, MetricError
from rankconv.escaping import printable
from rankconv.plugins import load_plugin

if TYPE_CHECKING:
    from rankconv.inputs.columns import Side

ROLES = ("user", "item", "grade", "group", "score", "rank", "rating", "time")


def load(plugins: list[Path]) -> None:
    """Run the plugin files, when all names of commands are known that they cannot take."""
    if plugins:
        commands.load_all()
    for file in plugins:
        load_plugin(file)


def path(file: Path | None) -> str | None:
    """A path as text, which the readers take."""
    return None if file is None else str(file)


def beside(seen: Path | None, catalogue: str | None, train: Path | None, features: Path | None) -> dict[str, Any]:
    """What is given beside labels and runs, as the functions of Python take it."""
    size = int(catalogue) if catalogue and catalogue.lstrip("-").isdecimal() else catalogue
    return {"seen": path(seen), "catalogue": size, "train": path(train), "features": path(features)}


def labels(file: Path, columns: list[str], quiet: bool = False) -> Any:
    """The labels of a file, with the columns that the caller named; `quiet` says nothing of those that were guessed."""
    import rankconv as rc

    told = _of_side(columns, "labels")
    found = rc.Labels(str(file), **told)
    if not quiet:
        _say_columns(file, found, told)
    return found


def interactions(file: Path, columns: list[str]) -> Any:
    """The items that users had, of a file whose columns may be called as those of the labels."""
    from rankconv import inputs

    told = _of_side(columns, "labels")
    return inputs.interactions(str(file), **{role: name for role, name in told.items() if role in ("user", "item")})


def rankings(file: Path, columns: list[str], labels: Path | None = None, quiet: bool = False) -> Any:
    """One run; where the labels are a LETOR file, also the bare scores of its lines."""
    import rankconv as rc
    from rankconv.inputs.scores import scored_lines

    told = _of_side(columns, "run")
    letor = None if labels is None else scored_lines(str(file), str(labels))
    found = rc.Run(str(file), **told, letor=letor)
    if not quiet:
        _say_columns(file, found, told)
    return found


def ratings(file: Path, columns: list[str], quiet: bool = False) -> Any:
    """Ratings of a file, with the columns that the caller named; `quiet` says nothing of those that were guessed."""
    import rankconv as rc
    from rankconv import protocols

    told = {role: name for role, name in named(columns).items() if role in ("user", "item", "rating", "time")}
    found = protocols.Ratings(str(file), **told)
    if not quiet:
        _say_columns(file, found, told)
    return found


def run_files(files: list[Path]) -> dict[str, Path]:
    """The file of each run by the run's name; a folder stands for all files in it."""
    from rankconv.inputs.folder import named_by_file, runs_in

    return named_by_file([run for file in files for run in (runs_in(file).values() if file.is_dir() else [file])])


def runs(
    files: list[Path],
    columns: list[str],
    labels: Path | None = None,
    quiet: bool = False,
    skip_broken: bool | None = None,
) -> Any:
    """Several runs, named by their files; `skip_broken` names those that cannot be read, and goes on."""
    import rankconv as rc

    found: dict[str, Any] = {}
    for name, file in run_files(files).items():
        try:
            found[name] = rankings(file, columns, labels, quiet)
        except InputError as error:
            if skip_broken is None:
                raise
            if not skip_broken:
                allowed = f"{error.allowed} --skip-broken goes on without it".strip()
                raise error.replace(allowed=allowed).at(f"run '{name}'") from None
            say(f"Left out: run '{name}' cannot be read: {error.on_command_line}")
    return rc.Runs(found)


def one_run(labels_file: Path | None, run: Path | None, columns: list[str], quiet: bool = False) -> tuple[Any, Any]:
    """Labels and a run; without files those of the five users, and a line that says so."""
    if labels_file is None or run is None:
        return _five_users(labels_file, quiet)
    return labels(labels_file, columns, quiet), rankings(run, columns, labels_file, quiet)


def several_runs(
    labels_file: Path | None, run: list[Path], columns: list[str], quiet: bool = False, skip_broken: bool | None = None
) -> tuple[Any, Any]:
    """Labels and several runs; without files those of the five users, and a line that says so.

    `skip_broken` is what the option says; None where a command has none.
    """
    if labels_file is None or not run:
        return _five_users(labels_file, quiet)
    return labels(labels_file, columns, quiet), runs(run, columns, labels_file, quiet, skip_broken)


def refuse_with_memory(options: dict[str, Any]) -> None:
    """A MetricError for what needs all users at once."""
    for name, value in options.items():
        if value:
            raise MetricError(f"{name} keeps users, and with --memory none is kept", do="Leave out one of the two.")


def in_batches(labels: Path | None, run: list[Path]) -> tuple[str, dict[str, str]]:
    """Labels and runs that are read within a budget, by their paths: a folder is one run, in parts."""
    from rankconv.inputs.folder import named_by_file

    if labels is None or not run:
        raise MetricError("--memory is for files, and none are given", do="Pass labels and a run.")
    return str(labels), {name: str(file) for name, file in named_by_file(run).items()}


def _five_users(labels_file: Path | None, quiet: bool) -> tuple[Any, Any]:
    import rankconv as rc

    if labels_file is not None:
        do = "Pass a run too, or no file at all for the five users."
        raise MetricError("labels were given, and no run", do=do)
    if not quiet:
        say(f"No files given: {five_users.SOURCE}.")
    return rc.Labels(five_users.LABELS), rc.Run(five_users.RUN)


def named(columns: list[str]) -> dict[str, Any]:
    """The column of each role, of both sides or of one, that the caller named; an InputError for what names none."""
    from rankconv.inputs.columns import ROLES_OF

    sided = [f"{side}.{role}" for side, roles in ROLES_OF.items() for role in roles]
    pairs = [column.partition("=") for column in columns]
    for role, sign, name in pairs:
        if role not in (*ROLES, *sided) or not (sign and name):
            allowed = f"Write --column user=NAME, or user=NAME,NAME; besides user: {', '.join(ROLES[1:])}; "
            allowed += "of one side alone: run.item, labels.user, …"
            raise InputError(f"'{role}{sign}{name}' does not name a column", allowed=allowed)
    return {role: _column(name) for role, _, name in pairs}


def _of_side(columns: list[str], side: "Side") -> dict[str, Any]:
    """The names that the caller gave to columns of labels, or of a run."""
    from rankconv.inputs.columns import of_side

    told = {role: name for role, name in named(columns).items() if role not in ("rating", "time")}
    return {role: name for role, name in of_side(told, side).items() if name is not None}


def _column(name: str) -> str | tuple[str, ...]:
    """One column; several of a compound id, `uid,given`; a name that holds a comma stands in quotes."""
    parts = next(csv.reader([name])) if "," in name else [name]
    return parts[0] if len(parts) == 1 else tuple(parts)


def _say_columns(file: Path, data: Any, named: Mapping[str, str]) -> None:
    """One line on which columns were taken, where that was a guess, and one on what is assumed without numbers."""
    guessed = {role: column for role, column in data.columns.items() if role not in named}
    if any(column.casefold() != role for role, column in guessed.items()):
        said = ", ".join(f"{role} = {data.columns[role]}" for role in ROLES if role in data.columns)
        say(printable(f"{file.name}: {said}"))
    if data.assumed:
        say(printable(f"{file.name}: {data.assumed}"))
