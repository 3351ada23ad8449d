"""The line that `evaluate` says: what moves its numbers most, measured in short runs, counted in long ones."""

import pickle
from typing import Any

import pytest

import rankconv as rc
from rankconv.evaluation.findings import moves as module
from rankconv.evaluation.findings.moves import places, warned, warning
from tests.analysis.check.data import USERS, clean_labels, clean_run

BY_ID = rc.preset("rankconv").replace(ties="item-ascending")
"""Unlike the default preset, it orders tied rows, so that another order of these changes its numbers."""


def said_of(labels: Any, runs: dict[str, Any], metrics: Any = ("ndcg@10",), preset: str | rc.Preset = BY_ID) -> str:
    found = []
    for name, run in runs.items():
        joined = rc.join(labels, run)
        found += warned(joined, places(rc.evaluate(joined, list(metrics), preset).by_spec), name)
    return warning(found, "rankconv check L R", several=len(runs) > 1)


def tied_run() -> dict[str, Any]:
    run = clean_run()
    run["u0"]["i1"] = run["u0"]["i2"]
    return run


def test_the_line() -> None:
    [move] = rc.check(clean_labels(), tied_run(), "ndcg@10", BY_ID)["ties"].moves
    assert said_of(clean_labels(), {"": tied_run()}) == (
        f"ties at or above the cutoff (1 of {USERS} users with labels and a list): other tie orders "
        f"would change ndcg@10 by up to {move.by:.4f}; see: rankconv check L R"
    )


def test_nothing_is_said_of_what_changes_no_number() -> None:
    """Clean data; expected values of ties; precision, for which both tied rows are above the cutoff."""
    assert said_of(clean_labels(), {"": clean_run()}) == ""
    assert said_of(clean_labels(), {"": tied_run()}, preset="rankconv") == ""
    assert said_of(clean_labels(), {"": tied_run()}, ["precision@10"]) == ""


def test_the_worst_comes_first_and_the_others_are_counted() -> None:
    run = tied_run()
    del run["u1"], run["u2"]
    said = said_of(clean_labels(), {"": run})
    assert said.startswith("users with labels and no list (2 of 6")
    assert "(1 more finding)" in said


def test_of_several_runs_the_worst_is_named() -> None:
    run = clean_run()
    del run["u1"]
    said = said_of(clean_labels(), {"good": clean_run(), "bad": run})
    assert "(1 of 6 users with labels of run 'bad')" in said


def test_a_long_run_is_measured_too(monkeypatch: pytest.MonkeyPatch) -> None:
    shortly = said_of(clean_labels(), {"": tied_run()})
    monkeypatch.setattr(module, "FEW_ROWS", 0)
    assert "other tie orders would change ndcg@10" in shortly
    counted, measured = said_of(clean_labels(), {"": tied_run()}).split(":", 1)
    assert counted.startswith("ties at or above the cutoff (1 of ")
    assert measured == shortly.split(":", 1)[1]
    assert said_of(clean_labels(), {"": tied_run()}, ["ndcg@10"], "sklearn") == "", "its ties are averaged"


def test_a_mean_that_is_no_number_gets_one() -> None:
    labels = clean_labels()
    labels["u0"] = {"i0": 0}
    said = said_of(labels, {"": clean_run()}, ["precision(on-no-relevant=nan)@3"])
    assert "scoring them 0 or leaving them out would give precision(on-no-relevant=nan)@3 a number" in said


@pytest.mark.parametrize("preset", [BY_ID, "trec_eval"], ids=str)
def test_what_is_found_fast_is_what_is_found_slowly(preset: str | rc.Preset) -> None:
    run = tied_run()
    run["u1"] = dict(list(run["u1"].items())[:3])
    labels = clean_labels()
    labels["u2"] = {"i2": 0}
    checked = rc.check(labels, run, ["ndcg@10", "precision@10"], preset)
    told = [finding for finding in checked if finding.moves and finding.name != "unjudged"]
    assert len(told) == 3
    said = said_of(labels, {"": run}, ["ndcg@10", "precision@10"], preset)
    assert told[0].title in said
    assert f"({len(told) - 1} more findings)" in said


@pytest.mark.parametrize(("digits", "told"), [(2, True), (1, True), (0, False)])
def test_what_the_printed_digits_do_not_show_is_not_told(digits: int, told: bool) -> None:
    """The tied pair moves this user's DCG by (1 - 1/log2(3)) / 2.63 = 0.14, and there is no other user."""
    joined = rc.join({"u": {"a": 1, "c": 1, "d": 1, "e": 1}}, {"u": {"a": 2.0, "b": 2.0, "c": 1.0}})
    result = rc.evaluate(joined, "ndcg@3", "trec_eval")
    assert bool(warned(joined, places(result.by_spec), digits=digits)) == told


def test_a_result_finds_it_when_it_is_printed() -> None:
    result = rc.evaluate(clean_labels(), tied_run(), "ndcg@10", BY_ID)
    assert "warning" not in vars(result), "an evaluation whose table nobody reads pays nothing"
    assert result.warning == said_of(clean_labels(), {"": tied_run()}).replace(
        "rankconv check L R", "rankconv check -m 'ndcg(ties=item-ascending)@10' -p rankconv (Python: rc.check)"
    )
    assert result.table().notes[-1] == f"Warning: {result.warning}."
    assert pickle.loads(pickle.dumps(rc.evaluate(clean_labels(), tied_run(), "ndcg@10", BY_ID))).warning == ""
    clean = rc.evaluate(clean_labels(), clean_run(), "ndcg@10", BY_ID)
    assert not any("Warning" in note for note in clean.table().notes)


def test_a_test_of_runs_says_it_once() -> None:
    found = rc.test(clean_labels(), {"a": clean_run(), "b": tied_run()}, "ndcg@10", BY_ID)
    said = said_of(clean_labels(), {"a": clean_run(), "b": tied_run()}).replace(
        "rankconv check L R", "rankconv check -m 'ndcg(ties=item-ascending)@10' -p rankconv (Python: rc.check)"
    )
    assert said == found.warning
    assert found.to_text(width=None).replace("\n", " ").count(said) == 1
    assert said in found.to_dict()["notes"][-1]


@pytest.mark.parametrize(
    ("preset", "value"), [("ranx", 1.0), ("trec_eval", 1.0), ("rankconv", (1 + 1 / 2 + 1 / 3 + 1 / 4) / 4)]
)
def test_a_constant_scorer(preset: str, value: float) -> None:
    """MTEB #5092: its MRR is 1 where the first row of the file comes first; over all orders it is H(4) / 4."""
    labels = {f"q{n}": {"positive": 1} for n in range(5)}
    run = {query: {"positive": 0.5, "a": 0.5, "b": 0.5, "c": 0.5} for query in labels}
    result = rc.evaluate(labels, run, "mrr", preset)
    assert result["mrr"] == pytest.approx(value)
    assert ("would change mrr by up to 0.7500" in result.warning) == (preset != "rankconv")
