"""`rankconv evaluate`: the numbers of a run."""

from pathlib import Path
from typing import Annotated, Any

import typer

from rankconv.cli import files
from rankconv.cli.options import Catalogue, Columns, Digits, Form, Format, Metrics, Plugins, Seen
from rankconv.cli.printing import print_json, print_table
from rankconv.errors import InputError


def evaluate(
    labels: Annotated[Path, typer.Argument(help="Labels: a file of any kind that is read; - for stdin.")],
    run: Annotated[list[Path], typer.Argument(help="One or more runs, or a folder of them; - for stdin.")],
    metric: Metrics,
    preset: Annotated[
        str, typer.Option("-p", "--preset", help="The preset that defines them; a name or a YAML file.")
    ] = "rankconv",
    form: Form = Format.table,
    per_user: Annotated[Path | None, typer.Option(help="Write each user's values to this CSV file.")] = None,
    digits: Digits = 4,
    seen: Seen = None,
    catalogue: Catalogue = None,
    column: Columns = [],  # noqa: B006
    plugin: Plugins = [],  # noqa: B006
) -> None:
    """What are the numbers of a run under one preset?"""
    import rankconv as rc
    from rankconv.report.tables import result_table

    files.load(plugin)
    known, ranked = files.labels(labels, column), files.runs(run, column)
    results = rc.evaluate(known, ranked, metric, preset, seen=files.path(seen), catalogue=catalogue)
    if per_user:
        _write_per_user(per_user, list(results.values()))
    if form is Format.json:
        dicts = [result.to_dict() for result in results.values()]
        print_json(dicts[0] if len(dicts) == 1 else dicts)
        return
    for result in results.values():
        print_table(result_table(result, digits), form)


def _write_per_user(file: Path, results: list[Any]) -> None:
    import polars as pl

    if file.suffix != ".csv":
        raise InputError(f"--per-user writes CSV, and {file} does not end in .csv")
    frames = [result.to_frame().with_columns(pl.lit(result.run).alias("run")) for result in results]
    try:
        pl.concat(frames).write_csv(file)
    except OSError as problem:
        raise InputError(f"cannot write {file}: {problem.strerror or problem}") from None
