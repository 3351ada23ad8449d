"""`rankconv leaderboard`: the runs by their means, and which of them cannot be told apart."""

from pathlib import Path
from typing import Annotated, Any

import typer

from rankconv.cli import files
from rankconv.cli.asking import at_cutoffs, chosen_users
from rankconv.cli.options import (
    Catalogue,
    Columns,
    Cutoffs,
    Digits,
    Features,
    Form,
    Format,
    Metrics,
    Plugins,
    Progress,
    Quiet,
    Seen,
    Train,
    Users,
)
from rankconv.cli.printing import print_json, print_lines, print_table
from rankconv.pages.terminal import terminal_width
from rankconv.plugins import command_after


@command_after("test")
def leaderboard(
    labels: Annotated[Path, typer.Argument(help="Labels: a file of any kind that is read; - for stdin.")],
    run: Annotated[list[Path], typer.Argument(help="Two or more runs, or a folder of them.")],
    metric: Metrics = ["ndcg@10"],  # noqa: B006
    preset: Annotated[str | None, typer.Option("-p", "--preset", help="The preset that answers.")] = None,
    k: Cutoffs = "",
    correct: Annotated[str, typer.Option(help="For many tests: max-t, tukey, holm, bh or none.")] = "max-t",
    level: Annotated[float, typer.Option(min=0.0001, max=0.5, help="The chance of a false alarm.")] = 0.05,
    draws: Annotated[int, typer.Option(min=100, help="Random signs of each test.")] = 100_000,
    seed: Annotated[int, typer.Option(min=0, help="Where signs are drawn: another one draws others.")] = 0,
    user: Users = [],  # noqa: B006
    form: Form = Format.table,
    digits: Digits = 4,
    quiet: Quiet = False,
    seen: Seen = None,
    catalogue: Catalogue = None,
    train: Train = None,
    features: Features = None,
    progress: Progress = None,
    column: Columns = [],  # noqa: B006
    plugin: Plugins = [],  # noqa: B006
) -> None:
    """Which of these runs are best, and which of them cannot be told apart?"""
    import rankconv as rc

    files.load(plugin)
    known, ranked = files.several_runs(labels, run, column, quiet)
    asked: dict[str, Any] = {"correct": correct, "level": level, "draws": draws, "seed": seed}
    asked |= {"users": chosen_users(user, known, ranked), "progress": progress}
    asked |= files.beside(seen, catalogue, train, features)
    found = rc.leaderboard(known, ranked, at_cutoffs(metric, k), preset, **asked)
    if form is Format.json:
        print_json(found.to_dict())
    elif form is Format.table:
        print_lines([found.text(terminal_width(), digits)])
    else:
        print_table(found.table(digits), form)
