"""`rankconv compare`: the numbers of runs under several presets."""

import sys
from typing import Annotated, Any

import typer

from rankconv import five_users
from rankconv.cli import files
from rankconv.cli.options import Catalogue, Columns, Digits, Form, Format, LabelsFile, Metrics, Plugins, RunFiles, Seen
from rankconv.cli.printing import print_json, print_table, width
from rankconv.errors import MetricError

USUAL = ["ndcg@10", "map@10", "precision@10", "recall@10", "mrr@10"]
"""The metrics of a user's own data, unless he names others."""


def compare(
    labels: LabelsFile = None,
    run: RunFiles = None,
    metric: Metrics = [],  # noqa: B006
    preset: Annotated[
        list[str], typer.Option("-p", "--preset", help="A preset, may be repeated; 'all' for every one.")
    ] = [],  # noqa: B006
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

    files.load(plugin)
    if labels is not None and not run:
        raise MetricError(
            "labels were given, and no run", do="Pass a run file too, or no file at all for the five users."
        )
    known: Any = five_users.LABELS if labels is None else files.labels(labels, column)
    ranked: Any = five_users.RUN if not run else files.runs(run, column)
    asked = metric or (five_users.METRICS if labels is None else USUAL)
    if not run:
        print(f"No files given: {five_users.SOURCE}.", file=sys.stderr)
    found = rc.compare(known, ranked, asked, preset or None, seen=files.path(seen), catalogue=catalogue)
    if form is Format.json:
        print_json(found.to_dict())
        return
    print_table(comparison_table(found, digits, width() if form is Format.table else None), form)
