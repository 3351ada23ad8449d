"""Numbers of spans of documents: under presets that compare characters, and under others that then compare chunks."""

from pathlib import Path

import rankconv as rc

FILES = Path(__file__).parents[3] / "examples" / "spans"
SIDES = str(FILES / "labels.csv"), str(FILES / "run.csv")


def presets(value: str, metric: str) -> set[str]:
    found = rc.identify(*SIDES, metric=metric, value=value)
    return {name.partition(":")[0] for row in found.to_dict()["rows"] for name in row["presets"]}


def test_the_program_whose_recall_is_above_1() -> None:
    assert presets("1.6000", "recall@3") == {"legalbenchrag"}
    assert "chunking_evaluation" in presets("0.6000", "recall@3")


def test_others_under_whole_chunks() -> None:
    value = rc.evaluate(*SIDES, "precision(span-unit=span)@3")["precision(span-unit=span)@3"]
    assert "rankconv" in presets(f"{value:.6f}", "precision@3")
