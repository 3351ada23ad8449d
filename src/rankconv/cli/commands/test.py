"""`rankconv test`: which of several runs is better, and how sure that is."""

from typing import Annotated, Any

import typer

from rankconv.cli import files
from rankconv.cli.asking import at_cutoffs, chosen_users, cluster_named
from rankconv.cli.options import (
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
    Train,
    Users,
    Whole,
)
from rankconv.cli.printing import print_json, print_lines, print_table
from rankconv.pages.terminal import terminal_width
from rankconv.plugins import command_after


@command_after("sensitivity")
def test(
    labels: Labels,
    run: SeveralRuns,
    metric: Metrics = ["ndcg@10"],  # noqa: B006
    preset: Annotated[
        list[str], typer.Option("-p", "--preset", help="A preset, a group such as search, or all; may be repeated.")
    ] = [],  # noqa: B006
    k: Cutoffs = "",
    baseline: Annotated[str | None, typer.Option(help="Put every other run against this one.")] = None,
    correct: Correct = "max-t",
    cluster: Cluster = None,
    count: Annotated[str, typer.Option(help="Users who count in both runs, in either, or in the baseline.")] = "both",
    family: Annotated[str, typer.Option(help="Corrected together: all tests, or those of each metric.")] = "all",
    also: Annotated[list[str], typer.Option(help="A further test beside: wilcoxon or sign; may be repeated.")] = [],  # noqa: B006
    difference: Annotated[
        float | None, typer.Option(help="Tell too how many users would find one of this size.")
    ] = None,
    plot: ForestPlot = None,
    cite: Annotated[bool, typer.Option("--cite", help="Print what a paper says of it, with sources.")] = False,
    skip_broken: SkipBroken = False,
    level: Level = 0.05,
    draws: Draws = 100_000,
    seed: Seed = 0,
    user: Users = [],  # noqa: B006
    form: Form = Format.table,
    digits: Digits = 4,
    quiet: Quiet = False,
    whole: Whole = False,
    seen: Seen = None,
    catalogue: Catalogue = None,
    train: Train = None,
    features: Features = None,
    progress: Progress = None,
    column: Columns = [],  # noqa: B006
    plugin: Plugins = [],  # noqa: B006
) -> None:
    """Which of these runs is better, how sure is that, and under which definitions?"""
    import rankconv as rc

    files.load(plugin)
    known, ranked = files.several_runs(labels, run, column, quiet, skip_broken)
    asked: dict[str, Any] = {"baseline": baseline, "correction": correct, "include_users": count, "alpha": level}
    asked |= {"family": family, "cluster": cluster_named(cluster, column), "extra_tests": also, "detect": difference}
    asked |= {"n_resamples": draws, "seed": seed, "users": chosen_users(user, known, ranked)}
    asked |= {**files.beside(seen, catalogue, train, features), "progress": progress}
    found = rc.test(known, ranked, at_cutoffs(metric, k), preset or None, **asked)
    if plot is not None:
        found.plot(plot, digits)
    if cite:
        print_lines([found.methods().text(terminal_width())])
    elif form is Format.json:
        print_json(found.to_dict())
    elif form is Format.table:
        print_lines([found.text(terminal_width(), digits, whole=whole)])
    else:
        print_table(found.table(digits), form)
