"""Cases with groups of items: their side data, matrices of scores, and heads that equally popular items divide."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import comb, isclose
from typing import Any

import numpy as np

from rankconv.metrics.groups.item_groups import head_of
from tests.oracles.cases import whole_cases
from tests.oracles.identities.base import Identity, Result

MOST = 20_000
"""So many divisions of tied items are tried, at most."""
Users = Sequence[dict[str, Any]]


def side_data(case: Mapping[str, Any]) -> dict[str, Any]:
    """What the systems were given besides labels and lists."""
    if "items" not in case:
        return {}
    items, train = case["items"], {user: had for user, had in case["train"].items() if had}
    features: Any = items
    if any(isinstance(one, dict) for one in items.values()):
        import polars as pl

        rows = [(item, group, share) for item, shares in items.items() for group, share in shares.items()]
        features = pl.DataFrame(rows, schema=["item", "group", "share"], orient="row")
    return {"item_features": features, "train": train, "group_target": case["target"]}


def _numbers(case: Mapping[str, Any]) -> int:
    """How many items the matrix has: one more than the greatest number."""
    users = [[*user["labels"], *user["ranking"]] for user in case["users"]]
    return 1 + max(int(item) for items in (case["items"], *case["train"].values(), *users) for item in items)


def filled(case: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The users with lists of all items: those listed, the others by number, and at the end those of training."""
    users = []
    for user in case["users"]:
        had = {*map(int, case["train"].get(user["user"], []))}
        listed = [int(item) for item in user["ranking"] if int(item) not in had]
        others = [item for item in range(_numbers(case)) if item not in had and item not in {*listed}]
        ranking = [*map(str, (*listed, *others, *sorted(had)))]
        users.append({**user, "ranking": ranking, "scores": [-float(rank) for rank in range(len(ranking))]})
    return users


def groups_differ(parts: Mapping[str, Any], ours: Mapping[str, float], tolerance: float) -> str | None:
    """What differs between the values of groups, in the order of their names, or None."""
    theirs = [value for name, value in sorted(parts.items()) if name != "none"]
    for (name, value), other in zip(sorted(ours.items()), theirs, strict=False):
        there = other is not None and not np.isnan(float(other))
        if there and not isclose(value, float(other), rel_tol=tolerance, abs_tol=tolerance):
            return f"group {name} {value}, not {other}"
    return None


# WarpRec's sort of popularities is not stable: any division of the tied items may come of it


def tied_head(case: Mapping[str, Any], share: float) -> tuple[Any, list[int], int]:
    """The items surely in the head, shape (items,), the tied ones, and how many of these are in it."""
    counts = np.zeros(_numbers(case))
    for had in case["train"].values():
        np.add.at(counts, [int(item) for item in had], 1.0)
    head = head_of(counts, np.arange(len(counts), dtype=np.float64), share, True)
    inside = head.inside.copy()
    number = int(inside[head.tied].sum())
    inside[head.tied] = False
    return inside, head.tied, number


def some_division_gives(case: Mapping[str, Any], one: Result, share: float) -> bool:
    """Whether a division of the tied items gives the recorded number, and the values of users where there are some."""
    sure, tied, number = tied_head(case, share)
    users, k = filled(case), int(one["k"])
    if not tied:
        return False
    if comb(len(tied), number) > MOST:
        return _is_between(case, one, users, sure, tied)
    for chosen in combinations(tied, number):
        head = sure.copy()
        head[list(chosen)] = True
        if _agrees(one, *_numbers_of(one["metric"], case, users, head, k)):
            return True
    return False


def _is_between(case: Mapping[str, Any], one: Result, users: Users, sure: Any, tied: list[int]) -> bool:
    """Whether the values of users lie between those with all tied items in the head, and with none."""
    most, least = sure.copy(), sure
    most[tied] = True
    ends = [_numbers_of(one["metric"], case, users, head, int(one["k"]))[1] for head in (most, least)]
    if ends[0] is None or ends[1] is None:
        return False
    given = {user: float(value) for user, value in one["per_user"].items() if value is not None}
    there = {user: value for user, value in given.items() if not np.isnan(value)}
    return all(ends[0][user] - 2e-6 <= value <= ends[1][user] + 2e-6 for user, value in there.items())


def _numbers_of(
    metric: str, case: Mapping[str, Any], users: Users, head: Any, k: int
) -> tuple[float, dict[str, float] | None]:
    """The number, and those of users where these have some, with this head, shape (items,)."""
    tops = [[int(item) for item in user["ranking"][:k]] for user in users]
    labels = [{int(item) for item, grade in user["labels"].items() if grade > 0} for user in users]
    if metric.startswith(("APLT", "ACLT")):
        by = k if metric.startswith("APLT") else 1
        values = {user["user"]: sum(not head[item] for item in top) / by for user, top in zip(users, tops, strict=True)}
        counted = [values[user["user"]] for user, relevant in zip(users, labels, strict=True) if relevant]
        return float(np.mean(counted)), values
    top, of = np.zeros(2), np.zeros(2)
    for user, rows, relevant in zip(users, tops, labels, strict=True):
        had = {*map(int, case["train"].get(user["user"], []))}
        listed = [item for item in rows if metric == "PopRSP" or item in relevant]
        offered = relevant if metric == "PopREO" else {*range(len(head))} - had
        top += np.bincount([int(head[item]) for item in listed], minlength=2)
        of += np.bincount([int(head[item]) for item in offered], minlength=2)
    with np.errstate(invalid="ignore", divide="ignore"):
        rates = top / of
        return float(rates.std() / rates.mean()), None


def _agrees(one: Result, number: float, values: Mapping[str, float] | None) -> bool:
    return all(isclose(ours, theirs, rel_tol=2e-6, abs_tol=2e-6) for ours, theirs in _pairs(one, number, values))


def _pairs(one: Result, number: float, values: Mapping[str, float] | None) -> Iterator[tuple[float, float]]:
    if not np.isnan(number) or not np.isnan(float(one["mean"])):
        yield number, float(one["mean"])
    for user, value in (one["per_user"] or {}).items() if values is not None else ():
        if value is not None and not np.isnan(float(value)):
            yield values[user], float(value)


def share_of(identity: Identity) -> float:
    """The share of the interactions that the head has."""
    return 0.5 if "(0.5" in identity.spec else 0.8


def divided_by_the_sort(one: Result, identity: Identity, users: Users) -> bool:
    """The head ends among equally popular items, and one division of these gives the number."""
    tied = one["metric"].startswith(("APLT", "ACLT", "PopREO", "PopRSP"))
    return tied and some_division_gives(whole_cases()[one["case"]], one, share_of(identity))


def reaches_training(one: Result, identity: Identity, users: Users) -> bool:
    """A list of k items reaches those of training, whose scores are all -inf."""
    case = whole_cases()[one["case"]]
    had = (len({*case["train"].get(user["user"], [])}) for user in users)
    return any(_numbers(case) - number < int(one["k"]) for number in had)


def without_training(one: Result, identity: Identity, users: Users) -> bool:
    """A user has no interaction in training."""
    case = whole_cases()[one["case"]]
    return bool(one["error"]) and any(not case["train"].get(user["user"]) for user in users)


def incomplete(one: Result, identity: Identity, users: Users) -> bool:
    """A list lacks an item that is in another."""
    return bool(one["error"]) and len({frozenset(user["ranking"]) for user in users}) > 1


def stops_at(case: str, user: Mapping[str, Any]) -> bool:
    """Whether the tracks' programs stop at this topic for a reason that is no definition.

    One relevant page is a number to pandas, and not a column; a page that is listed twice may make nDCG greater than 1,
    which is asserted; a page may have no row in the table of groups; a topic may have no list.
    """
    relevant = sum(grade > 0 for grade in user["labels"].values())
    repeats = len({*user["ranking"]}) < len(user["ranking"])
    items = whole_cases()[case]["items"]
    return relevant == 1 or repeats or not user["ranking"] or any(item not in items for item in user["ranking"])


def topic_without_list(one: Result, identity: Identity, users: Users) -> bool:
    """A topic with a relevant document has no list."""
    return any(not user["ranking"] and any(grade > 0 for grade in user["labels"].values()) for user in users)
