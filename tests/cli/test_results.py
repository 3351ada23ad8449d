"""The results of commands: several runs in one table, long forms, order by value, names that `show` takes."""

import csv
import io
import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from typer.testing import CliRunner, Result

from rankconv.cli import app, main, printing

LABELS = "user,item,grade\nada,a,2\nada,b,1\nbob,c,1\n"
RUN = "user,item,score\nada,a,3\nada,x,2\nada,b,1\nbob,y,2\nbob,c,1\n"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "labels.csv").write_text(LABELS)
    for name in ("a", "b"):
        (tmp_path / f"{name}.csv").write_text(RUN)
    monkeypatch.chdir(tmp_path)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments), catch_exceptions=False)


def refused(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *arguments: str) -> str:
    """The message of an error, before which nothing is printed."""
    monkeypatch.setattr("sys.argv", ["rankconv", *arguments])
    with pytest.raises(SystemExit) as stop:
        main()
    printed = capsys.readouterr()
    assert (stop.value.code, printed.out, printed.err.count("\n")) == (2, "", 1)
    return printed.err


def rows(*arguments: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(run(*arguments, "--format", "csv").stdout)))


def test_several_runs_are_one_table_with_a_column_of_runs() -> None:
    printed = run("evaluate", "labels.csv", "a.csv", "b.csv", "-m", "mrr@3,map@3").stdout
    assert [line.split()[:3] for line in printed.splitlines() if "@3" in line] == [
        [name, metric, value] for name in "ab" for metric, value in (("mrr@3", "0.7500"), ("map@3", "0.6667"))
    ]
    assert printed.count("Preset: rankconv.") == 1
    told = rows("evaluate", "labels.csv", "a.csv", "b.csv", "-m", "mrr@3")
    assert told == [{"run": name, "metric": "mrr@3", "mean": "0.7500", "scored": "2"} for name in "ab"]
    assert [*rows("evaluate", "labels.csv", "a.csv", "-m", "mrr@3")[0]] == ["run", "metric", "mean", "scored"]
    each = rows("evaluate", "labels.csv", "a.csv", "b.csv", "-m", "mrr@3", "--per-user")
    assert [(one["run"], one["user"]) for one in each] == [
        (run, user) for run in "ab" for user in ("ada", "bob", "mean")
    ]


def test_segments_are_an_option_of_evaluate(capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "by activity" in run("evaluate", "labels.csv", "a.csv", "-m", "mrr@3", "--by", "activity").stdout
    message = refused(capsys, monkeypatch, *"evaluate labels.csv a.csv -m mrr --by activity --per-user".split())
    assert "--per-user is not for segments. Leave out --per-user or --by." in message


def test_the_long_form_has_a_row_for_each_value_and_says_what_is_missing() -> None:
    asked = ("compare", "labels.csv", "a.csv", "b.csv", "-m", "mrr@3", "-p", "rankconv", "-p", "kaggle")
    assert "run  metric  preset" in run(*asked, "--long").stdout
    told = json.loads(run(*asked, "--format", "json").stdout)
    assert [(one["run"], one["preset"], one["mean"]) for one in told] == [
        (name, preset, mean) for name in "ab" for preset, mean in (("rankconv", 0.75), ("kaggle", None))
    ]
    assert {one["note"] for one in told} == {"", "not offered"}


def test_all_presets_are_ordered_by_value() -> None:
    told = json.loads(run("compare", "labels.csv", "a.csv", "-m", "map@3", "-p", "all", "--format", "json").stdout)
    means = [one["mean"] for one in told]
    values = [mean for mean in means if mean is not None]
    assert values == sorted(values)
    assert None not in means[: len(values)]


def test_a_pipe_prints_what_a_terminal_of_80_columns_prints() -> None:
    asked = ("compare", "labels.csv", "a.csv", "-m", "map@3,ndcg@3", "-p", "all")
    piped = run(*asked).stdout
    shown = CliRunner(env={"COLUMNS": "80"}).invoke(app, asked).stdout
    assert piped.split()[:30] == shown.split()[:30]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("compare labels.csv", "labels were given, and no run. Add a run after labels.csv"),
        ("why labels.csv a.csv -m ndcg@3", "labels and a run were given, and two presets or definitions are missing"),
        ("why labels.csv a.csv mllib -m ndcg@3", "and a second preset is missing"),
        ("why labels.csv -m ndcg@3", "labels were given, and no run"),
        ("sensitivity labels.csv a.csv -m ndcg -k 5,10", "Name the cutoff in the metric"),
        ("test labels.csv a.csv b.csv --leaderboard --detect 0.1", "--detect is not for a leaderboard"),
        ("show", "no name was given"),
        ("show --schema metric", "There are schemas of preset, protocol, published files"),
        ("show gian", "'gian' is not a name. Did you mean 'gain'?"),
        ("list presets nowhere", "no row holds nowhere"),
        ("show mllib --format csv", "--format csv is not for pages"),
    ],
)
def test_errors_say_what_is_missing(
    words: str, said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert said in refused(capsys, monkeypatch, *words.split())


def test_too_few_users_are_not_advised_to_do_what_they_did(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("test", "labels.csv", "a.csv", "b.csv")
    assert "--include-users either" in refused(capsys, monkeypatch, *asked)
    message = refused(capsys, monkeypatch, *asked, "--include-users", "either")
    assert "2 users count in 'a' or 'b', and 5 at least are needed. Test runs with more users" in message


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("search", "trec_eval: without -c"),
        ("mllib", "Apache Spark MLlib"),
        ("ndcg", "Conventions:"),
        ("mllib:ndcg@10", "fingerprint 0f082adf"),
        ("gain", "gain: "),
        ("exponential", "gain: "),
        ("gain=exponential", "gain: "),
        ("tested", "tested: "),
        ("lenskit-crossfold", "For a paper:"),
        ("protocol:fastml", "For a paper:"),
        ("0f082adf", "mllib:ndcg@10"),
    ],
)
def test_show_takes_any_name(name: str, said: str) -> None:
    assert said in run("show", name).stdout


def test_lists_are_searched_and_short_by_default() -> None:
    assert {row["preset"] for row in rows("list", "presets", "spark")} == {"mllib", "mllib-graded", "mllib-2016"}
    short, whole = rows("list", "conventions"), rows("list", "conventions", "--all")
    assert len(short) == 25 < len(whole)


def test_check_takes_a_list_of_cutoffs() -> None:
    told = json.loads(run("check", "labels.csv", "a.csv", "-k", "1,2", "-p", "rankconv", "--format", "json").stdout)
    assert told["cutoff"] == 2


def test_serve_opens_on_a_ranking_of_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rankconv.playground.serving.serve", lambda _port, ready: ready("http://127.0.0.1:1/"))
    printed = run("serve", "labels.csv", "a.csv", "-u", "ada").stdout
    state = json.loads(unquote(printed.partition("#")[2].partition(", until")[0]))
    assert [(one["id"], one.get("grade"), one["score"]) for one in state["items"]] == [
        *(("a", 2, 3), ("x", None, 2), ("b", 1, 1))
    ]
    assert state["metric"] == "ndcg@10"
    assert "#" not in run("serve").stdout


def test_a_clock_is_shown_where_it_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(printing, "AFTER", 0.0)
    asked = ("identify", "-m", "map@3", "--value", "0.500")
    assert "Searching definitions: 0 s" in run(*asked, "--progress").stderr
    assert "Searching" not in run(*asked).stderr
