"""`rankconv sensitivity`: how much a number depends on its definition."""

from pathlib import Path
from typing import Annotated, Any

import typer

from rankconv.cli import files
from rankconv.cli.asking import at_cutoff, chosen_users
from rankconv.cli.options import (
    Catalogue,
    Columns,
    Cutoffs,
    Digits,
    Features,
    Form,
    Format,
    LabelsFile,
    Plugins,
    Quiet,
    RunFiles,
    Seen,
    Train,
    Users,
    Whole,
)
from rankconv.cli.printing import print_json, print_lines, print_table
from rankconv.errors import InputError
from rankconv.pages.terminal import terminal_width
from rankconv.plugins import command_after


@command_after("why")
def sensitivity(
    metric: Annotated[str, typer.Option("-m", "--metric", help="One metric, such as ndcg@10.")],
    labels: LabelsFile = None,
    run: RunFiles = None,
    preset: Annotated[
        list[str], typer.Option("-p", "--preset", help="A preset, or a group such as search; all without.")
    ] = [],  # noqa: B006
    k: Cutoffs = "",
    user: Users = [],  # noqa: B006
    cutoffs: Annotated[str, typer.Option(help="Cutoffs to vary over: 5,10,20.")] = "",
    thresholds: Annotated[str, typer.Option(help="Grades from which an item is relevant: 1,2,4.")] = "",
    plot: Annotated[Path | None, typer.Option(help="Draw a heat map and lines into this SVG or PNG file.")] = None,
    form: Form = Format.table,
    digits: Digits = 4,
    quiet: Quiet = False,
    whole: Whole = False,
    seen: Seen = None,
    catalogue: Catalogue = None,
    train: Train = None,
    features: Features = None,
    column: Columns = [],  # noqa: B006
    plugin: Plugins = [],  # noqa: B006
) -> None:
    """How much does a number depend on its definition? Without files: on the five users of Bellei 2017."""
    import rankconv as rc
    from rankconv.ask.sensitivity.sensitivity import known_to

    files.load(plugin)
    metric = at_cutoff(metric, k)
    known_to(metric, preset or None)
    known, ranked = files.several_runs(labels, run or [], column, quiet)
    varied: dict[str, Any] = {
        "k": _numbers(cutoffs, "--cutoffs"),
        "thresholds": _numbers(thresholds, "--thresholds"),
    }
    varied |= {**files.beside(seen, catalogue, train, features), "users": chosen_users(user, known, ranked)}
    found = rc.sensitivity(known, ranked, metric, preset or None, **varied)
    if plot is not None:
        found.plot(plot, digits)
    _print(found, form, digits, whole)


def _numbers(text: str, option: str) -> list[float]:
    from rankconv.questions.answer_text import read_number

    parts = [part.strip() for part in text.split(",") if part.strip()]
    numbers = [read_number(part) for part in parts]
    for part, number in zip(parts, numbers, strict=True):
        if number is None:
            raise InputError(f"'{part}' is not a number", where=option, do=f"Write, for instance, {option} 1,2,4.")
    return [number for number in numbers if number is not None]


def _print(found: Any, form: Format, digits: int, whole: bool) -> None:
    if form is Format.json:
        print_json(found.to_dict())
    elif form is Format.table:
        print_lines([found.text(terminal_width(), digits, whole=whole)])
    else:
        print_table(found.table(digits), form)
