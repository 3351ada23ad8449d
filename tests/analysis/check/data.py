"""Labels and a run in which nothing is wrong, to plant one thing at a time."""

from typing import Any

Labels = dict[Any, dict[Any, float]]
Run = dict[Any, dict[Any, float]]

USERS, ROWS = 6, 12


def clean_labels() -> Labels:
    """Two relevant items near the top of each list, one below the middle, one that is not returned."""
    return {
        f"u{user}": {f"i{user + place}": 1 + place % 2 for place in (user % 3, user % 3 + 1, 8, 20)}
        for user in range(USERS)
    }


def clean_run() -> Run:
    """Twelve items for each user, by falling score without ties."""
    return {f"u{user}": {f"i{user + place}": 0.93 - place / 37 for place in range(ROWS)} for user in range(USERS)}


def as_lists(run: Run) -> dict[Any, list[tuple[Any, float]]]:
    """The same lists in an order of their own, whatever the scores."""
    return {user: list(items.items()) for user, items in run.items()}
