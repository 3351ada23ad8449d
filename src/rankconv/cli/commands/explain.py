"""`rankconv explain`: one user's number worked out as in a textbook."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from rankconv.cli import files
from rankconv.cli.asking import at_cutoff
from rankconv.cli.options import Catalogue, Columns, Cutoffs, Features, LabelsFile, Plugins, Quiet, Seen, Train
from rankconv.cli.printing import print_json
from rankconv.errors import MetricError
from rankconv.pages.terminal import terminal_width
from rankconv.plugins import command_after


class Form(StrEnum):
    """How an explanation is printed."""

    text = "text"
    markdown = "markdown"
    latex = "latex"
    json = "json"


@command_after("check")
def explain(
    metric: Annotated[str, typer.Option("-m", "--metric", help="One metric, such as ndcg@10; several with --table.")],
    user: Annotated[str, typer.Option("-u", "--user", help="The id of the user.")],
    labels: LabelsFile = None,
    run: Annotated[Path | None, typer.Argument(help="A run: CSV, TSV or TREC run.")] = None,
    preset: Annotated[
        str, typer.Option("-p", "--preset", help="The preset that defines it; a name or a YAML file.")
    ] = "rankconv",
    against: Annotated[str | None, typer.Option(help="Put the working of this preset beside it.")] = None,
    table: Annotated[bool, typer.Option("--table", help="Print the metrics at each rank, not the working.")] = False,
    form: Annotated[Form, typer.Option("--format", help="How to print.")] = Form.text,
    plot: Annotated[Path | None, typer.Option(help="Draw the list into this SVG or PNG file.")] = None,
    k: Cutoffs = "",
    quiet: Quiet = False,
    seen: Seen = None,
    catalogue: Catalogue = None,
    train: Train = None,
    features: Features = None,
    column: Columns = [],  # noqa: B006
    plugin: Plugins = [],  # noqa: B006
) -> None:
    """How does one user's number come about? Without files: one of the five users of Bellei 2017."""
    import rankconv as rc
    from rankconv.ask.explain.explain import sides

    files.load(plugin)
    metric = at_cutoff(metric, k)
    if table:
        _check_table(against, plot)
    else:
        sides(metric, preset, against)
    known, ranked = files.one_run(labels, run, column, quiet)
    given: dict[str, Any] = {**files.beside(seen, catalogue, train, features)}
    if table:
        _print(rc.by_rank(known, ranked, metric, user=user, preset=preset, **given), form)
        return
    found = rc.explain(known, ranked, metric, user=user, preset=[preset, against], **given)
    if plot is not None:
        found.plot(plot)
    _print(found, form)


def _check_table(against: str | None, plot: Path | None) -> None:
    if against is not None:
        raise MetricError(
            "--against goes without --table", do="Name presets in the metrics: -m trec_eval:map,mllib:map."
        )
    if plot is not None:
        raise MetricError("--plot goes without --table", do="Leave out one of the two.")


def _print(found: Any, form: Form) -> None:
    if form is Form.json:
        print_json(found.to_dict())
    elif form is Form.text:
        print(found.text(terminal_width()))
    else:
        print(getattr(found, form.value)())
