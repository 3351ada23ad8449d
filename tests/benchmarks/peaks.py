"""Memory at the peak beyond the frames that are given: ours, and polars by hand, each in a process of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.benchmarks.data import load
from tests.benchmarks.environments import TOP
from tests.benchmarks.peers import polars as in_polars
from tests.benchmarks.rows import Row
from tests.benchmarks.setting import Setting
from tests.benchmarks.threads import one_thread

STATUS, CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")
GOAL = 0.6


def peaks(setting: Setting) -> list[Row]:
    """For each order of the rows."""
    row = ("peaks", setting.size, "cost")
    if not (STATUS.exists() and CLEAR.exists()):
        return [Row(*row, "memory at the peak", note="left out: only Linux tells", unit="MB")]
    rows = []
    for order in ("sorted", "grouped by user", "shuffled"):
        found = {who: _asked(who, order, setting.folder) for who in ("ours", "polars")}
        what, against = f"memory at the peak beyond the frame, {order}", "polars by hand"
        rows.append(Row(*row, what, found["ours"], against, found["polars"], GOAL, unit="MB"))
    return rows


def _asked(who: str, order: str, folder: Path) -> float:
    command = [sys.executable, "-m", "tests.benchmarks.peaks", who, order, str(folder)]
    done = subprocess.run(command, cwd=TOP, env=os.environ.copy(), capture_output=True, text=True, check=True)
    return float(json.loads(done.stdout))


def measured(who: str, order: str, folder: Path) -> float:
    """MB at the peak of one evaluation beyond what stood before it, of a process that did one of few users before."""
    from tests.benchmarks.whole import ours, shapes

    tasks: dict[str, Callable[..., object]] = {"ours": ours, "polars": in_polars.evaluate}
    data = load(folder)
    tasks[who](in_polars.convert(data.first(200)))
    given = next(frames for shape, frames in shapes(data) if shape == order)
    before = _of_status("VmRSS")
    CLEAR.write_text("5", "utf-8")  # the peak is counted anew
    tasks[who](given)
    return (_of_status("VmHWM") - before) / 1024


def _of_status(field: str) -> int:
    """A line of the status of this process, in kB."""
    lines = STATUS.read_text("utf-8").splitlines()
    return int(next(line for line in lines if line.startswith(f"{field}:")).split()[1])


if __name__ == "__main__":
    one_thread()
    print(json.dumps(measured(sys.argv[1], sys.argv[2], Path(sys.argv[3]))))
