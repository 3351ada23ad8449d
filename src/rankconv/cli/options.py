"""The options that several commands share."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Format(StrEnum):
    """How a result is printed."""

    table = "table"
    json = "json"
    csv = "csv"
    markdown = "markdown"
    latex = "latex"


class EvaluateFormat(StrEnum):
    """The forms of `Format`, and that of trec_eval."""

    table = "table"
    json = "json"
    csv = "csv"
    markdown = "markdown"
    latex = "latex"
    trec_eval = "trec_eval"


Metrics = Annotated[
    list[str], typer.Option("-m", "--metric", help="Metrics, such as ndcg@10,map@5,10 or ndcg@1-8; may be repeated.")
]
Cutoffs = Annotated[
    str, typer.Option("-k", "--cutoff", help="The cutoffs of metrics that name none: 10, or 5,10,20, or 1-8.")
]
Users = Annotated[list[str], typer.Option("-u", "--user", help="Look at this user alone; may be repeated.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Say nothing on stderr but mistakes.")]
Plugins = Annotated[
    list[Path], typer.Option("--plugin", help="A Python file that adds metrics, answers and more; it is run.")
]
Form = Annotated[Format, typer.Option("--format", help="How to print.")]
Digits = Annotated[int, typer.Option(min=0, max=17, help="Decimals in tables.")]
Seen = Annotated[Path | None, typer.Option(help="Items that users had seen, as labels; for presets with drop=seen.")]
Catalogue = Annotated[
    str | None,
    typer.Option(
        metavar="N|FILE", help="Number of items there are, or a file with one in each line, for presets that need it."
    ),
]
Train = Annotated[
    Path | None, typer.Option(help="What the model learned from, as labels; for metrics beyond accuracy.")
]
Features = Annotated[
    Path | None, typer.Option(help="What is known of items: a table of numbers or categories; for diversity.")
]
Progress = Annotated[
    bool | None,
    typer.Option("--progress/--no-progress", help="A bar on stderr; unless said, at a terminal after two seconds."),
]
Memory = Annotated[
    str | None,
    typer.Option(metavar="SIZE", help="Read batch by batch, with no more memory: 2GB. Folders are then parts of one."),
]
Temp = Annotated[Path | None, typer.Option(help="With --memory: a folder for temporary files.")]
Whole = Annotated[bool, typer.Option("--whole", help="Print every row of what is long, not a summary.")]
Columns = Annotated[
    list[str],
    typer.Option(
        "--column",
        help="Name a column: user=uid, run.item=iid; grade=none: there is none. Also score, rank, rating, time.",
    ),
]
Labels = Annotated[Path, typer.Argument(help="Labels: a file of any kind that is read; - for stdin.")]
SeveralRuns = Annotated[list[Path], typer.Argument(help="Two or more runs, or a folder of them.")]
Correct = Annotated[str, typer.Option(help="For many tests: max-t, tukey, holm, bh or none.")]
Cluster = Annotated[
    str | None,
    typer.Option(help="The unit of chance, where ids are several columns: uid of user=uid,given, or the part, 1."),
]
Level = Annotated[float, typer.Option(min=0.0001, max=0.5, help="The chance of a false alarm.")]
Draws = Annotated[int, typer.Option(min=100, help="Random signs of each test.")]
Seed = Annotated[int, typer.Option(min=0, help="Where signs are drawn: another one draws others.")]
LabelsFile = Annotated[Path | None, typer.Argument(help="Labels: a file of any kind that is read; - for stdin.")]
RunFiles = Annotated[list[Path] | None, typer.Argument(help="One or more runs, or a folder of them; - for stdin.")]
By = Annotated[
    list[str],
    typer.Option("--by", help="Columns of users or items, or activity (how many labels); may be repeated."),
]
TableOfUsers = Annotated[Path | None, typer.Option("--users", help="What is known of users: a table, a row for each.")]
TableOfItems = Annotated[Path | None, typer.Option("--items", help="What is known of items: a table, a row for each.")]
ForestPlot = Annotated[Path | None, typer.Option("--plot", help="Draw numbers and intervals into this SVG or PNG.")]
SkipBroken = Annotated[
    bool, typer.Option("--skip-broken", help="Go on without runs that cannot be read, and name them on stderr.")
]
