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
TASKS = {
    "import rankconv": ["-c", "import rankconv"],
    "import rankconv, and evaluate": ["-c", "import rankconv; rankconv.evaluate({'u': ['a']}, {'u': ['a']}, 'map')"],
    "rankconv compare": ["-m", "rankconv.cli", "compare"],
}


def cold(setting: Setting) -> list[Row]:
    """Beside a Python that does nothing."""
    plain = started(NOTHING, setting.repetitions)
    times = {what: started(arguments, setting.repetitions) for what, arguments in TASKS.items()}
    return [Row("cold", "–", "cost", what, time, "python -c pass", plain) for what, time in times.items()]


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
