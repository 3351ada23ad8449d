"""Analyses that are interrupted keep what they have found, and say that it is not all."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import rankconv as rc
from rankconv.analysis.identify.identify_table import TableIdentifyResult
from rankconv.basics.progress import INTERRUPTS
from tests.rendering.pages.runs import LABELS, run

RUNS = {"one": run(1), "two": run(2)}
PRESETS = ["mllib", "trec_eval"]
SAID = "Interrupted; this was found until then."


def interrupt_at(
    name: str, monkeypatch: pytest.MonkeyPatch, how: type[BaseException] = KeyboardInterrupt, after: int = 0
) -> None:
    """Let the function of this name be stopped at its next call but `after`."""
    left = [after]

    def made(own: Callable[..., Any]) -> Callable[..., Any]:
        def stopped(*args: Any, **named: Any) -> Any:
            left[0] -= 1
            if left[0] < 0:
                raise how
            return own(*args, **named)

        return stopped

    module, _, function = name.rpartition(":")
    owner: Any = __import__(module, fromlist=["_"])
    *classes, function = function.split(".")
    for one in classes:
        owner = getattr(owner, one)
    monkeypatch.setattr(owner, function, made(getattr(owner, function)))


def printed(metric: str, of_run: str, preset: str) -> str:
    return f"{rc.evaluate(LABELS, RUNS[of_run], metric, preset)[metric]:.4f}"


@cache
def table() -> dict[str, dict[str, str]]:
    """Numbers of mllib, and one of nobody."""
    found = {name: {m: printed(m, name, "mllib") for m in ("ndcg@5", "map@5")} for name in RUNS}
    found["two"]["ndcg@5"] = "0.9871"
    return found


@cache
def whole_table() -> TableIdentifyResult:
    return rc.identify_table(table(), LABELS, rc.Runs(RUNS))


@pytest.mark.parametrize("how", INTERRUPTS)
def test_a_table_keeps_the_presets_that_explain_it(how: type[BaseException], monkeypatch: pytest.MonkeyPatch) -> None:
    whole = whole_table()
    interrupt_at("rankconv.analysis.identify.table_search:TableSearch._try_one_slip", monkeypatch, how)
    found = rc.identify_table(table(), LABELS, rc.Runs(RUNS))
    assert (found.interrupted, whole.interrupted) == (True, False)
    assert "mllib" in found.explanations[0].presets
    assert [one.cell.number.text for one in found.contradictions] == ["0.9871"]
    assert 0 < found.tried < whole.tried
    assert found.to_text().startswith(f"{SAID} 3 of 4 numbers")
    assert SAID not in whole.to_text()
    assert found.to_dict()["interrupted"]


def test_a_table_stops_before_anything_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt_at("rankconv.analysis.identify.table_search:TableSearch._of_presets", monkeypatch)
    with pytest.raises(KeyboardInterrupt):
        rc.identify_table({"one": {"map@5": "0.5000"}}, LABELS, rc.Runs(RUNS))


@pytest.mark.parametrize("how", INTERRUPTS)
def test_sensitivity_keeps_the_presets_and_the_runs_that_are_done(
    how: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    tied = rc.Runs(first=RUNS["one"], second=RUNS["two"])
    whole = rc.sensitivity(LABELS, tied, "ndcg@5", PRESETS)
    interrupt_at("rankconv.analysis.sensitivity.sensitivity:_why_not", monkeypatch, how, after=1)
    found = rc.sensitivity(LABELS, tied, "ndcg@5", PRESETS)
    assert (found.interrupted, whole.interrupted) == (True, False)
    given = [(name, preset) for name in ("first", "second") for preset in PRESETS]
    assert [found.mean(name, "as given", one) for name, one in given] == [
        whole.mean(name, "as given", one) for name, one in given
    ]
    assert found.mean("first", "worst", "trec_eval") == whole.mean("first", "worst", "trec_eval")
    assert ("second", "worst", "trec_eval") not in found.cells
    assert found.to_text().startswith(SAID)
    assert SAID not in whole.to_text()
    assert found.to_dict()["interrupted"]


@pytest.mark.parametrize("how", INTERRUPTS)
def test_a_report_keeps_its_chapters(how: type[BaseException], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    whole = rc.report(LABELS, rc.Runs(RUNS), ["ndcg@5", "map@5"], PRESETS)
    interrupt_at("rankconv.analysis.report:varied", monkeypatch, how, after=1)
    found = rc.report(LABELS, rc.Runs(RUNS), ["ndcg@5", "map@5"], PRESETS)
    assert (found.interrupted, whole.interrupted) == (True, False)
    titles = [one.title for one in found.chapters]
    assert (
        titles == [one.title for one in whole.chapters][: len(titles)] == ["Significance", "Data", "ndcg@5 by preset"]
    )
    assert found.table == whole.table
    assert SAID in found.to_html()
    assert SAID not in whole.to_html()
    found.save(tmp_path / "report.html")
    assert SAID in (tmp_path / "report.html").read_text()


def test_a_report_without_checks_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt_at("rankconv.analysis.report:_Chapters.checked", monkeypatch, after=1)
    found = rc.report(LABELS, rc.Runs(RUNS), "ndcg@5", PRESETS)
    assert "The data were not checked: the report was interrupted." in found.summary
    assert [one.title for one in found.chapters] == ["Significance"]
