"""What all scripts beside this share: run one in an environment with its library, and it writes what that gives.

`python tests/metrics/beyond/libraries/of_rectools.py` writes of_rectools.json beside itself.
"""

import json
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[4]))

from tests.metrics.beyond.cases import CUTOFFS, cases, train_beside

__all__ = ["attempt", "record", "train_beside"]

Measure = Callable[[dict[str, Any], int], dict[str, Any]]
"""All metrics of the library on one case at one cutoff, by the name that its preset has; None where it fails."""


def record(script: str, library: str, measure: Measure) -> None:
    """Write the numbers of a library on all cases and cutoffs as JSON beside the script."""
    found = [{str(k): _plain(measure(case, k)) for k in CUTOFFS} for case in cases()]
    told = {"library": library, "cases": found}
    Path(script).with_suffix(".json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def attempt(function: Callable[[], Any]) -> Any:
    """What a function gives, or the name of what it raises."""
    try:
        return function()
    except Exception as problem:
        return f"raises {type(problem).__name__}"


def _plain(found: dict[str, Any]) -> dict[str, Any]:
    return {name: _number(value) for name, value in found.items()}


def _number(value: Any) -> Any:
    if isinstance(value, str):
        return value
    return None if math.isnan(float(value)) else float(value)
