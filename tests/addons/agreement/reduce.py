"""Makes the project's copy of the results on two label sets: `python -m tests.addons.agreement.reduce FOLDER`.

FOLDER has `cases/two_labels.json` and `oracles_public/*.json`. Lists of items become texts, numbers have 12 digits.
"""

import json
import sys
from pathlib import Path
from typing import Any

DATA = Path(__file__).with_name("data")
SYSTEMS = ("kappa_sklearn", "krippendorff", "umbrela", "llmjudge", "leaderboards", "ppi_python")


def main(folder: Path) -> None:
    """Write the cases and the results of each system, one a line."""
    cases = json.loads((folder / "cases" / "two_labels.json").read_text("utf-8"))
    _write("cases", [_case(one) for one in cases])
    for system in SYSTEMS:
        results = json.loads((folder / "oracles_public" / f"{system}.json").read_text("utf-8"))["results"]
        _write(system, [_result(one) for one in results])


def _case(case: dict[str, Any]) -> dict[str, Any]:
    found = {"name": case["name"], "judged_by_person": case["judged_by_person"]}
    for side in ("labels_a", "labels_b"):
        found[side] = {
            query: " ".join(f"{item}={grade}" for item, grade in grades.items()) for query, grades in case[side].items()
        }
    runs = case["runs"].items()
    return found | {"runs": {run: {query: " ".join(items) for query, items in lists.items()} for run, lists in runs}}


def _result(result: dict[str, Any]) -> dict[str, Any]:
    kept = {"case": result["case"], "metric": result["metric"], "mean": _rounded(result["mean"])}
    if result.get("parts") is not None:
        kept["parts"] = {name: _rounded(value) for name, value in result["parts"].items()}
    return kept | ({"error": result["error"]} if result["error"] else {})


def _rounded(value: Any) -> Any:
    return float(f"{value:.12g}") if isinstance(value, float) else value


def _write(name: str, rows: list[dict[str, Any]]) -> None:
    lines = ",\n".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows)
    (DATA / f"{name}.json").write_text(f"[\n{lines}\n]\n", "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
