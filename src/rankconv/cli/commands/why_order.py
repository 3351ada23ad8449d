"""`rankconv why-order`: which choice of protocol or metric puts another recommender first."""

from pathlib import Path
from typing import Annotated

import typer

from rankconv.cli import files
from rankconv.cli.asking import at_cutoffs
from rankconv.cli.options import Columns, Cutoffs, Digits, Form, Format, Plugins, Progress, Quiet
from rankconv.cli.printing import print_json, print_page, print_table
from rankconv.errors import InputError
from rankconv.plugins import command_after


@command_after("learning-curve")
def why_order(
    ratings: Annotated[Path, typer.Argument(help="Ratings: user, item, rating and time, in a file of any kind.")],
    a: Annotated[str, typer.Argument(metavar="A", help="A protocol: its name or YAML file, also with answers.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Another protocol, or the same one with another metric.")],
    recommender: Annotated[
        list[str],
        typer.Option("--recommender", "-r", help="As of learning-curve: popularity, my_models.py:als, …; repeated."),
    ] = [],  # noqa: B006
    metric: Annotated[
        list[str],
        typer.Option("--metric", "-m", help="A metric for both, such as mllib:ndcg@10; or twice: of A, of B."),
    ] = [],  # noqa: B006
    k: Cutoffs = "",
    orders: Annotated[int, typer.Option(min=1, help="Orders of turning, where more than 4 choices differ.")] = 8,
    seed: Annotated[int, typer.Option(min=0, help="Of all that is drawn.")] = 0,
    form: Form = Format.table,
    digits: Digits = 4,
    quiet: Quiet = False,
    progress: Progress = None,
    column: Columns = [],  # noqa: B006
    plugin: Plugins = [],  # noqa: B006
) -> None:
    """Which choices, of protocol or of metric, put recommenders in another order?"""
    import rankconv as rc
    from rankconv import protocols

    files.load(plugin)
    asked = at_cutoffs(metric, k)
    if len(asked) > 2:
        raise InputError(f"{len(asked)} metrics were given", allowed="One for both evaluations, or one for each")
    told = files.ratings(ratings, column, quiet)
    both = tuple(asked) if len(asked) == 2 else asked[0] if asked else None
    found = protocols.why_order(
        told, recommender or None, both, a=a, b=b, n_permutations=orders, seed=seed, progress=progress
    )  # type: ignore[arg-type]
    if form is Format.json:
        print_json(found.to_dict())
    elif form is Format.table:
        print_page(found.page(digits))
    else:
        print_table(found.table(digits), form)
