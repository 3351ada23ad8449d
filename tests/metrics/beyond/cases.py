"""Small data on which libraries were run: lists, what was learned from, what is known of items, and labels."""

import random
from typing import Any

USERS = 5
ITEMS = 9
"""Items 1 to 9, of which some are in no list or not in training."""

Case = dict[str, Any]


def cases() -> list[Case]:
    """Six cases drawn with fixed seeds; pairs are unique in lists and in training, which some libraries ask for."""
    return [_case(random.Random(seed), full=seed % 3 == 0) for seed in range(6)]


def _case(draw: random.Random, full: bool) -> Case:
    """`full` lists have all as many rows, and every item is in training."""
    users = range(1, USERS + 1)
    lists = {u: draw.sample(range(1, ITEMS + 1), 5 if full else draw.randint(2, 5)) for u in users}
    train = {u: draw.sample(range(1, ITEMS + 1 if full else ITEMS - 1), draw.randint(1, 4)) for u in users}
    if full:
        train[USERS + 1] = list(range(1, ITEMS + 1))
    return {
        "run": [[u, item, 10.0 - place] for u in users for place, item in enumerate(lists[u])],
        "train": [[u, item] for u, items in train.items() for item in items],
        "labels": [[u, item] for u in users for item in draw.sample(range(1, ITEMS + 1), draw.randint(1, 4))],
        "features": {str(i): [float(draw.randint(0, 2)), float(draw.randint(0, 1)), 1.0] for i in range(1, ITEMS + 1)},
        "catalogue": list(range(1, ITEMS + 1)),
    }


CUTOFFS = (1, 2, 3, 5)


def train_beside(case: Case) -> list[list[int]]:
    """What was learned from, without what stands in the user's list too."""
    listed = {(user, item) for user, item, _ in case["run"]}
    return [[user, item] for user, item in case["train"] if (user, item) not in listed]
