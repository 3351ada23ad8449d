"""Labels and runs with ties, for what is printed and drawn of one run and of ten."""

import rankconv as rc

USERS, ITEMS = 6, 14
LABELS = {f"user{u}": {f"item-{i:02}": (u * i) % 4 for i in range(u, ITEMS, 2)} for u in range(USERS)}
FEW = ["mllib", "trec_eval-c", "recommenders-relevancy-none"]
TEN = [*FEW, "blog", "rankconv", "ranx", "elliot", "lenskit-single-missing-as-0", "mllib@2.1.3", "kaggle"]


def run(shift: int) -> dict[str, list[tuple[str, float]]]:
    """Lists with ties, each run in an order of its own."""
    order = sorted(range(ITEMS), key=lambda item: (item * (2 * shift + 3)) % 17)
    return {f"user{u}": [(f"item-{i:02}", float(9 - at // 2)) for at, i in enumerate(order)] for u in range(USERS)}


def runs(count: int) -> rc.Runs:
    """So many runs with names of fifteen letters."""
    return rc.Runs({f"experiment_{n:04}": rc.Run(run(n)) for n in range(count)})
