"""`rankconv evaluate`: the numbers of a run."""

import shlex
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from rankconv.cli import files
from rankconv.cli.options import Catalogue, Columns, Digits, EvaluateFormat, Format, Metrics, Plugins, Progress, Seen
from rankconv.cli.printing import print_json, print_lines, print_table, say
from rankconv.errors import MetricError
from rankconv.writing import check_table, write_table


def evaluate(
    labels: Annotated[Path, typer.Argument(help="Labels: a file of any kind that is read; - for stdin.")],
    run: Annotated[list[Path], typer.Argument(help="One or more runs, or a folder of them; - for stdin.")],
    metric: Metrics,
    preset: Annotated[
        str, typer.Option("-p", "--preset", help="The preset that defines them; a name or a YAML file.")
    ] = "rankconv",
    form: Annotated[
        EvaluateFormat, typer.Option("--format", help="How to print; trec_eval: as that program does.")
    ] = EvaluateFormat.table,
    each_user: Annotated[bool, typer.Option("-q", help="With --format trec_eval: each user too.")] = False,
    per_user: Annotated[
        Path | None, typer.Option(help="Write each user's values to this file: .csv, .parquet or .jsonl.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file if there is one.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Say nothing of what may make the numbers lie.")] = False,
    digits: Digits = 4,
    seen: Seen = None,
    catalogue: Catalogue = None,
    progress: Progress = None,
    column: Columns = [],  # noqa: B006
    plugin: Plugins = [],  # noqa: B006
) -> None:
    """What are the numbers of a run under one preset?"""
    import rankconv as rc
    from rankconv.checking.warning import warned, warning

    files.load(plugin)
    if per_user:
        check_table(per_user, force=force)
    if each_user and form is not EvaluateFormat.trec_eval:
        raise MetricError("-q goes with --format trec_eval", do="For a table of all users: --per-user FILE.csv.")
    known, ranked = files.labels(labels, column), files.runs(run, column, labels)
    results, found, kept = [], [], bool(per_user or each_user or not quiet)
    for name, one in ranked.by_name.items():
        joined = rc.join(known, one, seen=files.path(seen), catalogue=catalogue)
        results.append(replace(rc.evaluate(joined, metric, preset, per_user=kept, progress=progress), run=name))
        found += [] if quiet else warned(joined, results[-1], digits if form is EvaluateFormat.table else 17)
    if found:
        say(warning(found, _check_command(labels, run, preset), several=len(results) > 1))
    if per_user:
        _write_per_user(results, per_user, force)
    _print(results, form, each_user, digits)


def _check_command(labels: Path, run: list[Path], preset: str) -> str:
    one = len(run) == 1 and not run[0].is_dir()
    return f"rankconv check {shlex.join([str(labels), str(run[0]) if one else 'RUN', '-p', preset])}"


def _write_per_user(results: list[Any], file: Path, force: bool) -> None:
    import polars as pl

    frames = [result.to_frame().with_columns(run=pl.lit(result.run)) for result in results]
    write_table(pl.concat(frames), file, force=force)


def _print(results: list[Any], form: EvaluateFormat, each_user: bool, digits: int) -> None:
    from rankconv.report.tables import result_table
    from rankconv.report.trec_lines import trec_lines

    if form is EvaluateFormat.trec_eval:
        for result in results:
            print_lines(trec_lines(result, each_user=each_user))
    elif form is EvaluateFormat.json:
        dicts = [result.to_dict() for result in results]
        print_json(dicts[0] if len(dicts) == 1 else dicts)
    else:
        for result in results:
            print_table(result_table(result, digits), Format(form.value))
