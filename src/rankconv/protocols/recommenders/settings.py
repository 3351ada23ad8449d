"""What a recommender answered for one point: a list of items, and what is wrong with it."""

import math
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from rankconv.data.ids import plain_id
from rankconv.pages.cells import plural
from rankconv.protocols.recommenders.named import Many, Recommend

RAISES, UNKNOWN, REPEATED, NAN, TOO_FEW, NO_LIST = (
    "raises",
    "unknown item",
    "repeated item",
    "NaN score",
    "too few",
    "no list",
)


@dataclass(frozen=True)
class ListRequest:
    """One convention: what a user gave, how many items are wanted, and among which."""

    point: int
    items: Sequence[Any]
    values: Sequence[float]
    n: int
    """How many items are judged."""
    allowed: frozenset[Any] | None
    """The candidates; None for the whole catalogue."""
    drop: bool
    """Whether the items given are taken out of the list."""


@dataclass(frozen=True)
class Answered:
    """The list that is judged, and what was wrong with the setting."""

    point: int
    items: tuple[Any, ...]
    faults: tuple[tuple[str, str], ...] = ()
    """Each kind, with what is said of it."""


def ask_each(
    recommend: Recommend | Many, requests: Sequence[ListRequest], catalogue: Collection[Any]
) -> list[Answered]:
    """Ask for several lists; at once, where the recommender can."""
    if not isinstance(recommend, Many):
        return [ask(recommend, one, catalogue) for one in requests]
    most = max((_wanted(one, catalogue) for one in requests), default=0)
    try:
        parts = list(recommend.recommend([(list(one.items), list(one.values)) for one in requests], most))
    except Exception:
        if len(requests) == 1:
            return [_raised(requests[0])]
        return [answered for one in requests for answered in ask_each(recommend, [one], catalogue)]
    if len(parts) != len(requests):
        said = f"it gave {len(parts)} lists for {len(requests)} users"
        return [Answered(one.point, (), ((NO_LIST, said),)) for one in requests]
    return [_answered(one, setting, catalogue) for one, setting in zip(requests, parts, strict=True)]


def ask(recommend: Recommend, request: ListRequest, catalogue: Collection[Any]) -> Answered:
    """Ask for one list, with as many more items as may be dropped; what is not a list of items is reported."""
    try:
        returned = recommend(list(request.items), list(request.values), _wanted(request, catalogue))
    except Exception:
        return _raised(request)
    return _answered(request, returned, catalogue)


def _wanted(request: ListRequest, catalogue: Collection[Any]) -> int:
    return len(catalogue) if request.allowed is not None else min(request.n + len(request.items), len(catalogue))


def _raised(request: ListRequest) -> Answered:
    problem = sys.exception()
    return Answered(request.point, (), ((RAISES, f"it raised {type(problem).__name__}: {problem}"),))


def _answered(request: ListRequest, returned: Any, catalogue: Collection[Any]) -> Answered:
    wanted = _wanted(request, catalogue)
    items, scores = returned if isinstance(returned, tuple) and len(returned) == 2 else (returned, None)
    try:
        ids = [plain_id(item) for item in (items.tolist() if hasattr(items, "tolist") else items)]
    except TypeError:
        return Answered(request.point, (), ((NO_LIST, f"it gave {type(items).__name__}, which is no list of items"),))
    faults = _faults(ids, scores, catalogue)
    known = [item for item in dict.fromkeys(ids) if item in catalogue]
    if len(known) < wanted and not faults:
        faults.append((TOO_FEW, f"it gave {plural(len(known), 'item')} of the {wanted:,} that were requested"))
    given = frozenset(request.items) if request.drop else frozenset()
    kept = [item for item in known if item not in given and (request.allowed is None or item in request.allowed)]
    return Answered(request.point, tuple(kept[: request.n]), tuple(faults))


def _faults(ids: Sequence[Any], scores: Any, catalogue: Collection[Any]) -> list[tuple[str, str]]:
    found = []
    odd = next((item for item in ids if item not in catalogue), None)
    if odd is not None:
        found.append((UNKNOWN, f"it gave {odd!r:.60}, which is no item of these ratings"))
    if len({*ids}) < len(ids):
        twice = next(item for at, item in enumerate(ids) if item in ids[:at])
        found.append((REPEATED, f"it gave {twice!r:.60} more than once"))
    if scores is not None and any(math.isnan(float(score)) for score in scores):
        odd = ids[next(at for at, score in enumerate(scores) if math.isnan(float(score)))]
        found.append((NAN, f"its score of {odd!r:.60} is NaN"))
    return found
