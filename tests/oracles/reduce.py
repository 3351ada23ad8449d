"""Makes the project's copy of the results: `python -m tests.oracles.reduce FOLDER`.

FOLDER has `cases/*.json` and `oracles/*.json` with everything. Of each system and kind of call a few cutoffs on a few
cases are kept, their numbers to 12 digits: a thousand times finer than they are compared. Of each form of a call, as
`-M 5`, at least one result is kept. A system that FOLDER does not have stays as it is.
"""

import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.oracles.harness import REDUCED
from tests.oracles.identities import IDENTITIES

CASES = (
    "five_users three_graded_documents graded empties all_zero_grades ties duplicates negative unsorted signed "
    "close_scores fractional tiny nobody".split()
)
NUGGETS = [
    f"nuggets_{name}"
    for name in "plain perfect no_okay no_vital partial_only nothing empty many unknown_words repeated".split()
]
"""Cases of answers by their nuggets, in a file of their own."""
FEW = "graded empties ties duplicates unsorted close_scores fractional tiny".split()
"""The cases kept of systems with many results."""
MANY = 1200
MORE = {"rs_metrics": ["nobody"], "trectools": ["negative"]}
"""Cases that a rule needs."""
FIVE = (1, 2, 3, 4, 5)
KEPT = {"caserec": (2, 3), "cute_ranking": (2, 4), "trectools": (2, 3)}
KEPT |= dict.fromkeys(("ngcf", "lightgcn", "deepeval", "polars_ds", "whylogs", "weaviate_benchmark"), FIVE)
"""Which results of a system, case and form of call are kept; else the second: another cutoff than 1."""


OFTEN_EMPTY = ("error", "user_errors", "note")


def main(folder: Path) -> None:
    """Write the reduced cases and results."""
    files = sorted((folder / "cases").glob("*.json"))
    every = [case for file in files for case in json.loads(file.read_text())]
    for name, names in (("cases", CASES), ("nuggets", NUGGETS)):
        if kept := [case for case in every if case["name"] in names]:
            _write(REDUCED / "cases" / f"{name}.json", kept)
    for system in IDENTITIES:
        names = [folder / "oracles" / f"{system}{more}.json" for more in ("", "_more")]
        results = [one for name in names if name.exists() for one in json.loads(name.read_text())["results"]]
        if results:
            some = list(_selected(system, results))
            some += further_forms(system, some, results)
            _write(REDUCED / "oracles" / f"{system}.json", {"system": system, "results": some})


def further_forms(system: str, kept: list[dict[str, Any]], results: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """A result of each form of a call that has none yet, of the first case that is kept."""
    have = {_form(system, one) for one in kept}
    every = [*CASES, *NUGGETS]
    for one in sorted((one for one in results if one["case"] in every), key=lambda one: every.index(one["case"])):
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


def _selected(system: str, results: list[dict[str, Any]]) -> Any:
    seen: dict[Any, int] = defaultdict(int)
    cases = [*FEW, *MORE.get(system, ())] if len(results) > MANY else [*CASES, *NUGGETS]
    for one in results:
        identity = IDENTITIES[system](one)
        if one["case"] not in cases or identity is None:
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
    main(Path(sys.argv[1]))
