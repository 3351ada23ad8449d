"""Ask real libraries for the values of their names: `python -m tests.presets.native_names.record ir_measures`.

Run it in an environment that has the library and PyYAML; the project's own tests read what it wrote.
"""

import json
import math
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

HERE = Path(__file__).parent
CASES = HERE.parents[1] / "oracles" / "data" / "cases" / "cases.json"
CASE = "graded"
"""The case of the oracles that all names are computed on."""


def tables() -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """The labels and the run of the case."""
    users = next(case["users"] for case in json.loads(CASES.read_text()) if case["name"] == CASE)
    ids = {one["user"]: one["user"].removeprefix("u") for one in users}  # gdeval.pl takes numbers alone
    run = {ids[one["user"]]: dict(zip(one["ranking"], map(float, one["scores"]), strict=True)) for one in users}
    return {ids[one["user"]]: {item: int(grade) for item, grade in one["labels"].items()} for one in users}, run


def ir_measures(name: str) -> float:
    """The aggregate of `ir_measures.calc_aggregate`."""
    import ir_measures as library

    labels, run = tables()
    measure = library.parse_measure(name)
    return float(library.calc_aggregate([measure], labels, run)[measure])


def ranx(name: str) -> float:
    """The mean of `ranx.evaluate`."""
    from ranx import Qrels, Run, evaluate

    labels, run = tables()
    return float(evaluate(Qrels(labels), Run(run), name, make_comparable=True))


def trec_eval(name: str) -> list[float]:
    """The numbers that the program prints over all topics, four decimals each, sorted; `TREC_EVAL` is its path."""
    labels, run = tables()
    with TemporaryDirectory() as folder:
        qrels, results = Path(folder, "qrels"), Path(folder, "run")
        qrels.write_text(
            "".join(f"{user} 0 {item} {grade}\n" for user in labels for item, grade in labels[user].items())
        )
        lines = [f"{user} Q0 {item} 0 {score!r} tag\n" for user in run for item, score in run[user].items()]
        results.write_text("".join(lines))
        command = [os.environ["TREC_EVAL"], *name.split(), str(qrels), str(results)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ValueError(done.stderr.strip())
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    return sorted(float(value) for measure, user, value in rows if user == "all" and measure.strip() not in NO_NUMBER)


NO_NUMBER = ("runid", "relstring")
ASKED: dict[str, Callable[[str], float | list[float]]] = {
    "ir_measures": ir_measures,
    "ranx": ranx,
    "trec_eval": trec_eval,
}
VERSIONS = {"trec_eval": "10.0-rc3"}
"""Of what is no Python package."""


def recorded(system: str, names: list[str]) -> dict[str, Any]:
    """Of each name the value, None for NaN, or the error as text."""
    found: dict[str, Any] = {}
    for name in names:
        try:
            value = ASKED[system](name)
            found[name] = None if isinstance(value, float) and math.isnan(value) else value
        except Exception as error:  # whatever the library raises is what it says of the name
            found[name] = f"{type(error).__name__}: {error}".partition(" at 0x")[0][:100]
    return found


if __name__ == "__main__":
    from importlib.metadata import version

    import yaml

    file = HERE / "recorded.json"
    known = json.loads(file.read_text()) if file.exists() else {}
    names = yaml.safe_load((HERE / "names.yaml").read_text())
    for system in sys.argv[1:]:
        known[system] = {
            "version": VERSIONS.get(system) or version(system.replace("_", "-")),
            "values": recorded(system, names[system]),
        }
    file.write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n")
