"""`rankconv check`: the lint before the number."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from rankconv.cli import files
from rankconv.cli.options import Catalogue, Columns, Features, Memory, Metrics, Plugins, Progress, Quiet, Seen, Temp
from rankconv.cli.printing import print_json, print_lines
from rankconv.pages.terminal import terminal_width
from rankconv.plugins import command_after


class Form(StrEnum):
    """How findings are printed."""

    text = "text"
    markdown = "markdown"
    json = "json"


@command_after("compare")
def check(
    labels: Annotated[Path, typer.Argument(help="Labels: a file of any kind that is read; - for stdin.")],
    run: Annotated[Path, typer.Argument(help="A run; - for stdin.")],
    metric: Metrics = [],  # noqa: B006
    preset: Annotated[
        list[str], typer.Option("-p", "--preset", help="A preset, a group such as search, or all; may be repeated.")
    ] = [],  # noqa: B006
    k: Annotated[
        int | None, typer.Option("-k", "--cutoff", min=1, help="The cutoff; the deepest of the metrics unless said.")
    ] = None,
    quiet: Quiet = False,
    train: Annotated[Path | None, typer.Option(help="What the model learned from, as labels.")] = None,
    form: Annotated[Form, typer.Option("--format", help="How to print.")] = Form.text,
    seen: Seen = None,
    catalogue: Catalogue = None,
    features: Features = None,
    memory: Memory = None,
    temp: Temp = None,
    progress: Progress = None,
    column: Columns = [],  # noqa: B006
    plugin: Plugins = [],  # noqa: B006
) -> None:
    """What in these data makes metrics lie, and which numbers does it move? Exit code 1 where something is found."""
    import rankconv as rc
    from rankconv.ask.check.check import asked_of_check

    files.load(plugin)
    asked_of_check(metric or None, preset or None, k)
    learned = None if train is None else files.interactions(train, column)
    given: dict[str, Any] = files.beside(seen, catalogue, None, features) | {"train": learned, "temp_dir": temp}
    known: Any = str(labels)
    ranked: Any = str(run)
    if memory is None:
        known, ranked = files.labels(labels, column, quiet), files.rankings(run, column, labels, quiet)
    else:
        files.refuse_with_memory({"--seen": seen})
        given |= {"memory": memory, "columns": files.named(column), "progress": progress}
    found = rc.check(known, ranked, metric or None, preset or None, k=k, **given)
    if form is Form.json:
        print_json(found.to_dict())
    elif form is Form.markdown:
        print_lines([found.to_markdown()])
    else:
        print_lines([found.to_text(terminal_width())])
    if not found.clean:
        raise typer.Exit(1)
