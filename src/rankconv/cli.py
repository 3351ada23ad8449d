"""The command line: each command calls one public function and prints what it gives."""

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from rankconv import five_users
from rankconv.errors import InputError, MetricError, RankingError
from rankconv.plugins import load_plugin

app = typer.Typer(
    help="Ranking metrics whose definitions are data.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


class Format(StrEnum):
    """How a result is printed."""

    table = "table"
    json = "json"
    csv = "csv"
    markdown = "markdown"
    latex = "latex"


Metrics = Annotated[
    list[str], typer.Option("-m", "--metric", help="A metric, such as ndcg@10 or map@5,10; may be repeated.")
]
Plugins = Annotated[list[Path], typer.Option("--plugin", help="A Python file that adds metrics or answers; it is run.")]
Form = Annotated[Format, typer.Option("--format", help="How to print.")]
Digits = Annotated[int, typer.Option(min=0, max=17, help="Decimals in tables.")]
Seen = Annotated[Path | None, typer.Option(help="Items that users had seen, as labels; for presets with drop=seen.")]
Catalogue = Annotated[int | None, typer.Option(min=1, help="Number of items there are, for presets that need it.")]
Columns = Annotated[
    list[str],
    typer.Option("--column", help="Name a column: user=uid; also item, grade, score, rank. May be repeated."),
]
LabelsFile = Annotated[Path | None, typer.Argument(help="Labels: CSV, TSV or TREC qrels.")]
RunFiles = Annotated[list[Path] | None, typer.Argument(help="One or more runs: CSV, TSV or TREC run.")]


@app.command()
def evaluate(
    labels: Annotated[Path, typer.Argument(help="Labels: CSV, TSV or TREC qrels.")],
    run: Annotated[list[Path], typer.Argument(help="One or more runs: CSV, TSV or TREC run.")],
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

    _load(plugin)
    results = rc.evaluate(
        _labels(labels, column), _runs(run, column), metric, preset, seen=_path(seen), catalogue=catalogue
    )
    if per_user:
        _write_per_user(per_user, list(results.values()))
    if form is Format.json:
        dicts = [result.to_dict() for result in results.values()]
        print(json.dumps(dicts[0] if len(dicts) == 1 else dicts, indent=2))
        return
    for result in results.values():
        _print_table(result_table(result, digits), form)


@app.command()
def compare(
    labels: LabelsFile = None,
    run: RunFiles = None,
    metric: Metrics = [],  # noqa: B006
    preset: Annotated[
        list[str], typer.Option("-p", "--preset", help="A preset, a group such as search, or all; may be repeated.")
    ] = [],  # noqa: B006
    by_value: Annotated[
        bool, typer.Option(help="Group the presets by their numbers, and say what parts them.")
    ] = False,
    form: Form = Format.table,
    digits: Digits = 4,
    seen: Seen = None,
    catalogue: Catalogue = None,
    column: Columns = [],  # noqa: B006
    plugin: Plugins = [],  # noqa: B006
) -> None:
    """How do the numbers change with the definition? Without files: the five users of Bellei 2017."""
    import rankconv as rc
    from rankconv.report.tables import comparison_table

    _load(plugin)
    if labels is not None and not run:
        raise MetricError(
            "labels were given, and no run", do="Pass a run file too, or no file at all for the five users."
        )
    known: Any = five_users.LABELS if labels is None else _labels(labels, column)
    ranked: Any = five_users.RUN if not run else _runs(run, column)
    asked = metric or (
        five_users.METRICS if labels is None else ["ndcg@10", "map@10", "precision@10", "recall@10", "mrr@10"]
    )
    if not run:
        print(f"No files given: {five_users.SOURCE}.", file=sys.stderr)
    found = rc.compare(known, ranked, asked, preset or None, seen=_path(seen), catalogue=catalogue)
    if by_value:
        _print_by_value(found, digits, form)
        return
    if form is Format.json:
        print(json.dumps(found.to_dict(), indent=2))
        return
    _print_table(comparison_table(found, digits, _width() if form is Format.table else None), form)


@app.command()
def show(
    name: Annotated[str, typer.Argument(help="A preset: its name or its YAML file.")],
    against: Annotated[
        str | None, typer.Option(help="Show only the answers in which it differs from this preset.")
    ] = None,
    metric: Metrics = [],  # noqa: B006
    plugin: Plugins = [],  # noqa: B006
) -> None:
    """What does a preset say? With -m: every answer behind one metric. With --against: only the differences."""
    from rankconv.presets.registry import neutral_answers, preset
    from rankconv.report import preset_pages

    _load(plugin)
    owner = preset(name)
    if against:
        keys = [definition.key for text in metric for definition in owner.define(text)]
        _print_lines(preset_pages.difference_page(owner, preset(against), keys))
        return
    for text in metric:
        for definition in owner.define(text):
            _print_lines(preset_pages.definition_page(definition, definition.fingerprint_over(neutral_answers())))
    if not metric:
        _print_lines(preset_pages.preset_page(owner))


@app.command()
def presets(form: Form = Format.table) -> None:
    """Which presets are there?"""
    from rankconv.report.preset_list import presets_table

    _print_table(presets_table(), form)


@app.command()
def metrics(form: Form = Format.table, plugin: Plugins = []) -> None:  # noqa: B006
    """Which metrics are there?"""
    from rankconv.report.preset_pages import metrics_table

    _load(plugin)
    _print_table(metrics_table(), form)


@app.command()
def schema(plugin: Plugins = []) -> None:  # noqa: B006
    """The JSON Schema of preset files, for editors."""
    from rankconv.presets.schema import preset_schema

    _load(plugin)
    print(json.dumps(preset_schema(), indent=2, ensure_ascii=False))


def _print_by_value(found: Any, digits: int, form: Format) -> None:
    from rankconv.report.by_value import comparison_lines, comparison_values

    if form is Format.table:
        print(comparison_lines(found, _width(), digits))
    elif form is Format.json:
        groups = {metric: [asdict(one) for one in found.by_value(metric, digits)] for metric in found.metrics}
        print(json.dumps(groups, indent=2))
    else:
        _print_table(comparison_values(found, digits), form)


def _load(plugins: list[Path]) -> None:
    for file in plugins:
        load_plugin(file)


def _path(file: Path | None) -> str | None:
    return None if file is None else str(file)


def _labels(file: Path, columns: list[str]) -> Any:
    import rankconv as rc

    return rc.labels(str(file), **_named(columns, ("user", "item", "grade")))


def _runs(files: list[Path], columns: list[str]) -> Any:
    import rankconv as rc

    named = _named(columns, ("user", "item", "score", "rank"))
    names = [file.stem for file in files]
    if len(set(names)) < len(names):
        names = [str(file) for file in files]
    return rc.runs(**{name: rc.rankings(str(file), **named) for name, file in zip(names, files, strict=True)})


def _named(columns: list[str], roles: tuple[str, ...]) -> dict[str, str]:
    pairs = [column.partition("=") for column in columns]
    for role, sign, name in pairs:
        if role not in ("user", "item", "grade", "score", "rank") or not (sign and name):
            allowed = "Write --column user=NAME; besides user: item, grade, score, rank"
            raise InputError(f"'{role}{sign}{name}' does not name a column", allowed=allowed)
    return {role: name for role, _, name in pairs if role in roles}


def _write_per_user(file: Path, results: list[Any]) -> None:
    import polars as pl

    if file.suffix != ".csv":
        raise InputError(f"--per-user writes CSV, and {file} does not end in .csv")
    frames = [result.to_frame().with_columns(pl.lit(result.run).alias("run")) for result in results]
    try:
        pl.concat(frames).write_csv(file)
    except OSError as problem:
        raise InputError(f"cannot write {file}: {problem.strerror or problem}") from None


def _width() -> int:
    from rich.console import Console

    return Console().width


def _print_table(table: Any, form: Format) -> None:
    from rich.console import Console

    if form is Format.table:
        console = Console(width=max(table.width + 4, _width()) if not sys.stdout.isatty() else None)
        console.print(table.rich())
        for note in table.notes:
            console.print(note, markup=False, highlight=False)
    elif form is Format.json:
        rows = [dict(zip(table.headers, row, strict=True)) for row in table.rows]
        print(json.dumps(rows, indent=2, ensure_ascii=False))
    else:
        print(getattr(table, form.value)(), end="" if form is Format.csv else "\n")


def _print_lines(lines: Iterator[str]) -> None:
    for line in lines:
        print(line)


def main() -> None:
    """Run a command; an error of the user's is one message and exit code 2."""
    try:
        app()
    except RankingError as error:
        print(f"rankconv: {error}", file=sys.stderr)
        raise SystemExit(2) from None
