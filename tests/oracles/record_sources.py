"""Records systems that no package has: `python -m tests.oracles.record_sources NAME CHECKOUT`.

CHECKOUT is a copy of the repository at the version. What it computes for the shared cases is written to `data/oracles`;
nothing of it is written here, but how its own functions are called. Quepid needs node, the others torch or nothing.
"""

import ast
import json
import math
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"
CASES = DATA / "cases" / "cases.json"


def cases() -> dict[str, list[dict[str, Any]]]:
    """The users of each shared case."""
    return {case["name"]: case["users"] for case in json.loads(CASES.read_text())}


def surprise(checkout: Path) -> Iterator[dict[str, Any]]:
    """The recipe of the FAQ of Surprise: a function of predictions, each with a user and an item."""
    source = (checkout / "examples" / "precision_recall_at_k.py").read_text()
    [recipe] = [one for one in ast.parse(source).body if isinstance(one, ast.FunctionDef)]
    names: dict[str, Any] = {"defaultdict": defaultdict}
    exec(compile(ast.Module([recipe], []), "the recipe", "exec"), names)
    for case, users in cases().items():
        listed = [(user, *row) for user in users for row in zip(user["ranking"], user["scores"], strict=True)]
        rows = [(user["user"], item, user["labels"].get(item, 0), score, {}) for user, item, score in listed]
        for k in (2, 5):
            for metric, values in zip(("precision", "recall"), names[recipe.name](rows, k=k, threshold=2), strict=True):
                mean = sum(values.values()) / len(values) if values else math.nan
                yield {
                    "case": case,
                    "metric": metric,
                    "call": f"k={k}, threshold=2",
                    "k": k,
                    "mean": mean,
                    "per_user": values,
                }


QUEPID = """
const fs = require("fs"), [folder, file] = process.argv.slice(1);
const angular = {
  module: () => ({factory: (name, parts) => { angular.made = parts[parts.length - 1]; }}),
  forEach: (all, call) => (all || []).forEach(call), isUndefined: one => one === undefined,
  isString: one => typeof one === "string", copy: one => one, extend: Object.assign,
};
global.angular = angular;
global.Worker = function () {};
eval(fs.readFileSync(folder + "/app/assets/javascripts/factories/ScorerFactory.js", "utf8"));
let score = null;
const $q = {defer: () => ({resolve: one => { score = one; }, reject: one => { throw one; }, promise: null})};
const Scorer = angular.made($q, call => call());
const found = {};
for (const {name, users} of JSON.parse(fs.readFileSync(file, "utf8"))) {
  found[name] = {};
  for (const scorer of fs.readdirSync(folder + "/db/scorers").filter(one => one.includes("@"))) {
    found[name][scorer] = {};
    for (const user of users) {
      const rated = Object.entries(user.labels).map(([id, rating]) => ({id, rating}));
      rated.sort((one, other) => other.rating - one.rating);
      const docs = user.ranking.map(id => ({
        doc: {id}, hasRating: () => id in user.labels, getRating: () => (id in user.labels ? user.labels[id] : null),
      }));
      const one = new Scorer({scale: "0,1,2,3", code: fs.readFileSync(folder + "/db/scorers/" + scorer, "utf8")});
      score = null;
      one.runCode({ratedDocs: rated}, docs.length, docs, rated, undefined, {});
      const none = docs.length === 0 || rated.length === 0;  // as score() and scoreOthers() go on
      found[name][scorer][user.user] = score === null && none ? null : score || 0;
    }
  }
}
console.log(JSON.stringify(found));
"""


def quepid(checkout: Path) -> Iterator[dict[str, Any]]:
    """The scorers of Quepid, as the browser runs them; a rating is a whole number of the scale from 0 to 3."""
    command = ["node", "-e", QUEPID, checkout, CASES]
    found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    for case, scorers in found.items():
        for scorer, values in scorers.items():
            metric = scorer.partition("@")[0]
            scored = [value for value in values.values() if value is not None]  # scoreAll() leaves the others out
            mean = sum(scored) / len(scored) if scored else None
            yield {"case": case, "metric": metric, "call": scorer, "k": 10, "mean": mean, "per_user": values}


def ranking_metrics_torch(checkout: Path) -> Iterator[dict[str, Any]]:
    """Matrices of scores and labels, one row a user, padded to the longest and to 20 columns at least."""
    import torch

    sys.path.insert(0, str(checkout))
    from ranking_metrics_torch import avg_precision, cumulative_gain, precision_recall

    functions = [precision_recall.precision_at, precision_recall.recall_at, avg_precision.avg_precision_at]
    of_grades = [cumulative_gain.dcg_at, cumulative_gain.ndcg_at]
    for case, users in cases().items():
        width = max(20, *(len(user["ranking"]) for user in users))
        fill = [width - len(user["ranking"]) for user in users]
        grades = torch.tensor(
            [[float(u["labels"].get(i, 0)) for i in u["ranking"]] + [0.0] * n for u, n in zip(users, fill, strict=True)]
        )
        scores = torch.tensor([u["scores"] + [-1e9] * n for u, n in zip(users, fill, strict=True)], dtype=torch.float)
        tables = [(one, "", (grades > 0).float()) for one in functions + of_grades]
        tables += [(one, "_grades", grades) for one in of_grades]
        for function, form, labels in tables:
            for k in (1, 3):
                about = {
                    "case": case,
                    "metric": function.__name__ + form,
                    "call": f"{function.__name__}(ks=[{k}])",
                    "k": k,
                }
                try:
                    found = function(torch.tensor([k]), scores, labels)[:, 0]
                except IndexError as problem:
                    yield {**about, "mean": None, "per_user": None, "error": str(problem)}
                    continue
                values = {user["user"]: float(value) for user, value in zip(users, found, strict=True)}
                yield {**about, "mean": float(found.mean()), "per_user": values}


SKLEARN = """
import json, sys, warnings
warnings.simplefilter("ignore")
from sklearn.metrics import average_precision_score
found = {}
for case in json.load(open(sys.argv[1])):
    values, errors = {}, {}
    for user in case["users"]:
        relevant = [int(user["labels"].get(item, 0) > 0) for item in user["ranking"]]
        try:
            values[user["user"]] = float(average_precision_score(relevant, user["scores"]))
        except Exception as problem:
            errors[user["user"]] = str(problem)
    found[case["name"]] = (values, errors)
print(json.dumps(found))
"""
"""Run by the Python 3.6 for which scikit-learn 0.18 was built."""


def sklearn(environment: Path) -> Iterator[dict[str, Any]]:
    """Average precision of an old scikit-learn, in an environment of its own; the mean is the caller's."""
    command = [environment / "bin" / "python", "-c", SKLEARN, CASES]
    for case, (values, errors) in json.loads(subprocess.check_output(command, text=True)).items():
        mean = None if errors else sum(values.values()) / len(values)
        about = {"case": case, "metric": "map", "call": "average_precision_score(y>0, score)", "k": None}
        yield {**about, "mean": mean, "per_user": dict.fromkeys(errors) | values, "user_errors": errors}


RECORDERS: dict[str, Callable[[Path], Iterator[dict[str, Any]]]] = {
    "sklearn": sklearn,
    "surprise": surprise,
    "quepid": quepid,
    "ranking_metrics_torch": ranking_metrics_torch,
}

if __name__ == "__main__":
    system, checkout = sys.argv[1], Path(sys.argv[2])
    [record] = [one for name, one in RECORDERS.items() if system.startswith(name)]
    results = [{"input": "retrieved", **one} for one in record(checkout)]
    file = DATA / "oracles" / f"{system}.json"
    file.write_text(json.dumps({"system": system, "results": results}, separators=(",", ":")))
    print(f"{file}: {len(results)} results")
