"""Ids of two files, of which one has whole numbers and the other their decimal texts."""

import json
import warnings
from pathlib import Path
from typing import Any

import pytest

import rankconv as rc
from rankconv.basics.errors import RespelledIds

pytest.importorskip("polars")  # reads the files

LABELS = {"1": {"10": 1, "11": 0}, "2": {"10": 1}}
RUN = {"1": ["10", "12"], "2": ["12", "10"]}
CSV_LABELS = "user,item,grade\n1,10,1\n1,11,0\n2,10,1\n"
LINES = [
    {"user": 1, "item": 10, "score": 2.0},
    {"user": 1, "item": 12, "score": 1.0},
    {"user": 2, "item": 12, "score": 2.0},
    {"user": 2, "item": 10, "score": 1.0},
]


def written(folder: Path, name: str, content: Any) -> str:
    file = folder / name
    lines = name.endswith("l")
    file.write_text(
        content if isinstance(content, str) else "\n".join(map(json.dumps, content)) if lines else json.dumps(content)
    )
    return str(file)


def numbers(users: dict[str, Any]) -> dict[str, list[int]]:
    """Keys of JSON are texts; these lists are numbers."""
    return {user: list(map(int, items)) for user, items in users.items()}


@pytest.mark.parametrize(
    ("labels", "run", "said"),
    [
        (("labels.csv", CSV_LABELS), ("run.jsonl", LINES), "user and item ids of the run are whole numbers in"),
        (("labels.json", LABELS), ("run.json", numbers(RUN)), "item ids of the run are whole numbers in"),
        (
            ("labels.json", numbers({"1": ["10"], "2": ["10"]})),
            ("run.json", {u: dict.fromkeys(RUN[u], 1) for u in RUN}),
            "item ids of the labels are whole numbers in",
        ),
    ],
)
def test_whole_numbers_meet_their_texts_and_it_is_said(
    labels: tuple[str, Any], run: tuple[str, Any], said: str, tmp_path: Path
) -> None:
    texts = rc.evaluate(LABELS, RUN, "map, recall@1")
    folders = [tmp_path / "labels", tmp_path / "run"]
    for folder in folders:
        folder.mkdir()
    with pytest.warns(RespelledIds, match=said):
        found = rc.evaluate(written(folders[0], *labels), written(folders[1], *run), "map, recall@1")
    if "score" in str(run[1]) or isinstance(run[1]["1"], list):
        assert dict(found) == dict(texts)
    assert any(said in note for note in found.notes)


def test_a_number_is_its_decimal_text_alone(tmp_path: Path) -> None:
    labels = written(tmp_path, "labels.json", {"1": {"007": 1, "7": 0, "8.0": 1}})
    with pytest.warns(RespelledIds):
        found = rc.evaluate(labels, written(tmp_path, "run.json", {"1": [7, 8]}), "hit_count, judged_share@1")
    assert dict(found) == {"hit_count": 0.0, "judged_share@1": 1.0}


def test_ids_of_one_type_are_left_alone(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rc.evaluate(written(tmp_path, "l.json", numbers({"1": ["7"]})), written(tmp_path, "r.json", {"1": [7]}), "map")
        rc.evaluate(written(tmp_path, "l.json", {"1": {"7": 1}}), written(tmp_path, "r.json", {"1": ["7"]}), "map")


def test_objects_of_two_types_are_refused(tmp_path: Path) -> None:
    file = written(tmp_path, "run.json", {"1": [10]})
    for labels, run in (({"1": {"10": 1}}, {"1": [10]}), ({"1": {"10": 1}}, file)):
        with pytest.raises(rc.InputError, match="so nothing can match"):
            rc.evaluate(labels, run, "map")
