"""Ids, names of files and texts of YAML files cannot break what is printed, in any form."""

import csv
import io
import json
import re
from pathlib import Path
from xml.etree import ElementTree

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import rankconv as rc
from rankconv.basics.escaping import latex, markdown, printable, spreadsheet
from rankconv.cli.app import app
from rankconv.rendering.pages.table import Table

NASTY = [
    "a|b",
    "<script>alert(1)</script>",
    "\x1b[31mred\x1b[0m",
    "two\nlines\rthree",
    "\u202eright to left",
    "\x9b2J",
    "[bold]x[/bold]",
    "![i](javascript:x)",
    r"\input{x} $\frac{ %#&_^~",
    "`code`",
    '=1+1,"x"',
    "-- \u2028",
]
LABELS = {"user": {item: grade % 3 for grade, item in enumerate(NASTY)}}
RUN = {"user": {item: 1.0 - place / 20 for place, item in enumerate(NASTY)}}
FORMS = ["text", "markdown", "latex", "json"]
NAMES = [name for name in NASTY if "/" not in name]
"""Those that files can have."""


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert result.exit_code in (0, 1), result.output
    return result.stdout


def assert_harmless(printed: str) -> None:
    """No sign that moves the cursor, colours or turns the text."""
    assert all(sign.isprintable() or sign in "\n\t" for sign in printed), printed


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Labels, and runs whose files are called so; users and items are, too."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "labels.json").write_text(json.dumps({name: {name: 1} for name in NAMES}))
    for name in NAMES:
        (tmp_path / f"{name}.json").write_text(json.dumps({name: {name: 0.5} for name in NAMES}))
    return ["labels.json", *(f"./{name}.json" for name in NAMES)]


@pytest.mark.parametrize("form", ["text", "json", "csv", "markdown", "latex"])
def test_compare(files: list[str], form: str) -> None:
    printed = run("compare", *files, "-m", "map@3", "-p", "blog", "-p", "mllib", "--format", form)
    if form == "csv":
        assert {*map(spreadsheet, NAMES)} <= {row[0] for row in csv.reader(io.StringIO(printed, newline=""))}
        return
    assert_harmless(printed)
    if form == "json":
        assert {*NAMES} == {row["run"] for row in json.loads(printed)}
    if form == "markdown":
        assert "<script" not in printed
        heads = [line for line in printed.splitlines() if line.startswith("| map")]
        assert {len(re.findall(r"(?<!\\)\|", line)) for line in heads} == {5}
    if form == "latex":
        assert "\\input" not in printed
    if form == "text":
        assert all(name[:3] in printed for name in NAMES if name[:3].isprintable())


def test_evaluate(files: list[str]) -> None:
    assert_harmless(run("evaluate", *files, "-m", "map"))
    printed = run("evaluate", *files[:2], "-m", "map", "--format", "trec_eval", "-q")
    assert_harmless(printed)
    assert {len(line.split("\t")) for line in printed.splitlines()} == {3}


@pytest.mark.parametrize("form", FORMS)
def test_explain(files: list[str], form: str) -> None:
    for name in NAMES:
        printed = run("explain", *files[:2], "-m", "map@3", "--user", name, "--format", form)
        assert_harmless(printed)
        assert form == "json" or "<script" not in printed or form in ("text", "latex")
        assert form != "latex" or "\\input" not in printed


def test_all_at_once() -> None:
    found = rc.explain(LABELS, RUN, "ndcg@10", user="user")
    text = found.to_markdown()
    [first] = [place for place, line in enumerate(text.splitlines()) if line.startswith("| rank") and "item" in line]
    rows = text.splitlines()[first : first + 12]
    assert len({len(re.findall(r"(?<!\\)\|", row)) for row in rows}) == 1
    assert_harmless(found.to_text() + text + found.to_latex())


def test_pictures(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    user, few = "$\\frac{ <b> \x07&", NASTY[:9]
    found = rc.segments({user: dict.fromkeys(few, 1)}, {user: few}, "ndcg@9", user_features={user: {"a": user}}, by="a")
    found.plot(tmp_path / "a.svg")
    ElementTree.parse(tmp_path / "a.svg")
    assert "<script" not in (tmp_path / "a.svg").read_text()


def test_published_numbers(tmp_path: Path) -> None:
    said = json.dumps(" ".join(NASTY).replace("\r", " "))
    (tmp_path / "mine.yaml").write_text(
        f"name: mine\ntitle: {said}\npreset: blog\ninputs:\n  a: {{labels: {{u: [1]}}, rankings: {{u: [1]}}}}\n"
        f"tables:\n  - where: {said}\n    numbers:\n"
        f'      - {{metric: map, printed: "0.25", note: {said}}}\n'
    )
    for form in ("text", "markdown", "latex"):
        printed = run("reproduce", str(tmp_path / "mine.yaml"), "--format", form)
        assert_harmless(printed)
        assert form == "text" or "| <script" not in printed


def test_messages_are_one_printable_line() -> None:
    for name in NASTY:
        with pytest.raises(rc.RankconvError) as error:
            rc.evaluate({name: {name: 1}}, {"u": [name]}, "map")
        assert str(error.value).isprintable()


@given(st.text())
def test_any_text(text: str) -> None:
    assert printable(text).isprintable()
    assert not re.search(r"(?<!\\)(?:\\\\)*[|`*\[$]", markdown(text))
    assert "<" not in markdown(text)
    assert not re.search(r"(?<!\\)[#%&_]", latex(text))
    assert next(csv.reader(io.StringIO(Table(["a", text], []).to_csv(), newline=""))) == ["a", spreadsheet(text)]
    assert spreadsheet(text) in (text, f"'{text}")


FORMULAS = ["=1+1", "+SUM(A1)", "-2+3", "@me", " =A1", "\t=A1", "-0.1 to 0.2", "-", "=", "-item", "+1e", "-1 2"]
NUMBERS = ["-1", "+0.25", "-1e-05", "-.5", "-1,234.5", "+3 %", "-inf", "+nan"]


@pytest.mark.parametrize("cell", [*FORMULAS, *NUMBERS, "a=b", "", "– ", "'x"])
def test_tables_for_people_hold_no_formula(cell: str) -> None:
    """In every table, and in the frames of curves, whose lines are called as runs are."""
    expected = f"'{cell}" if cell in FORMULAS else cell
    assert spreadsheet(cell) == expected
    assert next(csv.reader(io.StringIO(Table([cell, "x"], [[cell, cell]]).to_csv(), newline=""))) == [expected, "x"]
    labels, run = {"u": ["a"]}, {"u": ["b", "a"]}
    curve = rc.curve(labels, {cell or "x": run, "other": run}, "ndcg", max_k=1, n_resamples=0)
    lines = csv.reader(io.StringIO(curve.to_csv(), newline=""))
    assert [line[0] for line in lines] == ["line", expected or "x", "other"]


IDS = ["=1+1", "+5x", "-2+3", "@me", "-item", "=SUM(A1)"]


@pytest.mark.parametrize("ending", ["csv", "parquet", "jsonl"])
def test_tables_that_are_read_again_keep_ids(ending: str, tmp_path: Path) -> None:
    """Written, read and joined: parts of a split, and the values of users."""
    rows = [(user, item, time) for time, user in enumerate(IDS) for item in IDS]
    ratings = pl.DataFrame(rows, schema=["user", "item", "timestamp"], orient="row")
    ratings.write_csv(tmp_path / "ratings.csv")
    result = CliRunner().invoke(
        app, ["split", str(tmp_path / "ratings.csv"), "-o", str(tmp_path / "parts"), "--file-format", ending]
    )
    assert result.exit_code == 0, result.output
    parts = {path.stem: path for path in (tmp_path / "parts").glob(f"*.{ending}")}
    read = [rc.Labels(path) for path in parts.values()]
    assert {*IDS} == {user for one in read for user in one.users.values.tolist()}
    assert {*IDS} == {item for one in read for item in one.items.values.tolist()}
    labels, users = tmp_path / "labels.csv", tmp_path / f"users.{ending}"
    ratings.select("user", "item").write_csv(labels)
    command = ["evaluate", str(labels), str(labels), "-m", "recall", "--per-user-file", str(users)]
    assert CliRunner().invoke(app, command).exit_code == 0
    readers = {"csv": pl.read_csv, "parquet": pl.read_parquet, "jsonl": pl.read_ndjson}
    values = readers[ending](users)
    assert {*values["user"]} == {*IDS}
    assert values.join(ratings.select("user").unique(), on="user").height == len(IDS)


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize(
    "asked",
    [
        ("check",),
        ("identify", "-m", "hit_rate@1", "--value", "1"),
        ("why", "-m", "ndcg@3", "mllib", "blog"),
        ("sensitivity", "-m", "ndcg@3", "-p", "mllib", "-p", "blog"),
    ],
    ids=lambda asked: asked[0],
)
def test_what_looks_for_reasons(files: list[str], form: str, asked: tuple[str, ...]) -> None:
    command, *setting_types = asked
    assert_harmless(run(command, files[0], files[1], *setting_types, "--format", form))
