"""What a command asks for: metrics at cutoffs, and users."""

from collections.abc import Sequence
from typing import Any

from rankconv.errors import InputError, nearest


def at_cutoffs(metrics: Sequence[str], cutoffs: str) -> list[str]:
    """The metrics; those that name no cutoff at these.

    >>> at_cutoffs(["ndcg,map@5"], "10"), at_cutoffs(["ndcg(ties=given)"], "5,10"), at_cutoffs(["ndcg,map"], "")
    (['ndcg@10', 'map@5'], ['ndcg(ties=given)@5,10'], ['ndcg,map'])
    """
    if not cutoffs:
        return list(metrics)
    from rankconv.questions.spec import each_spec

    specs = [spec for text in metrics for spec in each_spec(text)]
    return [spec if "@" in spec.rpartition(")")[2] else f"{spec}@{cutoffs}" for spec in specs]


def at_cutoff(metric: str, cutoffs: str) -> str:
    """The metric at these cutoffs, as `at_cutoffs` puts them."""
    return ",".join(at_cutoffs([metric], cutoffs))


def cluster_named(text: str | None, columns: Sequence[str]) -> tuple[int, ...] | None:
    """The parts of ids that are the unit of chance, by their numbers, or by the columns of `--column user=uid,given`.

    >>> cluster_named("uid", ["user=uid,given", "item=movie"]), cluster_named("1,2", []), cluster_named(None, [])
    ((1,), (1, 2), None)
    """
    if text is None:
        return None
    named = [one.partition("=")[2].split(",") for one in columns if one.partition("=")[0].strip() == "user"]
    parts = [name.strip() for name in named[-1]] if named else []
    found = []
    for one in (part.strip() for part in text.split(",")):
        if not one.isdecimal() and one not in parts:
            allowed = f"The parts are {', '.join(parts)}" if len(parts) > 1 else "A number from 1 on, 1 being the first"
            do = "Name a part of --column user=uid,given, or its number."
            raise InputError(f"'{one:.100}' is no part of users' ids", where="--cluster", allowed=allowed, do=do)
        found.append(parts.index(one) + 1 if one in parts else int(one))
    return tuple(found)


def chosen_users(asked: Sequence[str], *data: Any) -> list[Any] | None:
    """These users as the labels or the runs know them; None for all, and an InputError for one that nobody knows."""
    if not asked:
        return None
    from rankconv.data.ids import typed
    from rankconv.data.labels_and_rankings import Runs

    each = [run for one in data for run in (one.by_name.values() if isinstance(one, Runs) else [one])]
    known = {typed(user): user for one in each for user in one.users.values.tolist()}
    for user in asked:
        if user not in known:
            wrong = f"there is no user '{user}' in the labels or the run"
            raise InputError(wrong, where="-u", nearest=nearest(user, known))
    return [known[user] for user in asked]
