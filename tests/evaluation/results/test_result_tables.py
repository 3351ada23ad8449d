"""Tables of a result: intervals are those of `intervals`, shown from five users on, and only where they are cheap."""

import csv
import io
import json
import sys
from pathlib import Path

import pytest

import rankconv as rc
from rankconv.evaluation.statistics.intervals import Interval, shown
from tests.cli.support import rows, run

MICRO = "recall(aggregate=micro, on-no-relevant=as-computed, on-zero-division=as-computed)@1"
SPECS = ["mrr@2", MICRO]


def result(users: int, specs: str | list[str] = "mrr@2", *, other: int = 0) -> rc.Result:
    """Every second user has a hit at rank 2, the others at rank 1; `other` users have no relevant item."""
    labels = {str(user): ["a"] for user in range(users)} | {f"none {user}": [] for user in range(other)}
    lists = {str(user): ["xa", "ax"][user % 2] for user in range(users)}
    return rc.evaluate(labels, {user: list(items) for user, items in lists.items()}, specs, "blog")


def cells(found: rc.Result, **shown: float | None) -> dict[str, str]:
    """The cells of the first row by their heads."""
    table = found.table(**shown)  # type: ignore[arg-type]
    return dict(zip(table.headers, table.rows[0], strict=True))


def test_an_interval_is_that_of_the_number() -> None:
    found = result(8)
    for level, head in ((0.95, "95 % interval"), (0.9, "90 % interval")):
        theirs = found.intervals(level)["mrr@2"]
        assert cells(found, confidence_level=level)[head] == shown(theirs, 4)
        row = next(csv.DictReader(io.StringIO(found.to_csv(confidence_level=level))))
        assert [float(row[name]) for name in ("mean", "interval_low", "interval_high")] == [
            found["mrr@2"],
            theirs.low,
            theirs.high,
        ]


@pytest.mark.parametrize(("users", "there"), [(2, False), (4, False), (5, True), (6, True)])
def test_it_is_shown_from_five_users_on_who_count(users: int, there: bool) -> None:
    """Users who are left out do not count."""
    found = result(users, other=3)
    assert found.counts["mrr@2"] == {"scored": users, "on-no-relevant: skip": 3}
    assert ("95 % interval" in cells(found)) == there == ("interval_low" in found.to_csv())


def test_without_a_level_there_is_none() -> None:
    assert "95 % interval" not in cells(result(8), confidence_level=None)
    assert "interval" not in result(8).to_csv(confidence_level=None)


def test_numbers_whose_users_would_be_drawn_again_name_what_draws_them() -> None:
    found = result(30, SPECS)
    table = found.table()
    assert table.rows[1][2] == "–"
    assert f"{MICRO}: an interval takes users drawn again, as Result.intervals() does." in table.notes
    assert not found.intervals()[MICRO].why
    row = [*csv.DictReader(io.StringIO(found.to_csv()))][1]
    assert (row["interval_low"], row["interval_high"]) == ("", "")


def test_where_all_users_have_one_value_there_is_no_column() -> None:
    same = {str(user): ["a"] for user in range(9)}
    assert "95 % interval" not in cells(rc.evaluate(same, same, "mrr@2", "blog"))


def test_without_scipy_one_line_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    found = result(8)
    monkeypatch.setitem(sys.modules, "scipy.special", None)
    table = found.table()
    assert "95 % interval" not in table.headers
    assert [note for note in table.notes if "scipy" in note] == [
        "an interval needs scipy, which is not installed. Install it: pip install 'rankconv[stats]'."
    ]
    assert "interval" not in found.to_csv()


def test_the_command_prints_it_in_each_form(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = result(8)
    Path("labels.csv").write_text("user,item\n" + "".join(f"{user},a\n" for user in range(8)))
    lines = (f"{user},x,{1 + user % 2 * -2}\n{user},a,0\n" for user in range(8))
    Path("run.csv").write_text("user,item,score\n" + "".join(lines))
    ours, theirs = "evaluate labels.csv run.csv -p blog -m mrr@2 --quiet", found.intervals()["mrr@2"]
    assert found["mrr@2"] == float(rows(ours)[0]["mean"])
    for form in ("text", "markdown", "latex"):
        assert shown(theirs, 4) in run(f"{ours} --format {form}").stdout
        assert "interval" not in run(f"{ours} --format {form} --no-interval").stdout
    said = json.loads(run(f"{ours} --format json").stdout)["intervals"]["mrr@2"]
    assert Interval(**said) == theirs
    assert "intervals" not in json.loads(run(f"{ours} --format json --no-interval").stdout)
    assert [float(rows(ours)[0][name]) for name in ("interval_low", "interval_high")] == [theirs.low, theirs.high]
    assert "90 % interval" in run(f"{ours} --confidence-level 0.9").stdout
    assert "interval" not in run(f"{ours} --format trec_eval").stdout
