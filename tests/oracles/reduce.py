"""Makes the project's copy of the results: `python -m tests.oracles.reduce FOLDER`.

`python -m tests.oracles.reduce FOLDER groups` does so for the cases of groups of items, `cases/groups.json`.

FOLDER has `cases/*.json` and `oracles/*.json`. Of each system and kind of call a few cutoffs on a few cases are kept,
their numbers to 12 digits: a thousand times finer than they are compared. Of each form of a call, as `-M 5`, at least
one result is kept. A case or a system that FOLDER does not have stays as it is.
"""

import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from tests.oracles.cases import OF_CALLS, REDUCED
from tests.oracles.identities import IDENTITIES
from tests.oracles.identities.base import OF_GROUPS

CASES = (
    "five_users three_graded_documents graded empties all_zero_grades ties duplicates negative unsorted signed "
    "close_scores fractional tiny nobody".split()
)
NUGGETS = [
    f"nuggets_{name}"
    for name in "plain perfect no_okay no_vital partial_only nothing empty many unknown_words repeated".split()
]
"""Cases of answers by their nuggets, in a file of their own."""
_SPANS = (
    "plain overlapping much_overlap several_documents passages_in_two_documents long_passages no_hit all_hits "
    "repeated_chunks touching nothing_retrieved no_passage nested_passages"
)
SPANS = [f"spans_{name}" for name in _SPANS.split()]
"""Cases of chunks and passages, without the texts; each query has the chunks that touch a passage."""
WEIGHTS = tuple(
    f"weights_{name}"
    for name in "plain ones tiny few_labels many_labels empties nobody no_hit short_lists score_ties no_propensity "
    "clicks clicks_missing clicks_none".split()
)
"""Cases with training, with propensities of items, or with lists that were shown."""
FILES = {"cases": (*CASES, *WEIGHTS), "nuggets": NUGGETS, "spans": SPANS}
"""The cases that are kept, by the file in which they are."""
FEW = "graded empties ties duplicates unsorted close_scores fractional tiny".split()
"""The cases kept of systems with many results."""
MANY = 1200
MORE = {"rs_metrics": ["nobody"], "trectools": ["negative"]}
"""Cases that a rule needs."""
FIVE = (1, 2, 3, 4, 5)
KEPT = {"caserec": (2, 3), "cute_ranking": (2, 4), "trectools": (2, 3), "warprec": (2, 3), "jurity": (1, 2)}
KEPT |= dict.fromkeys(
    (
        "chunking_evaluation",
        "legalbenchrag",
        "ngcf",
        "lightgcn",
        "deepeval",
        "polars_ds",
        "whylogs",
        "weaviate_benchmark",
    ),
    FIVE,
)
"""Which results of a system, case and form of call are kept; else the second: another cutoff than 1."""


GROUPED = (
    "plain two_groups one_group graded group_never_listed group_missing empties even_popularity most_popular "
    "short_lists repeated_items unseen_items shares complete_lists".split()
)
"""The cases of groups of items that are kept, with their side data."""
GROUP_FILES = {"elliot": "elliot_fairness"} | {
    name: name for name in ("warprec_fairness", "fairranktune", "fair_trec_2021", "fair_trec_2022", "expeval")
}
"""The files of results on these cases, by system."""
CUTOFFS = (None, 3, 10)

OFTEN_EMPTY = ("error", "user_errors", "note")


def main(folder: Path) -> None:
    """Write the reduced cases and results."""
    files = sorted((folder / "cases").glob("*.json"))
    every = [case for file in files for case in json.loads(file.read_text())]
    of_calls = [case for case in every if "tasks" in case and all("calls" in task for task in case["tasks"])]
    named = {name: [case for case in every if case["name"] in names] for name, names in FILES.items()}
    for name, some in {"calls": of_calls, **named}.items():
        if some:
            file = REDUCED / "cases" / f"{name}.json"
            _write(file, [*_others(file, "name", {case["name"] for case in some}), *some])
    names = {case["name"] for some in (of_calls, *named.values()) for case in some}
    for system in IDENTITIES:
        given = [folder / "oracles" / f"{system}{more}.json" for more in ("", "_more")]
        for file in (file for file in given if file.exists()) if system in OF_CALLS else ():
            _write_results(system, file.stem, json.loads(file.read_text())["results"], names)
        results = [one for file in given if file.exists() for one in json.loads(file.read_text())["results"]]
        if results and system not in OF_CALLS:
            _write_results(system, system, results, names)


def _write_results(system: str, name: str, results: list[dict[str, Any]], cases: set[str]) -> None:
    """Write what is kept of these results of a system to the file of this name, and what it has of other cases."""
    kept = list(_selected(system, results, every_case=name in OF_CALLS))
    kept += further_forms(system, kept, results)
    file = REDUCED / "oracles" / f"{name}.json"
    _write(file, {"system": system, "results": [*_others(file, "case", cases), *kept]})


def _others(file: Path, key: str, names: set[str]) -> list[dict[str, Any]]:
    """What the project has of other cases than these."""
    known = json.loads(file.read_text()) if file.exists() else []
    each = known["results"] if isinstance(known, dict) else known
    return [one for one in each if one[key] not in names]


def main_of_groups(folder: Path) -> None:
    """Write the cases of groups of items, and the results of systems on them."""
    whole = json.loads((folder / "cases" / "groups.json").read_text())
    kept = [{name: case[name] for name in ("name", "items", "target", "train", "users")} for case in whole]
    _write(
        REDUCED / "cases" / "groups.json",
        [{**case, "name": OF_GROUPS + case["name"]} for case in kept if case["name"] in GROUPED],
    )
    for system, file in GROUP_FILES.items():
        found = json.loads((folder / "oracles" / f"{file}.json").read_text())["results"]
        results = [_of_group(one) for one in found if one["case"] in GROUPED and one["k"] in CUTOFFS]
        results = [one for one in results if IDENTITIES[system](one) is not None]
        _write(
            REDUCED / "oracles" / f"{system}{'_more' * (file != system)}.json", {"system": system, "results": results}
        )


def _of_group(one: dict[str, Any]) -> dict[str, Any]:
    """A result on a case of groups, with errors of users where others have them."""
    errors = {user: value for user, value in (one["per_user"] or {}).items() if _is_error(value)}
    values = one["per_user"] and {user: None if user in errors else value for user, value in one["per_user"].items()}
    told = {"input": None, **one, "case": OF_GROUPS + one["case"], "per_user": values, "user_errors": errors}
    parts = {name: _rounded(value) for name, value in (one.get("parts") or {}).items()}
    return _shortened(told) | ({"parts": parts} if parts else {})


def _is_error(value: Any) -> bool:
    return isinstance(value, str) and value.casefold() not in ("nan", "inf", "infinity", "-inf", "-infinity")


def further_forms(system: str, kept: list[dict[str, Any]], results: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """A result of each form of a call that has none yet, of the first case that is kept."""
    have = {_form(system, one) for one in kept}
    order = list(chain.from_iterable(FILES.values()))
    for one in sorted((one for one in results if one["case"] in order), key=lambda one: order.index(one["case"])):
        form = _form(system, one)
        if form is not None and form not in have:
            have.add(form)
            yield _shortened(one)


def _form(system: str, one: dict[str, Any]) -> Any:
    """How a system was called, whatever the numbers in the call; None for a metric that no preset has yet."""
    told = {"error": None, "user_errors": {}, "note": None, **one}
    identity = IDENTITIES[system](told)
    call = re.sub(r"\d+", "#", told["call"])
    return identity and (identity.preset, call, told.get("input"), told["per_user"] is None, identity.offered)


def _selected(system: str, results: list[dict[str, Any]], *, every_case: bool) -> Any:
    seen: dict[Any, int] = defaultdict(int)
    cases = [*FEW, *MORE.get(system, ())] if len(results) > MANY else list(chain.from_iterable(FILES.values()))
    for one in results:
        identity = IDENTITIES[system](one)
        if (one["case"] not in cases and not every_case) or identity is None:
            continue
        form = (one["case"], identity.preset, *identity.spec.split("@")[:1], one["per_user"] is None, identity.offered)
        seen[form] += 1
        if seen[form] in KEPT.get(system, (2,)) or (seen[form] == 1 and one["k"] is None):
            yield _shortened(one)


def _shortened(one: dict[str, Any]) -> dict[str, Any]:
    """The same result; of a refusal only that it is one, and the beginning of its text."""
    errors = one.get("user_errors") or {}
    told = {"error": one["error"] and one["error"][:40], "user_errors": dict.fromkeys(errors, "refused")}
    values = one["per_user"] and {user: _rounded(value) for user, value in one["per_user"].items()}
    whole = {**one, **told, "mean": _rounded(one["mean"]), "per_user": values}
    return {key: value for key, value in whole.items() if value or key not in OFTEN_EMPTY}


def _rounded(value: Any) -> Any:
    return float(f"{value:.12g}") if isinstance(value, float) else value


def _write(file: Path, data: Any) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(data, separators=(",", ":")))


if __name__ == "__main__":
    (main_of_groups if sys.argv[2:] == ["groups"] else main)(Path(sys.argv[1]))
