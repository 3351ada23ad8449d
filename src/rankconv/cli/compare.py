"""`rankconv compare`: the numbers of runs under several presets."""

from dataclasses import asdict, replace
from typing import Annotated, Any

import typer

from rankconv import five_users
from rankconv.cli import files
from rankconv.cli.options import (
    Catalogue,
    Columns,
    Digits,
    Form,
    Format,
    LabelsFile,
    Metrics,
    Plugins,
    Progress,
    RunFiles,
    Seen,
    Whole,
)
from rankconv.cli.printing import print_json, print_table
from rankconv.errors import MetricError
from rankconv.report.terminal import terminal_width

USUAL = ["ndcg@10", "map@10", "precision@10", "recall@10", "mrr@10"]
"""The metrics of a user's own data, unless he names others."""
MANY, FEW = 150, 12
"""From more rows on a comparison is summed up; what separates the presets is told of at most so many."""
ALL = "--whole prints every row and note, --by-value those who agree together, --format csv and json all"


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
    whole: Whole = False,
    seen: Seen = None,
    catalogue: Catalogue = None,
    progress: Progress = None,
    column: Columns = [],  # noqa: B006
    plugin: Plugins = [],  # noqa: B006
) -> None:
    """How do the numbers change with the definition? Without files: the five users of Bellei 2017."""
    import rankconv as rc

    files.load(plugin)
    if labels is not None and not run:
        raise MetricError(
            "labels were given, and no run", do="Pass a run file too, or no file at all for the five users."
        )
    known, ranked = files.several_runs(labels, run or [], column)
    asked = metric or (five_users.METRICS if labels is None else USUAL)
    more: dict[str, Any] = {"seen": files.path(seen), "catalogue": catalogue, "progress": progress}
    found = rc.compare(known, ranked, asked, preset or None, **more)
    if by_value:
        _print_by_value(found, digits, form)
    elif form is Format.json:
        print_json(found.to_dict())
    else:
        _print_grid(found, digits, form, whole or form is not Format.table)


def _print_grid(found: Any, digits: int, form: Format, whole: bool) -> None:
    from rankconv.report.tables import comparison_summary, comparison_table, short_notes

    if not whole and len(found.presets) * len(found.runs) > MANY:
        table = comparison_summary(found, digits)
        told = f"{len(found.presets)} presets and {len(found.runs)} runs, in short"
    else:
        table = comparison_table(found, digits, terminal_width() if form is Format.table else None)
        if whole or len(found.presets) <= FEW:
            print_table(table, form)
            return
        table, told = replace(table, notes=short_notes(found)), "What parts so many presets is left out"
    print_table(replace(table, notes=[*table.notes, f"{told}: {ALL}."]), form)


def _print_by_value(found: Any, digits: int, form: Format) -> None:
    from rankconv.report.by_value import comparison_lines, comparison_values

    if form is Format.table:
        print(comparison_lines(found, terminal_width(), digits))
    elif form is Format.json:
        print_json({metric: [asdict(one) for one in found.by_value(metric, digits)] for metric in found.metrics})
    else:
        print_table(comparison_values(found, digits), form)
