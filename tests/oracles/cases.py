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


@cache
def whole_cases() -> dict[str, dict[str, Any]]:
    """Each case, with side data where it has some."""
    files = sorted((folder() / "cases").glob("*.json"))
    return {case["name"]: case for file in files for case in json.loads(file.read_text())}


@cache
def cases() -> dict[str, list[dict[str, Any]]]:
    """The users of each case."""
    return {name: case["users"] for name, case in whole_cases().items()}
