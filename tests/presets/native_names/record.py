"""Ask real libraries for the values of their names: `python -m tests.presets.native_names.record ir_measures`.

Run it in an environment that has the library and PyYAML; the project's own tests read what it wrote.
"""

import json
import math
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

HERE = Path(__file__).parent
CASES = HERE.parents[1] / "oracles" / "data" / "cases" / "cases.json"
CASE = "graded"
"""The case of the oracles that all names are computed on."""


def tables(highest: int = 0) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, float]]]:
    """The labels and the run of the case; grades are shares of the `highest` that there is, where it is given."""
    users = next(case["users"] for case in json.loads(CASES.read_text()) if case["name"] == CASE)
    ids = {one["user"]: one["user"].removeprefix("u") for one in users}  # gdeval.pl takes numbers alone
    run = {ids[one["user"]]: dict(zip(one["ranking"], map(float, one["scores"]), strict=True)) for one in users}
    share = (lambda grade: int(grade) / highest) if highest else int
    return {ids[one["user"]]: {item: share(grade) for item, grade in one["labels"].items()} for one in users}, run


HIGHEST = {"cwl_eval": 4}
"""The highest grade for systems that take gains from 0 to 1."""


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


def cwl_eval(name: str) -> float:
    """The mean over topics of a measure as a file of measures has it, or as it is printed; the lists are as given.

    `Measure EU` is the first of the values that the program prints of it.
    """
    import cwl
    from cwl.ruler.ranking import RankingMaker
    from cwl.seeker.trec_qrel_handler import TrecQrelHandler

    sys.path.append(str(Path(cwl.__file__).parent))  # where it looks for the classes that a file names
    measure, _, column = name.partition(" ")
    labels, run = tables(HIGHEST["cwl_eval"])
    with TemporaryDirectory() as folder:
        gains = Path(folder, "gains")
        rows = [f"{user} 0 {item} {gain!r}\n" for user in labels for item, gain in labels[user].items()]
        gains.write_text("".join(rows))
        qrels = TrecQrelHandler(str(gains))
    asked = _of_class(measure) if measure.endswith(")") else _as_printed(measure)
    place, values = ("EU", "ETU", "EC", "ETC", "ED").index(column or "EU"), list[float]()
    for user, items in run.items():
        ranking = RankingMaker(user, qrels, None, max_gain=1.0, max_cost=1.0, min_cost=1.0, max_n=1000)
        for item in items:
            ranking.add(item, "a")
        values.append(float(asked._do_score(ranking.get_ranking())[place]))
    return sum(values) / len(values)


def _of_class(line: str) -> Any:
    """The measure that a line of a file of measures asks for."""
    from cwl.ruler.cwl_ruler import CWLRuler

    name, _, parameters = line.removesuffix(")").partition("(")
    return CWLRuler().instantiate_class(name, *parameters.split(","))


def _as_printed(name: str) -> Any:
    """The measure of `names.yaml` that the program prints so."""
    import yaml

    for line in yaml.safe_load((HERE / "names.yaml").read_text())["cwl_eval"]:
        with suppress(TypeError, NameError):  # some lines are mistakes
            if line.endswith(")") and (measure := _of_class(line)).name().strip() == name:
                return measure
    raise ValueError(f"no measure is printed as {name}")


NO_NUMBER = ("runid", "relstring")
ASKED: dict[str, Callable[[str], float | list[float]]] = {
    "cwl_eval": cwl_eval,
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
