"""`rankconv segments`: for whom is a run good, and one run better than another?"""

from pathlib import Path
from typing import Annotated, Any

import typer

from rankconv.cli import files
from rankconv.cli.asking import at_cutoffs
from rankconv.cli.options import (
    By,
    Catalogue,
    Columns,
    Cutoffs,
    Digits,
    Features,
    ForestPlot,
    Form,
    Format,
    Labels,
    Metrics,
    Plugins,
    Progress,
    Quiet,
    Seed,
    Seen,
    TableOfItems,
    TableOfUsers,
    Train,
)
from rankconv.cli.printing import print_json, print_lines, print_table
from rankconv.pages.terminal import terminal_width
from rankconv.plugins import command_after


@command_after("leaderboard")
def segments(
    labels: Labels,
    run: Annotated[list[Path], typer.Argument(help="One or more runs, or a folder of them.")],
    metric: Metrics = ["ndcg@10"],  # noqa: B006
    preset: Annotated[str | None, typer.Option("-p", "--preset", help="The preset that answers.")] = None,
    by: By = ["activity"],  # noqa: B006
    users: TableOfUsers = None,
    items: TableOfItems = None,
    k: Cutoffs = "",
    confidence: Annotated[float, typer.Option(min=0.01, max=0.9999, help="Of the intervals.")] = 0.95,
    seed: Seed = 0,
    plot: ForestPlot = None,
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
    """For which users is a run good, and is one run better than another for all of them?"""
    import rankconv as rc

    files.load(plugin)
    known, ranked = files.several_runs(labels, run, column, quiet)
    asked: dict[str, Any] = {"by": by, "user_features": files.path(users), "confidence_level": confidence}
    asked |= {"seed": seed, "progress": progress}
    asked |= {**files.beside(seen, catalogue, train, None), "item_features": files.path(items or features)}
    found = rc.segments(known, ranked, at_cutoffs(metric, k), preset, **asked)
    if plot is not None:
        found.plot(plot, digits)
    if form is Format.json:
        print_json(found.to_dict())
    elif form is Format.table:
        print_lines([found.text(terminal_width(), digits)])
    else:
        print_table(found.table(digits), form)
