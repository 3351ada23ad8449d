"""`rankconv leaderboard`: the runs by their means, and which of them cannot be told apart."""

from typing import Annotated, Any

import typer

from rankconv.cli import files
from rankconv.cli.asking import at_cutoffs, chosen_users
from rankconv.cli.options import (
    Catalogue,
    Columns,
    Correct,
    Cutoffs,
    Digits,
    Draws,
    Features,
    Form,
    Format,
    Labels,
    Level,
    Metrics,
    Plugins,
    Progress,
    Quiet,
    Seed,
    Seen,
    SeveralRuns,
    Train,
    Users,
)
from rankconv.cli.printing import print_json, print_lines, print_table
from rankconv.pages.terminal import terminal_width
from rankconv.plugins import command_after


@command_after("test")
def leaderboard(
    labels: Labels,
    run: SeveralRuns,
    metric: Metrics = ["ndcg@10"],  # noqa: B006
    preset: Annotated[str | None, typer.Option("-p", "--preset", help="The preset that answers.")] = None,
    k: Cutoffs = "",
    correct: Correct = "max-t",
    level: Level = 0.05,
    draws: Draws = 100_000,
    seed: Seed = 0,
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
