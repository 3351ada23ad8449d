"""Holds results of real systems against the package: means, per-user values and refusals."""

import json
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from zlib import crc32

import rankconv as rc
from rankconv.evaluation.results.result import Result as Evaluated
from tests.laws import examples
from tests.oracles.cases import CALLS, FULL, OF_CALLS, cases, folder, whole_cases
from tests.oracles.exceptions import FLOAT32, excuse
from tests.oracles.groups import filled, groups_differ, side_data, stops_at
from tests.oracles.identities import IDENTITIES, Identity, Result


@dataclass
class Tally:
    """What became of the results of one system."""

    counts: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


TALLIES: dict[str, Tally] = {}
"""Of the systems that were held against their results so far."""


def named(file: Path) -> list[Result]:
    """The results of a file, with the names that their cases have here."""
    found = json.loads(file.read_text())["results"]
    if file.stem not in OF_CALLS:
        return list(found)
    return [_with_errors({**one, "case": f"{CALLS}{one['case']}"}) for one in found]


def _with_errors(one: Result) -> Result:
    """A result whose values of users may be texts of errors."""
    errors = {user: value for user, value in one["per_user"].items() if "Error" in str(value)}
    values = {user: None if user in errors else value for user, value in one["per_user"].items()}
    return {**one, "per_user": values, "user_errors": errors}


@cache
def results(system: str) -> list[Result]:
    """What a system gave."""
    names = (f"{system}.json", f"{system}_more.json")
    files = [folder() / "oracles" / name for name in names]
    found = [one for file in files if file.exists() for one in named(file)]
    return [{"error": None, "user_errors": {}, "note": None, **one} for one in found]


def users_of(case: str, kept: str = "") -> list[dict[str, Any]]:
    """The users that the system was given."""
    users = cases()[case]
    if kept == "both":
        return [user for user in users if user["labels"] and user["ranking"]]
    if kept == "one-relevant-row":
        return [user for user in users if sum(user["labels"].get(item, 0) > 0 for item in user["ranking"]) == 1]
    if kept == "one-relevant-candidate":
        candidates = [(user, {*user["ranking"], *user["labels"]}) for user in users]
        return [user for user, items in candidates if sum(user["labels"].get(item, 0) > 0 for item in items) == 1]
    if kept == "relevant":
        return [user for user in users if any(grade > 0 for grade in user["labels"].values())]
    if kept == "relevant-and-ranked":
        return [user for user in users_of(case, "relevant") if user["ranking"]]
    if kept.startswith("rows-"):
        return [user for user in users if len(user["ranking"]) >= int(kept.removeprefix("rows-"))]
    if kept == "both-classes":
        return [user for user in users if 0 < _relevant_candidates(user) < len(_candidates(user))]
    if kept == "propensities":
        items = dict.fromkeys(item for user in users for item in [*user["labels"], *user["ranking"]])
        weights = {item: 1 + number % 5 / 2 for number, item in enumerate(items)}
        return [_weighted(user, weights) for user in users]
    if kept in ("in-order", "selected"):
        return users
    if kept == "cited":
        return [{**_without_calls(user), "ranking": user["cited"], "scores": _falling(user["cited"])} for user in users]
    if kept == "shown":
        lists = whole_cases()[case]["shown"]
        return [_listed(user, lists[user["user"]]) for user in users]
    if kept == "logged":
        return [_logged(user) for user in users]
    if kept == "matrix":
        return filled(whole_cases()[case])
    if kept in ("minimum", "touching"):
        return [_of_touching(user, kept) for user in users]
    if kept == "repeated":
        return [{**user, "user": f"{user['user']} {at}"} for times, user in enumerate(users, 1) for at in range(times)]
    if kept == "ranked-catalogue":
        items = dict.fromkeys(item for user in users for item in [*user["ranking"], *user["labels"]])
        return [_ranked(user, items) for user in users]
    if kept.startswith("filled-"):
        return [_filled(user, int(kept.removeprefix("filled-"))) for user in users]
    return [user for user in users if kept in ("", user["user"])]


def _candidates(user: dict[str, Any]) -> list[str]:
    """The rows of a user's list, and the labelled items that it lacks."""
    return [*user["ranking"], *(item for item in user["labels"] if item not in set(user["ranking"]))]


def _relevant_candidates(user: dict[str, Any]) -> int:
    return sum(user["labels"].get(item, 0) > 0 for item in _candidates(user))


def _weighted(user: dict[str, Any], weights: dict[str, float]) -> dict[str, Any]:
    """The user whose relevant labels have the weights of their items as grades."""
    return {**user, "labels": {item: weights[item] for item, grade in user["labels"].items() if grade > 0}}


def _listed(user: dict[str, Any], ranking: list[str]) -> dict[str, Any]:
    """The user with this list."""
    return {**user, "ranking": ranking, "scores": [-float(rank) for rank in range(len(ranking))]}


def _logged(user: dict[str, Any]) -> dict[str, Any]:
    """The user with a label of grade 0 for every second listed item without one."""
    others = [item for item in user["ranking"] if item not in user["labels"]]
    return {**user, "labels": {**user["labels"], **dict.fromkeys(others[::2], 0)}}


def _of_touching(user: dict[str, Any], kept: str) -> dict[str, Any]:
    """The user with the chunks that touch a passage, or with as many of the retrieved ones: the `minimum`."""
    return {**user, "retrieved": user["touching"] if kept == "touching" else user["retrieved"][: len(user["touching"])]}


def _ranked(user: dict[str, Any], items: Iterable[str]) -> dict[str, Any]:
    """The user with every item: by falling score, an item once, then the others as the case names them."""
    first = {item: -score for item, score in [*zip(user["ranking"], user["scores"], strict=True)][::-1]}
    ranking = [*sorted(dict.fromkeys(user["ranking"]), key=first.__getitem__)]
    ranking += [item for item in items if item not in first]
    return {**user, "ranking": ranking, "scores": [-float(rank) for rank in range(len(ranking))]}


def _filled(user: dict[str, Any], columns: int) -> dict[str, Any]:
    """The user with a list and relevant items of so many rows, which the caller filled with -1."""
    ranking = user["ranking"][:columns] + ["-1"] * (columns - len(user["ranking"]))
    labels = {item: grade for item, grade in user["labels"].items() if grade > 0}
    labels |= {"-1": min(labels.values(), default=1.0) / 2} if len(labels) < columns else {}
    return {**user, "ranking": ranking, "scores": [-float(rank) for rank in range(columns)], "labels": labels}


@cache
def joined(case: str, kept: str = "", catalogue: str = "", everyone: bool = False, side: tuple[str, ...] = ()) -> Any:
    """Labels and rankings of a case: lists in the order of their ranks, which scores need not follow; nuggets; spans.

    `everyone` is named by the labels, also with none, and by the run, also with an empty list.
    """
    users = users_of(case, kept)
    if any("nuggets" in user for user in users):
        records = [{"query": user["user"], "nuggets": user["nuggets"]} for user in users]
        return rc.join(rc.Labels(records), rc.Run(records))
    if any("references" in user for user in users):
        records = [
            {"query": user["user"], **{name: user[name] for name in ("references", "retrieved")}} for user in users
        ]
        return rc.join(rc.Labels(records), rc.Run(records))
    labels = [(u["user"], item, float(grade)) for u in users for item, grade in u["labels"].items()]
    nobody = {user["user"]: [] for user in users}
    listed = [(user, _lists(user, kept)) for user in users]
    lists = {user["user"]: one for user, one in listed if one or everyone}
    in_order = {u["user"]: {item: float(grade) for item, grade in u["labels"].items()} for u in users}
    known = rc.Labels(in_order if everyone or kept == "in-order" else labels or nobody)
    run = rc.Run(lists or nobody)
    given = side_data(whole_cases()[case]) | {name: whole_cases()[case][name] for name in side}
    return rc.join(known, run, catalogue=_catalogue(catalogue, users), **given)


def _without_calls(user: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in user.items() if name != "calls"}


def _falling(ranking: list[str]) -> list[float]:
    return [-float(rank) for rank in range(len(ranking))]


def _lists(user: dict[str, Any], kept: str) -> list[Any]:
    """The list of a user, or the lists of their calls; items with the scores of PaSa's selector where `selected`."""
    if "calls" not in user:
        return list(zip(user["ranking"], user["scores"], strict=True))
    if kept != "selected":
        return list(user["calls"])
    low: Callable[[int, int], float] = lambda call, place: 0.5 - 0.002 * call - 0.0001 * place
    return [
        [(item, 0.9 if item in user["cited"] else low(call, place)) for place, item in enumerate(items)]
        for call, items in enumerate(user["calls"])
    ]


def _catalogue(told: str, users: list[dict[str, Any]]) -> int | None:
    items = {item for user in users for item in [*user["labels"], *user["ranking"]]}
    if told == "distinct":
        return len(items)
    if told == "max-id":
        return max(map(int, items), default=-1) + 1
    return int(told) if told else None


@dataclass(frozen=True)
class Call:
    """One evaluation, of as many specs as are asked of the same data under the same preset."""

    case: str
    preset: str
    everyone: bool
    kept: str = ""
    catalogue: str = ""
    side: tuple[str, ...] = ()


SPECS: dict[Call, dict[str, None]] = defaultdict(dict)
"""What is asked in each call: planned before the first is made, so that users are prepared once and not per spec."""


def call_of(case: str, identity: Identity, spec: str, only: str = "") -> Call:
    """The call that gives a spec of an identity, or of one of its users alone."""
    preset = identity.per_user_preset or identity.preset if spec == identity.per_user_spec else identity.preset
    return Call(case, preset, identity.everyone, only or identity.kept, identity.catalogue, identity.side)


def plan(system: str) -> None:
    """Note every spec that the results of a system will be compared with."""
    for one in results(system):
        identity = IDENTITIES[system](one)
        if identity is None or not identity.offered:
            continue
        SPECS[call_of(one["case"], identity, identity.spec)][identity.spec] = None
        if one["per_user"] is not None:
            spec = identity.per_user_spec or identity.spec
            for only in ("", *(alone(one, identity) if identity.alone else ())):
                SPECS[call_of(one["case"], identity, spec, only)][spec] = None


EQUIVALENCE = {"graded", "ties", "duplicates", "negative", "unsorted", "signed", "close_scores", "fractional", "tiny"}
"""Cases whose users are drawn alike."""
APART = examples.of(quick=9, ci=3)


def alone(one: Result, identity: Identity) -> list[str]:
    """The users whose value by themselves is compared; all of them in the whole set of results.

    Of users drawn alike every ninth or third, other ones for each case and preset: the mean that is compared already
    holds the values of all.
    """
    users = list(one["per_user"])
    if FULL or one["case"] not in EQUIVALENCE or one["mean"] is None or not identity.mean:
        return users
    return users[crc32(f"{one['case']} {identity.preset}".encode()) % APART :: APART]


def evaluated(call: Call) -> Evaluated:
    """What the package gives for all that is asked in a call."""
    return _evaluated(call, tuple(SPECS[call]))


@cache
def _evaluated(call: Call, specs: tuple[str, ...]) -> Evaluated:
    users = [user["user"] for user in users_of(call.case, call.kept)] if call.everyone else None
    data = joined(call.case, call.kept, call.catalogue, call.everyone, call.side)
    return rc.evaluate(data, list(specs), preset=call.preset, users=users, on_error="collect")


def check_system(system: str) -> Tally:
    """Compare every result of a system."""
    tally = Tally()
    plan(system)
    for one in results(system):
        identity = IDENTITIES[system](one)
        if identity is None:
            tally.counts["not yet"] += 1
            continue
        tally.counts["compared"] += 1
        different = difference(one, identity, 2e-6 if system in FLOAT32 else 1e-9)
        rule = excuse(system, one, identity, cases()[one["case"]]) if different else None
        if not different:
            tally.counts["equal"] += 1
            tally.counts["refused by both"] += bool(one["error"] or one.get("user_errors"))
        elif rule is not None and rule.holds(one, identity, cases()[one["case"]], joined):
            tally.counts["excepted"] += 1
            tally.counts[f"rule: {rule.name}"] += 1
        else:
            told = f"{identity.preset}:{identity.spec}"
            tally.failures.append(f"{one['case']} · {one['call']} · {one.get('input')} → {told}: {different}")
    return tally


def difference(one: Result, identity: Identity, tolerance: float) -> str | None:
    """What differs between a result and the package, or None."""
    if not identity.offered:
        known = rc.preset(identity.preset).offers(identity.spec)
        fails = one["error"] or one["mean"] is None
        return "the preset offers it" if known else None if fails else "the system gives a number"
    ours = evaluated(call_of(one["case"], identity, identity.spec))
    tolerance = 2e-6 if identity.float32 else tolerance
    found = _mean_difference(one, ours, identity, tolerance) or _user_difference(one, ours, identity, tolerance)
    if found or not one.get("parts") or identity.spec not in ours.groups:
        return found
    return groups_differ(one["parts"], ours.groups[identity.spec], tolerance)


def _mean_difference(one: Result, ours: Evaluated, identity: Identity, tolerance: float) -> str | None:
    refused, refusals = bool(one["error"] or one.get("user_errors")), ours.errors.get(identity.spec)
    if not identity.mean:
        return None
    if one["mean"] is None:
        return "the system refuses, the package does not" if refused and not refusals else None
    if refusals:
        return f"the package refuses: {refusals[0].why}"
    mean = ours[identity.spec]
    return None if close(mean, one["mean"], tolerance) else f"mean {mean}, not {one['mean']}"


def _user_difference(one: Result, ours: Evaluated, identity: Identity, tolerance: float) -> str | None:
    if one["per_user"] is None:
        return None
    spec = identity.per_user_spec or identity.spec
    ours = evaluated(call_of(one["case"], identity, spec))
    states = dict(zip(ours.users.tolist(), ours.state[spec].tolist(), strict=True))
    values = dict(zip(ours.users.tolist(), ours.per_user[spec].tolist(), strict=True))
    given = {user["user"]: user for user in cases()[one["case"]]}
    for user in alone(one, identity) if identity.alone else one["per_user"]:
        theirs = one["per_user"][user]
        state, value = states.get(user, "outside"), values.get(user, math.nan)
        raises = user in (one.get("user_errors") or {})
        if raises and identity.stops and stops_at(one["case"], given[user]):
            continue
        if identity.alone:
            state, value, raises = *_alone(one["case"], identity, spec, user), False
        if identity.logarithms and _has_value(state):
            value = math.log(max(value, 1e-5))
        if not _same_user(state, value, theirs, raises, tolerance):
            return f"user {user}: {value} ({state}), not {theirs}"
    more = [user for user, state in states.items() if _has_value(state) and user not in one["per_user"]]
    if more and not (identity.alone or identity.scored_only):
        return f"user {more[0]} has a value in the package alone"
    return None


def _alone(case: str, identity: Identity, spec: str, user: str) -> tuple[str, float]:
    ours = evaluated(call_of(case, identity, spec, user))
    return ("refused: refuse-user" if spec in ours.errors else ours.state[spec].tolist()[0]), ours[spec]


def _has_value(state: str) -> bool:
    without = state.endswith((": skip", ": refuse-user", ": refuse-all")) or ": nan-as(" in state
    return state != "outside" and not without


def _same_user(state: str, value: float, theirs: Any, raises: bool, tolerance: float) -> bool:
    if ": refuse-" in state:
        return theirs is None
    if not _has_value(state):
        return (theirs is None and not raises) or (theirs is not None and math.isnan(number(theirs)))
    return theirs is not None and close(value, theirs, tolerance)


def number(value: Any) -> float:
    """A number as JSON may spell it."""
    return float(value.replace("Infinity", "inf")) if isinstance(value, str) else float(value)


def close(ours: float, theirs: Any, tolerance: float) -> bool:
    """Equal to the tolerance; NaN equals only NaN, and an infinite number itself."""
    other = number(theirs)
    if math.isnan(ours) or math.isnan(other):
        return math.isnan(ours) and math.isnan(other)
    if math.isinf(ours) or math.isinf(other):
        return ours == other
    scale = max(abs(ours), abs(other), 1.0 if tolerance > 1e-7 else 0.0)
    return ours == other or abs(ours - other) <= tolerance * scale + 1e-13
