"""A report: every convention in one file."""

import re
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import rankconv as rc
import rankconv.engine
from rankconv.analysis.report import Report
from rankconv.cli.app import app
from rankconv.rendering.pages.text import text

LABELS = {f"u{n}": {"a": 2, "b": 1} for n in range(6)} | {"none": {"a": 0}}
GOOD = {f"u{n}": ["a", "b", "x"][: 1 + n % 3] for n in range(6)} | {"none": ["a"]}
POOR = {f"u{n}": ["x", "y", "b"] for n in range(6)} | {"none": ["a"]}
PRESETS = ["blog", "mllib", "trec_eval"]


@pytest.fixture(scope="module")
def two() -> Report:
    """Of two runs, one metric up and one down."""
    ours = rc.preset("mllib").replace("ours", {"ndcg": {"gain": "linear"}})
    found: Report = rc.report(LABELS, rc.Runs(poor=POOR, good=GOOD), "ndcg@3,precision@1", [ours, *PRESETS])
    return found


def test_two_runs_get_every_chapter(two: Report) -> None:
    chapters = ["Significance", "Data", "ndcg@3 by preset", "precision@1 by preset", "Text for a paper"]
    assert [chapter.title for chapter in two.chapters] == chapters
    assert "ours" in str(two.chapters[2]._page), "presets of one's own too"
    html = two.to_html()
    assert re.findall(r"<details><summary>(.*?)</summary>", html) == chapters
    assert two.title in html
    assert html.index("<figure") < html.index("<table") < html.index("<details")


def test_the_first_sentences_are_true(two: Report) -> None:
    """Against `compare` and `test`; the first preset is chosen, as the default preset is not compared."""
    ours = rc.preset("mllib").replace("ours", {"ndcg": {"gain": "linear"}})
    runs = rc.Runs(poor=POOR, good=GOOD)
    for place, metric in enumerate(["ndcg@3", "precision@1"]):
        compared = rc.compare(LABELS, runs, metric, [ours, *PRESETS])
        offering = [name for name in compared.presets if compared.cell(metric, name)]
        better = [name for name in offering if compared[metric, name, "good"] > compared[metric, name, "poor"]]
        said = f"{metric}: good is best under {offering[0]}, with {compared[metric, offering[0], 'good']:.4f}"
        assert two.summary[place] == f"{said}, and alone in first place under {len(better)} of {len(offering)} presets."
        tested = rc.test(LABELS, runs, ["ndcg@3", "precision@1"], [ours, *PRESETS])
        [one] = [one for one in tested.tests if one.metric == metric and offering[0] in one.presets]
        verdict = "significant" if one.is_significant else "not significant"
        said = f"{metric}: the difference of good and poor under {offering[0]}, {abs(one.effect.mean):.4f}"
        assert two.summary[2 + place].startswith(f"{said}, is {verdict} (p")
        assert f"corrected for {len(tested.tests)} tests" in two.summary[2 + place]
    assert len(two.summary) <= 6


def test_the_data_problem_of_the_first_sentences_has_the_largest_effect(two: Report) -> None:
    """Against the presets that are checked, each run by itself."""
    presets = ["trec_eval", "mllib"]
    checks = [rc.check(LABELS, run, ["ndcg@3", "precision@1"], presets) for run in (POOR, GOOD)]
    most = max((finding for one in checks for finding in one if finding.furthest), key=lambda finding: finding.weight)
    furthest = most.furthest
    assert furthest is not None
    assert two.summary[-1].startswith(f"Largest effect of a data problem: {most.name} ({most.counted}")
    largest = {f"{one.metric} under {one.preset} {one.effect}." for one in most.moves if one.by == furthest.by}
    assert two.summary[-1].partition("), ")[2] in largest


def test_the_table_is_narrow_and_marks_the_best(two: Report) -> None:
    assert len(two.table.headers) <= 7
    assert [(row[0], row[1]) for row in two.table.rows] == [
        (metric, run) for metric in ("ndcg@3", "precision@1") for run in ("good", "poor")
    ]
    assert two.table.best == {(0, 3), (2, 3)}
    for metric, run, preset, value, lowest, highest, first in two.table.rows:
        compared = rc.compare(LABELS, rc.Runs(poor=POOR, good=GOOD), metric, PRESETS)
        if preset in PRESETS:
            assert value == f"{compared[metric, preset, run]:.4f}"
        assert float(lowest) <= float(value) <= float(highest)
        assert first in ("0 of 4", "4 of 4") if metric == "ndcg@3" else first.endswith((" of 3", " of 4"))


def test_findings_of_the_labels_are_there_once(two: Report) -> None:
    """A user without relevant labels is found with both runs."""
    [data] = [chapter for chapter in two.chapters if chapter.title == "Data"]
    page = text(data._page, None)
    assert all("no-relevant" in rc.check(LABELS, run, "ndcg@3", PRESETS) for run in (POOR, GOOD))
    assert page.count("no-relevant: ") == 1


def test_each_value_is_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """`check` and the test take the values of the comparison: no definition is measured twice on the same data."""
    measured: list[tuple[int, str]] = []
    engine = rankconv.engine.measure

    def counted(joined: Any, definitions: Any, *rest: Any, **more: Any) -> Any:
        measured.extend((id(joined.rankings), one.text) for one in definitions)
        return engine(joined, definitions, *rest, **more)

    for module in list(sys.modules.values()):
        if getattr(module, "measure", None) is engine and module.__name__.startswith("rankconv."):
            monkeypatch.setattr(module, "measure", counted)
    rc.report(LABELS, rc.Runs(poor=POOR, good=GOOD), "ndcg@3", PRESETS)
    assert measured
    assert len(measured) == len(set(measured))


def test_a_report_of_one_run_has_the_range() -> None:
    found = rc.report(LABELS, GOOD, "ndcg@3", PRESETS)
    means = [rc.evaluate(LABELS, GOOD, "ndcg@3", name)["ndcg@3"] for name in PRESETS]
    values = {round(mean, 4) for mean in means}
    said = f"3 presets give {len(values)} values, {min(values):.4f} to {max(values):.4f}."
    assert found.summary[0] == f"ndcg@3 is {means[0]:.4f} under blog; {said}"
    assert [chapter.title for chapter in found.chapters] == ["Data", "ndcg@3 by preset", "Text for a paper"]


def test_a_report_is_saved(tmp_path: Path) -> None:
    found = rc.report(LABELS, GOOD, "ndcg@3", PRESETS)
    found.save(tmp_path / "a.html")
    assert (tmp_path / "a.html").read_text("utf-8") == found.to_html()
    with pytest.raises(rc.InputError, match=r"\.html"):
        found.save(tmp_path / "a.pdf")


def test_a_chapter_that_cannot_be_had_says_why() -> None:
    found = rc.report(
        {"u": ["a"]}, rc.Runs(one={"u": ["a"]}, other={"u": ["x", "a"]}), "mrr@2", ["blog", "mllib@2.1.3"]
    )
    [chance] = [chapter for chapter in found.chapters if chapter.title == "Significance"]
    assert "5" in str(chance.bodies[0])
    assert any(one.startswith("Significance was not tested: ") for one in found.summary)


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
