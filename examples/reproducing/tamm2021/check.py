"""What can be checked in a table of one run under nine libraries, when the run itself is not at hand.

Tamm, Damdinov, Vasilev: Quality Metrics in Recommender Systems: Do We Calculate Metrics Consistently? RecSys 2021.
`table.csv` has the numbers of res.csv in github.com/Darel13712/compare_metrics. The predictions are kept elsewhere
and were not at hand, so no number can be computed again. What follows from definitions alone can: two cells of a
column whose definitions agree on all data of this kind print one number, and where one definition never exceeds
another, neither does its number. The data of this kind are random lists of 20 and grades of 4.5 and 5, as its test set
has; and counts of users and of hits are whole numbers.

python examples/reproducing/tamm2021/check.py
"""

import csv
import random
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import numpy as np
import yaml
from numpy.typing import NDArray

import rankconv as rc

HERE = Path(__file__).parent
USERS, K = 2733, 20  # of its test.csv
CLOSE = 1e-6  # some libraries compute in single precision
Table = dict[str, dict[str, str]]


def table() -> Table:
    """Library to column to number."""
    with (HERE / "table.csv").open(encoding="utf-8") as file:
        return {row["lib"]: row for row in csv.DictReader(file)}


def definitions() -> dict[str, dict[str, str]]:
    """Column to library to spec."""
    definitions = yaml.safe_load((HERE / "definitions.yaml").read_text("utf-8"))
    found: dict[str, dict[str, str]] = {}
    for library, columns in definitions.items():
        for column in columns.keys() - {"preset"}:
            found.setdefault(column, {})[library] = f"{columns['preset']}:{columns[column]}@{K}"
    return dict(sorted(found.items()))


def data(users: int = 300) -> tuple[dict[int, dict[int, float]], dict[int, dict[int, float]]]:
    """Labels and scored lists of 20 such as those of the test set: grades of 4.5 and 5, and nothing else."""
    chance, items = random.Random(0), range(100)
    labels = {
        u: {i: chance.choice([4.5, 5.0]) for i in chance.sample(items, chance.randint(1, 60))} for u in range(users)
    }
    lists = {u: {i: float(K - at) for at, i in enumerate(chance.sample(items, K))} for u in range(users)}
    return labels, lists


def relation(ours: NDArray[np.float64], theirs: NDArray[np.float64]) -> str:
    """How the values of all users stand, shape (users,): "=", "<=", ">=", or nothing that holds for all."""
    if np.allclose(ours, theirs, rtol=0, atol=1e-12):
        return "="
    return "<=" if (ours <= theirs + 1e-12).all() else ">=" if (ours >= theirs - 1e-12).all() else ""


def holds(relation: str, ours: float, theirs: float) -> bool:
    """Whether two numbers of the table stand so."""
    if relation == "=":
        return abs(ours - theirs) < CLOSE
    return ours <= theirs + CLOSE if relation == "<=" else ours >= theirs - CLOSE


def relations(printed: Table) -> Iterator[tuple[str, str, str, str, bool]]:
    """Column, two libraries, how their definitions stand, and whether their numbers do."""
    joined = rc.join(*data())
    for column, specs in definitions().items():
        values = {library: rc.evaluate(joined, spec).per_user[spec] for library, spec in specs.items()}
        for ours, theirs in combinations(values, 2):
            stand = relation(values[ours], values[theirs])
            if stand:
                numbers = [float(printed[library][column]) for library in (ours, theirs)]
                yield column, ours, theirs, stand, holds(stand, *numbers)


def whole_numbers(printed: Table) -> Iterator[tuple[str, float]]:
    """Sums over users that must be whole: users with a hit, and hits."""
    row = printed["RecBole"]
    yield "users with a hit", float(row["HitRate@20"]) * USERS
    yield "hits", float(row["Precision@20"]) * K * USERS
    yield "hits, by RecSys2019's HitRate", float(printed["RecSys2019_DL_Eval"]["HitRate@20"]) * USERS


def main() -> None:
    """Prints each column."""
    found = list(relations(table()))
    for column in definitions():
        here = [one for one in found if one[0] == column]
        equal = sum(one[3] == "=" for one in here)
        wrong = [f"{ours} {stand} {theirs}" for _, ours, theirs, stand, ok in here if not ok]
        print(f"{column:<13} {equal:>2} pairs equal, {len(here) - equal} ordered; broken: {', '.join(wrong) or 'none'}")
    for name, number in whole_numbers(table()):
        print(f"{name}: {number:.6f}")


if __name__ == "__main__":
    main()
