"""What starting costs: processes that begin with nothing."""

import os
import resource
import statistics
import subprocess
import sys
from pathlib import Path

import rankconv
from tests.benchmarks.rows import Row
from tests.benchmarks.setting import Setting

NOTHING = ["-c", "pass"]
RAGGED = Path(__file__).parents[2] / "examples" / "ragged"
LIBRARIES = "import numpy, yaml; from pydantic import BaseModel, TypeAdapter"
"""What evaluating two dicts imports that is not rankconv's; pydantic loads its names one by one."""
TASKS = {
    "the libraries that evaluate loads": ["-c", LIBRARIES],
    "import rankconv": ["-c", "import rankconv"],
    "import rankconv, and evaluate": ["-c", "import rankconv; rankconv.evaluate({'u': ['a']}, {'u': ['a']}, 'map')"],
    "rankconv evaluate, two small files": [
        *("-m", "rankconv", "evaluate"),
        *(str(RAGGED / "labels.csv"), str(RAGGED / "run.csv"), "-m", "ndcg@5"),
    ],
    "rankconv compare": ["-m", "rankconv", "compare"],
}
MOST = {"rankconv evaluate, two small files": 500, "rankconv compare": 600}
"""Milliseconds that are the goal."""


def cold(setting: Setting) -> list[Row]:
    """Beside a Python that does nothing."""
    plain = started(NOTHING, setting.repetitions)
    times = {what: started(arguments, setting.repetitions) for what, arguments in TASKS.items()}
    notes = {what: f"goal: at most {most} ms" for what, most in MOST.items()}
    return [
        Row("cold", "–", "cost", what, time, "python -c pass", plain, note=notes.get(what, ""))
        for what, time in times.items()
    ]


def started(arguments: list[str], repetitions: int) -> float:
    """CPU seconds of a Python process; the first only warms the disk up."""
    return statistics.median([one(arguments) for _ in range(repetitions + 1)][1:])


def one(arguments: list[str]) -> float:
    """CPU seconds of one process, which imports this rankconv."""
    environ = os.environ | {"PYTHONPATH": str(Path(rankconv.__file__).parents[1])}
    environ.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package is compiled
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True, env=environ)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
