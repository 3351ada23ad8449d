"""The presets' metrics beyond accuracy against the numbers of the real libraries, on lists drawn at random."""

import json
from pathlib import Path
from typing import Any

import pytest

import rankconv as rc
from tests.metrics.beyond.cases import cases, train_beside
from tests.together import together

FILES = sorted((Path(__file__).parent / "libraries").glob("of_*.json"))
RECORDED = {file.stem.removeprefix("of_"): json.loads(file.read_text(encoding="utf-8")) for file in FILES}
"""What the scripts beside these files wrote."""


NAMES_USERS = {"replay_rec"}
"""It has users whom only training knows, so these are named to it."""


def joined(library: str, case: dict[str, Any]) -> Any:
    """The case as the library was given it."""
    run, features = [tuple(row) for row in case["run"]], {int(item): one for item, one in case["features"].items()}
    train = train_beside(case) if library == "recommenders" else case["train"]
    labels = [tuple(pair) for pair in case["labels"]]
    known: Any = {item: str(one[0]) for item, one in features.items()} if library == "replay_rec" else features
    given = {"train": [tuple(pair) for pair in train], "features": known, "catalogue": case["catalogue"]}
    return rc.join(labels, run, **given)


def cells() -> list[Any]:
    """Library, number of the case, cutoff, metric, and the number recorded.

    Text in its place says why there is none: an item is not in training, or a list has one item.
    """
    return [
        pytest.param(library, at, int(k), metric, value, id=f"{library}-{at}-{metric}@{k}")
        for library, told in RECORDED.items()
        for at, case in enumerate(told["cases"])
        for k, numbers in case.items()
        for metric, value in numbers.items()
        if not isinstance(value, str)
    ]


@together("library, at, k, metric, value", cells(), by=lambda library, at, *_: f"{library}-{at}")
def test_the_preset_gives_what_the_library_gives(library: str, at: int, k: int, metric: str, value: Any) -> None:
    case, spec = cases()[at], f"{library}:{metric}@{k}"
    everybody = (
        {row[0] for side in ("run", "train", "labels") for row in case[side]} if library in NAMES_USERS else None
    )
    found = rc.evaluate(joined(library, case), spec, users=everybody, on_error="collect")[spec]
    expected = float("nan") if value is None else value
    digits = 1e-6 if metric == "ExposureGini" else 1e-9  # its weights are summed in single precision
    assert found == pytest.approx(expected, rel=digits, abs=1e-12, nan_ok=True)
