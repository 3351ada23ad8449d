"""`rankconv why`: the difference between two definitions' numbers, divided over their answers."""

import shlex
from pathlib import Path
from typing import Annotated, Any

import typer

from rankconv.cli import files
from rankconv.cli.asking import at_cutoff, chosen_users
from rankconv.cli.options import Catalogue, Columns, Cutoffs, Features, Form, Format, Plugins, Quiet, Seen, Train, Users
from rankconv.cli.printing import print_json, print_lines, print_table
from rankconv.errors import InputError
from rankconv.pages.terminal import terminal_width
from rankconv.plugins import command_after


@command_after("identify")
def why(
    asked: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[LABELS RUN] [A B]",
            help="Labels and a run, then two presets, or specs such as 'mllib:ndcg(ties=expected)@10'.",
        ),
    ] = None,
    metric: Annotated[str | None, typer.Option("-m", "--metric", help="One metric, such as ndcg@10.")] = None,
    preset: Annotated[
        list[str], typer.Option("-p", "--preset", help="One of the two presets or specs; given twice.")
    ] = [],  # noqa: B006
    k: Cutoffs = "",
    user: Users = [],  # noqa: B006
    quiet: Quiet = False,
    form: Form = Format.table,
    digits: Annotated[int | None, typer.Option(min=0, max=17, help="Decimals; enough for the difference.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the waterfall into this SVG or PNG file.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Where orders are drawn: another one draws others.")] = 0,
    seen: Seen = None,
    catalogue: Catalogue = None,
    train: Train = None,
    features: Features = None,
    column: Columns = [],  # noqa: B006
    plugin: Plugins = [],  # noqa: B006
) -> None:
    """Why do two definitions give different numbers? Without files: on the five users of Bellei 2017."""
    import rankconv as rc
    from rankconv.ask.why.sides import side

    files.load(plugin)
    given, (ours, other) = _checked(asked or [], preset)
    metric = at_cutoff(metric, k) if metric else None
    side(ours, metric), side(other, metric)
    labels, run = (Path(given[0]), Path(given[1])) if given else (None, None)
    known, ranked = files.one_run(labels, run, column, quiet)
    needed: dict[str, Any] = {**files.beside(seen, catalogue, train, features)}
    users = chosen_users(user, known, ranked)
    found = rc.why(known, ranked, metric, a=ours, b=other, users=users, **needed, seed=seed)
    if plot is not None:
        found.plot(plot, digits)
    repeated = [*given, *(f"--column={name}" for name in column), *(f"--plugin={file}" for file in plugin)]
    repeated += [f"--{option}={value}" for option, value in needed.items() if value is not None]
    _print(found, form, digits, shlex.join(repeated))


def _checked(asked: list[str], presets: list[str]) -> tuple[list[str], list[str]]:
    """The files, if any, and the two definitions, which may be named by -p too."""
    given, sides = (asked, presets) if presets else (asked[:-2], asked[-2:])
    if len(given) not in (0, 2) or len(sides) != 2:
        do = "Write: rankconv why LABELS RUN -m ndcg@10 -p mllib -p trec_eval, or without files for the five users."
        counted = f"{len(asked)} arguments and {len(presets)} presets" if presets else f"{len(asked)} arguments"
        raise InputError(f"{counted} were given, and why takes labels, a run and two presets", do=do)
    return given, sides


def _print(found: Any, form: Format, digits: int | None, repeated: str) -> None:
    if form is Format.json:
        print_json(found.to_dict())
    elif form is Format.table:
        print_lines([found.text(terminal_width(), digits, repeated)])
    else:
        print_table(found.table(digits), form)
