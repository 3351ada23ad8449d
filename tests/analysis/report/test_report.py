"""A report: every convention in one file."""

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import rankconv as rc
from rankconv.analysis.report import far_moved
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
        "Users with the largest changes of good",
        "Text for a paper",
    ]
    assert "ours" in str(found.chapters[3]._page), "presets of one's own too"
    html = found.to_html()
    assert html.count('<h2 id="part-') == 7
    assert html.count('href="#part-') == 7
    assert found.title in html


def test_those_who_move_most_are_the_farthest_apart() -> None:
    """None has no relevant label: left out by blog, 0 by mllib: one number each, so no range from 0 is made of them."""
    compared = rc.compare(LABELS, GOOD, ["ndcg@3", "precision@3"], PRESETS)
    moved = far_moved(compared, compared.facts[""].joined, "", 4)
    assert [one.metric for one in moved] == ["ndcg@3", "ndcg@3", "precision@3", "precision@3"][: len(moved)]
    for metric in ("ndcg@3", "precision@3"):
        numbers = {
            user: [compared.cell(metric, preset).values[at] for preset in PRESETS]  # type: ignore[union-attr]
            for at, user in enumerate(rc.evaluate(LABELS, GOOD, metric).users)
        }
        ranges = {user: max(given) - min(given) for user, given in numbers.items() if given == given}
        told = [one for one in moved if one.metric == metric]
        largest = sorted((one for one in ranges.values() if one > 0), reverse=True)[: len(told)]
        assert [one.high - one.low for one in told] == pytest.approx(largest)


def test_a_chapter_that_cannot_be_had_says_why() -> None:
    found = rc.report(
        {"u": ["a"]}, rc.Runs(one={"u": ["a"]}, other={"u": ["x", "a"]}), "mrr@2", ["blog", "mllib@2.1.3"]
    )
    [chance] = [chapter for chapter in found.chapters if chapter.title == "Significance"]
    assert "5" in str(chance.bodies[0])


def test_nothing_moves_under_one_definition() -> None:
    [movers] = [
        one
        for one in rc.report(LABELS, GOOD, "ndcg@3", "mllib").chapters
        if one.title == "Users with the largest changes"
    ]
    assert not movers.bodies


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
