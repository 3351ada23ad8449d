"""`rankconv report`: all that there is to know of some runs, in one file to send."""

from pathlib import Path
from typing import Annotated, Any

import typer

from rankconv.cli import files
from rankconv.cli.asking import at_cutoffs, chosen_users
from rankconv.cli.options import (
    Catalogue,
    Columns,
    Cutoffs,
    Features,
    LabelsFile,
    Metrics,
    Plugins,
    Quiet,
    RunFiles,
    Seen,
    Train,
    Users,
)
from rankconv.cli.printing import say
from rankconv.plugins import command_after
from rankconv.writing import check_text, write_text


@command_after("leaderboard")
def report(
    labels: LabelsFile = None,
    run: RunFiles = None,
    output: Annotated[Path, typer.Option("-o", "--output", help="The HTML file to write.")] = Path("report.html"),
    metric: Metrics = ["ndcg,map"],  # noqa: B006
    preset: Annotated[
        list[str], typer.Option("-p", "--preset", help="A preset, or a group such as search; all without.")
    ] = [],  # noqa: B006
    k: Cutoffs = "",
    explained: Annotated[int, typer.Option(min=0, help="Users whose number is worked out.")] = 50,
    user: Users = [],  # noqa: B006
    seen: Seen = None,
    catalogue: Catalogue = None,
    train: Train = None,
    features: Features = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file if there is one.")] = False,
    quiet: Quiet = False,
    column: Columns = [],  # noqa: B006
    plugin: Plugins = [],  # noqa: B006
) -> None:
    """What is there to know of these runs, in one page to send? Without files: of the five users of Bellei 2017."""
    import rankconv as rc

    files.load(plugin)
    check_text(output, ".html", force=force)
    known, ranked = files.several_runs(labels, run or [], column, quiet)
    asked: dict[str, Any] = {"explained": explained, "users": chosen_users(user, known, ranked)}
    asked |= files.beside(seen, catalogue, train, features)
    found = rc.report(known, ranked, at_cutoffs(metric, k or "10"), preset or "all", **asked)
    write_text(found.to_html(), output, force=force)
    if not quiet:
        say(f"Wrote {output}: {found.title}.")
