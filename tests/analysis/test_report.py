"""A report: every convention in one file."""

from pathlib import Path

from typer.testing import CliRunner, Result

import rankconv as rc
from rankconv.cli.app import app

LABELS = {f"u{n}": {"a": 2, "b": 1} for n in range(6)} | {"none": {"a": 0}}
GOOD = {f"u{n}": ["a", "b", "x"][: 1 + n % 3] for n in range(6)} | {"none": ["a"]}
POOR = {f"u{n}": ["x", "y", "b"] for n in range(6)} | {"none": ["a"]}
PRESETS = ["blog", "mllib", "trec_eval"]


def test_two_runs_get_every_chapter() -> None:
    ours = rc.preset("mllib").replace("ours", {"ndcg": {"gain": "linear"}})
    found = rc.report(LABELS, rc.Runs(good=GOOD, poor=POOR), "ndcg@3", [ours, *PRESETS])
    assert [chapter.title for chapter in found.chapters] == [
        "Values",
        "Data of good",
        "Data of poor",
        "Range of ndcg@3",
        "Significance",
        "Text for a paper",
    ]
    assert "ours" in str(found.chapters[3]._page), "presets of one's own too"
    html = found.to_html()
    assert html.count("<h2") == 6
    assert found.title in html


def test_a_chapter_that_cannot_be_had_says_why() -> None:
    found = rc.report(
        {"u": ["a"]}, rc.Runs(one={"u": ["a"]}, other={"u": ["x", "a"]}), "mrr@2", ["blog", "mllib@2.1.3"]
    )
    [chance] = [chapter for chapter in found.chapters if chapter.title == "Significance"]
    assert "5" in str(chance.bodies[0])


def test_the_command_writes_the_file_and_no_other(tmp_path: Path) -> None:
    def run(*arguments: str) -> Result:
        return CliRunner().invoke(app, ["report", "-m", "map@3", "-p", "blog", "-p", "mllib", *arguments])

    out = tmp_path / "report.html"
    done = run("-o", str(out))
    assert done.exit_code == 0
    assert f"Wrote {out}" in done.stderr.replace("\n", "")
    assert out.read_text().startswith("<!doctype html>")
    before = out.stat().st_mtime_ns
    assert run("-o", str(out)).exit_code != 0
    assert out.stat().st_mtime_ns == before
    assert run("-o", str(out), "--force").exit_code == 0
    assert out.stat().st_mtime_ns != before
    assert run("-o", str(tmp_path / "report.pdf")).exit_code != 0
    assert not (tmp_path / "report.pdf").exists()
