"""Files of tables may separate fields by commas, tabs or semicolons, whatever their ending."""

from pathlib import Path

import pytest

import rankconv as rc

ROWS = [("user", "item", "score"), ("u", "a", "0.5"), ("u", "b", "1.5"), ("v", "a", "2")]
LABELS = {"u": ["a"], "v": ["b"]}


@pytest.mark.parametrize("header", [True, False])
@pytest.mark.parametrize("ending", ["csv", "tsv"])
@pytest.mark.parametrize("separator", [",", "\t", ";"])
def test_the_separator_of_the_first_line_is_used(tmp_path: Path, separator: str, ending: str, header: bool) -> None:
    file = tmp_path / f"run.{ending}"
    file.write_text("\n".join(separator.join(row) for row in ROWS[0 if header else 1 :]) + "\n")
    for memory in ({}, {"memory": "8GB"}):
        labels = tmp_path / "labels.csv"
        labels.write_text("user;item\nu;a\nv;b\n")
        assert rc.evaluate(labels, file, "mrr", **memory)["mrr"] == 0.25


def test_a_decimal_comma_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "run.csv"
    file.write_text("user;item;score\nu;a;0,5\nu;b;1,5\n")
    with pytest.raises(rc.InputError, match=r"line 2.*'0,5' is not a number"):
        rc.evaluate(LABELS, file, "mrr")


def test_a_comma_in_front_of_more_semicolons_is_the_separator_only_where_rows_agree(tmp_path: Path) -> None:
    file = tmp_path / "run.csv"
    file.write_text("user,item\nu,a;b;c\n")
    assert rc.Run(file).rows_of("u")[0] == ["a;b;c"]


def test_side_data_may_use_semicolons(tmp_path: Path) -> None:
    file = tmp_path / "users.csv"
    file.write_text("user;age\nu;young\nv;old\n")
    run = {"u": ["b", "a"], "v": ["a", "b"]}
    segments = rc.segments(LABELS, run, "mrr", by="age", user_features=file)
    assert "young" in str(segments)


def test_a_line_that_may_be_split_at_commas_or_semicolons_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "labels.csv"
    for text in ("u,a;1;2\nv,b;1;3\n", "user,name;item;grade\nu,a;b;1\n"):
        file.write_text(text)
        with pytest.raises(rc.InputError, match=r"may be separated by ';' or by ','\. Put fields"):
            rc.Labels(file)
    file.write_text('"Muster, Max";a;1\n')
    assert rc.Labels(file).rows_of("Muster, Max") == {"a": 1.0}
