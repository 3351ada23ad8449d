"""One number from several processes: each evaluates its own files, and sends some hundred bytes.

    python processes.py FOLDER

FOLDER holds `labels-0.csv`, `run-0.csv`, `labels-1.csv`, …: all labels and rows of some users in each pair.
"""

import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import rankconv as rc
from rankconv.typing import Partial

METRICS, PRESET = ["ndcg@3", "map@3"], "mllib"


def part(files: tuple[Path, Path]) -> bytes:
    """What the users of these two files add to the numbers, to be sent."""
    numbers = rc.Evaluator(METRICS, PRESET, per_user=False, repeated_users="unchecked")
    numbers.update(*map(str, files))
    return numbers.partial().to_bytes()


def main(folder: Path, processes: int = 2) -> rc.Result:
    """The numbers of all users."""
    pairs = zip(sorted(folder.glob("labels-*.csv")), sorted(folder.glob("run-*.csv")), strict=True)
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        return Partial.merged(map(Partial.from_bytes, pool.map(part, pairs))).compute()


if __name__ == "__main__":
    print(main(Path(sys.argv[1])).to_markdown())
