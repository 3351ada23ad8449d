"""`rankconv leaderboard`: the runs by their means, and which of them cannot be told apart."""

from typing import Annotated, Any

import typer

from rankconv.cli import files
from rankconv.cli.asking import at_cutoffs, chosen_users, cluster_named
from rankconv.cli.options import (
    By,
    Catalogue,
    Cluster,
    Columns,
    Correct,
    Cutoffs,
    Digits,
    Draws,
    Features,
    ForestPlot,
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
    SkipBroken,
    TableOfItems,
    TableOfUsers,
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
    cluster: Cluster = None,
    by: By = [],  # noqa: B006
    users: TableOfUsers = None,
    items: TableOfItems = None,
    plot: ForestPlot = None,
    skip_broken: SkipBroken = False,
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
    known, ranked = files.several_runs(labels, run, column, quiet, skip_broken)
    asked: dict[str, Any] = {"correct": correct, "level": level, "draws": draws, "seed": seed}
    asked |= {
        "cluster": cluster_named(cluster, column),
        "users": chosen_users(user, known, ranked),
        "progress": progress,
    }
    beside = files.beside(seen, catalogue, train, features)
    metrics = at_cutoffs(metric, k)
    found = rc.leaderboard(known, ranked, metrics, preset, **asked, **beside)
    if plot is not None:
        found.plot(plot, digits)
    divided: list[Any] = []
    if by or users or items:
        tables: dict[str, Any] = {"by": by or ["activity"], "users": files.path(users), "items": files.path(items)}
        divided = [
            rc.segments(known, ranked, metrics, preset, **tables, **beside, confidence_level=1 - level, seed=seed)
        ]
    if form is Format.json:
        print_json(found.to_dict() | {"by": [one.to_dict() for one in divided]} if divided else found.to_dict())
    elif form is Format.table:
        print_lines(["\n\n".join(one.text(terminal_width(), digits) for one in (found, *divided))])
    else:
        for one in (found, *divided):
            print_table(one.table(digits), form)
