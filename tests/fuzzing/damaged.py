"""Read damaged files, one after the other, in a process of its own: `python -m tests.fuzzing.damaged FOLDER WAY`.

Prints the number of each file before it is read, so that whoever reads the output knows which one ended the process.
"""

import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import rankconv as rc
from rankconv.basics.errors import RankconvError

LABELS = {f"q{user}": {"d1": 1, "d2": 2} for user in range(3)}


def _evaluated(path: str, **options: Any) -> object:
    return rc.evaluate(LABELS, path, "ndcg@3", **options)


def _in_batches(path: str) -> object:
    labels = str(Path(path).parent / "labels.csv")
    return rc.evaluate(labels, path, "ndcg@3", memory="4GB")


WAYS: dict[str, Callable[[str], object]] = {
    "memory": _in_batches,
    "whole": _evaluated,
    "features": lambda path: rc.evaluate(LABELS, {"q1": ["d1"]}, "diversity@3", item_features=path),
    "seen": lambda path: rc.evaluate(LABELS, {"q1": ["d1"]}, "ndcg(exclude=seen)@3", seen=path),
}


def outcome(read: Callable[[str], object], path: Path) -> str:
    """What came of a file in one line; an error of another kind, or of several lines, is a fault."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            read(str(path))
    except RankconvError as error:
        return "refused" if len(str(error).splitlines()) == 1 and str(error).isprintable() else f"fault {error!r}"
    except Exception as error:
        return f"fault {type(error).__name__}: {error}"[:300].replace("\n", " ")
    return "read"


if __name__ == "__main__":
    for file in sorted(Path(sys.argv[1]).glob("run-*")):
        print(file.name, end=" ", flush=True)
        print(outcome(WAYS[sys.argv[2]], file), flush=True)
