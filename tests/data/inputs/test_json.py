"""JSON files and JSON lines."""

from pathlib import Path

import pytest

import rankconv as rc
from rankconv.basics.errors import InputError
from rankconv.data.inputs import labels, rankings


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_the_shape_of_beir_ranx_and_pytrec_eval(tmp_path: Path) -> None:
    file = written(tmp_path / "run.json", '{"q1": {"d1": 0.5, "d2": 1}, "q2": {}}')
    assert rankings(file).rows_of("q1") == (["d2", "d1"], [1, 0.5])
    assert rankings(file).rows_of("q2") == ([], [])
    assert rankings(file).source == "run.json"


def test_lists_and_pairs(tmp_path: Path) -> None:
    assert rankings(written(tmp_path / "a.json", '{"q1": ["b", "a"]}')).rows_of("q1") == (["b", "a"], None)
    assert rankings(written(tmp_path / "a.json", '[["b", "a"]]')).rows_of(0) == (["b", "a"], None)
    assert labels(written(tmp_path / "a.json", '{"q1": [["b", 2]]}')).rows_of("q1") == {"b": 2}
    assert labels(written(tmp_path / "a.json", '[{"b": 2}]')).rows_of(0) == {"b": 2}


def test_records(tmp_path: Path) -> None:
    file = written(tmp_path / "a.json", '[{"uid": 7, "doc": "a", "rel": 2}]')
    assert labels(file, user="uid").rows_of(7) == {"a": 2}


def test_ids_of_lines_keep_their_type(tmp_path: Path) -> None:
    file = written(
        tmp_path / "a.jsonl", '{"user": 7, "item": "007", "score": 1}\n\n{"user": 7, "item": "7", "score": 2}\n'
    )
    assert rankings(file).rows_of(7) == (["7", "007"], [2, 1])


def test_one_line_per_user(tmp_path: Path) -> None:
    text = '{"query_id": "q1", "item": ["b", "a"], "score": [1, 2]}\n{"query_id": "q2", "item": [], "score": []}\n'
    returned = rankings(written(tmp_path / "a.jsonl", text))
    assert returned.rows_of("q1") == (["a", "b"], [2, 1])
    assert returned.rows_of("q2") == ([], [])


@pytest.mark.parametrize(
    "text", ['{"user": "q1", "item": "a"}\n{"user": "q1", "item": "b"}', '{"q1": {"a": 1, "b": 1}}']
)
def test_files_without_an_ending_are_known_by_their_content(tmp_path: Path, text: str) -> None:
    assert labels(written(tmp_path / "labels", text)).rows_of("q1") == {"a": 1, "b": 1}


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.jsonl", '{"user": 1, "item": 2}\n{"user": 1', ", line 2: this is not JSON: Expecting ',' delimiter. Write"),
        ("a.jsonl", "[1, 2]\n", ", line 1: '[1, 2]' is not an object. Write one whole object in each line."),
        ("a.jsonl", '{"user": 1, "item": 2}\n\n{"user": 1}\n', ", line 3: there is no 'item'. Give every record"),
        ("a.jsonl", '{"user": 1, "item": 2.5}\n', ", line 1: the item id 2.5 is of type float."),
        ("a.jsonl", '{"user": 1, "item": ["a", "b"], "score": [1]}\n', ", line 1: 'score' is not a list as"),
        ("a.jsonl", '{"user": 1, "item": "a", "score": "x"}\n', ", line 1: the score 'x' is not a number."),
        ("a.json", '{"q1": {"a": 1}}\n{"q2": {"a": 1}}', ", line 2: this is not JSON: Extra data. Name it .jsonl if"),
        ("a.json", '{"q1": {"a": 1, "a": 2}}', ": the key 'a' is there twice in one object. Put all that belongs"),
        ("a.json", '"q1"', ": this is neither an object nor a list."),
        ("a.json", '{"q1": {"a": "x"}}', ", user 'q1', item 'a': the score 'x' is not a number."),
    ],
)
def test_what_cannot_be_read(tmp_path: Path, name: str, text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        rankings(written(tmp_path / name, text))
    assert str(error.value).startswith(f"{tmp_path / name}{message}")


def test_columns_of_a_file_without_any(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"a\.json: columns were named .*, and this data has no named columns"):
        rankings(written(tmp_path / "a.json", '{"q1": ["a"]}'), user="q")


TWICE = [
    '{"user": "u", "item": "a", "score": 1, "score": 2}',
    '{"user": "u", "item": "a", "user": "u"}',
    '{"user": "u", "item": "a", "score": 1, "\\u0069tem": "b"}',
    '{"user": "u", "item": "a", "more": {"x": 1, "x": 2}}',
]


@pytest.mark.parametrize("line", TWICE)
def test_a_key_that_stands_twice_in_a_line_is_refused(tmp_path: Path, line: str) -> None:
    good = '{"user": "u", "item": "http://b:80", "score": 3}'
    file = written(tmp_path / "a.jsonl", f"{good}\n{line}\n")
    with pytest.raises(InputError) as error:
        rankings(file)
    key = "x" if "more" in line else "item" if "u0069" in line else "user" if line.endswith('"u"}') else "score"
    assert str(error.value) == (
        f"{file}, line 2: the key '{key}' is there twice in one object. Put all that belongs to it in one place."
    )
    assert rankings(written(tmp_path / "b.jsonl", good)).rows_of("u") == (["http://b:80"], [3.0])
    with pytest.raises(InputError, match=f"a.json: the key '{key}' is there twice in one object"):
        rankings(written(tmp_path / "a.json", f"[{good}, {line}]"))


def test_a_key_that_stands_twice_among_many_is_found_at_once(tmp_path: Path) -> None:
    users = ", ".join(f'"u{number}": ["a"]' for number in range(30_000))
    file = written(tmp_path / "a.json", f'{{{users}, "u29999": []}}')
    with pytest.raises(InputError, match="the key 'u29999' is there twice"):
        rankings(file)


def test_a_saved_result_with_a_key_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    rc.evaluate({"u": ["a"]}, {"u": ["a"]}, "mrr").save(path)
    text = path.read_text()
    path.write_text(text.replace('"mean": 1.0,', '"mean": 0.5, "mean": 1.0,'))
    with pytest.raises(InputError, match=r"r\.json: the key 'mean' is there twice in one object"):
        rc.Result.load(path)
