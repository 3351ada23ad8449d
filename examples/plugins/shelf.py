"""A command of your own: `rankconv shelf RUN -k 3 --plugin shelf.py`."""

from pathlib import Path
from typing import Annotated

import typer

import rankconv as rc
from rankconv import plugin


@plugin.command
def shelf(
    run: Annotated[Path, typer.Argument(help="A run.")],
    k: Annotated[int, typer.Option("-k", min=1, help="Down to this rank.")] = 3,
) -> None:
    """How many different items stand in the first ranks of all users together?"""
    lists = rc.Run(run)
    users = lists.users.values.tolist()
    items = {item for user in users for item in lists.rows_of(user)[0][:k]}
    print(f"{len(items)} items in the first {k} ranks of {len(users)} users")
