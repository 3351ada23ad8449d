"""The cases on which systems were run."""

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

REDUCED = Path(__file__).parent / "data"
"""The copy that lives in the project; a folder of the same layout with everything may be named instead."""
FULL = os.environ.get("RANKCONV_ORACLES")


def folder() -> Path:
    """Where cases and results are read from."""
    return Path(FULL) if FULL else REDUCED


CALLS = "calls-"
"""The names of cases with several searches for a task begin so here; in their files they are those of others."""
OF_CALLS = ("browsecomp_plus", "deep_searcher", "kbn_evals", "kbn_evals_2025", "pasa")
"""The files of results on these cases."""


def in_calls(case: dict[str, Any]) -> dict[str, Any]:
    """A case of tasks as one of users; others as they are."""
    if "tasks" not in case:
        return case
    users = [{**task, "user": task["task"], "ranking": [], "scores": []} for task in case["tasks"]]
    return {"name": f"{CALLS}{case['name']}", "users": users}


@cache
def whole_cases() -> dict[str, dict[str, Any]]:
    """Each case, with side data where it has some."""
    files = sorted((folder() / "cases").glob("*.json"))
    return {case["name"]: case for file in files for case in map(in_calls, json.loads(file.read_text()))}


@cache
def cases() -> dict[str, list[dict[str, Any]]]:
    """The users of each case."""
    return {name: case["users"] for name, case in whole_cases().items()}
