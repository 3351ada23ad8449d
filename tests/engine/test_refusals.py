"""What a refusal advises is a definition that gives a number."""

import gzip
import re
from pathlib import Path

import numpy as np
import pytest

import rankconv as rc
from rankconv.data.inputs import row_lines
from rankconv.engine.metric_result import SCORED
from tests.laws import examples

ITEMS = [f"i{n}" for n in range(7)]
LABELS = {"u": ["a"], "v": ["b"]}


def messy(random: np.random.Generator) -> tuple[dict[str, dict[str, float]], dict[str, list[tuple[str, float]]]]:
    """Users without labels, without relevant ones, without a list or a row; negative grades, repeated items."""
    labels, run = {}, {}
    for user in ("u", "v", "w", "x", "y"):
        if random.random() < 0.85:
            some = random.choice(ITEMS, random.integers(0, 5), replace=False).tolist()
            labels[user] = {item: float(random.choice([0, 1, 1, 2, 0.5, -1])) for item in some}
        if random.random() < 0.85:
            rows = random.choice(ITEMS, random.integers(0, 6), replace=random.random() < 0.3).tolist()
            run[user] = [(item, float(random.integers(0, 5))) for item in rows]
    labels["z"], run["z"] = {"i0": 1.0, "i1": 0.0}, [("i0", 2.0), ("i1", 1.0), ("i2", 0.5)]  # who always counts
    return labels, run


def test_the_advice_gives_a_number() -> None:
    random = np.random.default_rng(3)
    followed = 0
    for name in rc.list_presets(eras=True)[:: examples.of(quick=6, ci=3, long=1)]:
        preset, joined = rc.preset(name), rc.join(*messy(random))
        for spec in [f"{key}@2" for key in preset.metrics if preset.offers(f"{key}@2")]:
            result = rc.evaluate(joined, spec, preset, on_error="collect")
            for refusals in result.errors.values():
                said = str(refusals[0].error_with(refusals[1:]))
                if refusals[0].policy in result.definition(spec).aggregation.settings:
                    assert "'" in said, (name, spec)
                for advised in re.findall(r"to (?:leave|count)[^']*'([^']+)'", said):
                    one = rc.evaluate(joined, advised).by_spec[advised]
                    own = result.by_spec[spec]  # whom it does not concern, and who had NaN by the formula, still has it
                    still = (own.states == SCORED) & (one.states == SCORED) & np.isnan(own.values)
                    assert still.any() or not np.isnan(one.mean), (name, spec, advised)
                    followed += not np.isnan(one.mean)
    assert followed > 25


@pytest.mark.parametrize(
    ("run", "spec", "skipped"),
    [
        ({"u": ["a"], "v": []}, "sklearn:map", "sklearn:map(on-empty-ranking=skip)"),
        ({"u": ["a"]}, "trec_eval:map", "trec_eval:map(on-no-ranking=skip)"),
    ],
)
def test_the_exact_change(run: dict[str, list[str]], spec: str, skipped: str) -> None:
    with pytest.raises(rc.MetricError, match=rf"to leave such (users|topics) out: '{re.escape(skipped)}'"):
        rc.evaluate(LABELS, run, spec)
    assert rc.evaluate(LABELS, run, skipped)[skipped] == 1


def test_grades_that_are_too_high_are_first_taken_as_relevant() -> None:
    """Leaving out such users, or scoring them 0, would give a value of few users, or a value near 0."""
    labels, run = {"u": {"a": 5}}, {"u": {"a": 0.5}}
    with pytest.raises(rc.MetricError, match=r"above 0 as 1: 'torchmetrics:recall\(grades=binary\)@20'; or to leave"):
        rc.evaluate(labels, run, "recall@20", "torchmetrics")
    assert rc.evaluate(labels, run, "recall(grades=binary)@20", "torchmetrics")["recall(grades=binary)@20"] == 1


@pytest.mark.parametrize("preset", ["trec_eval", "trec_eval-c", "trec_eval@9"])
def test_a_document_judged_twice(preset: str, tmp_path: Path) -> None:
    """The message names the lines, and definitions that take the data: pytrec_eval holds a document once, the last."""
    qrels, run = tmp_path / "q.qrels", tmp_path / "r.run"
    qrels.write_text("# judged\n1 0 d1 1\n1 0 d2 1\n1 0 d1 0\n1 0 2 1\n")
    run.write_text("1 Q0 d1 1 3 s\n1 Q0 d2 2 2 s\n")
    where = f"topic '1' has item 'd1' labelled twice (duplicate-labels=invalid) ({qrels}, lines 2 and 4)"
    with pytest.raises(rc.MetricError, match=re.escape(where)) as error:
        rc.evaluate(qrels, run, "map", preset)
    last = f"{rc.preset(preset).name}:map(duplicate-labels=one)"
    assert f"to take the last label of each item: '{last}'" in str(error.value)
    assert "Presets that take such data: 'pytrec_eval:map'" in str(error.value)
    for advised in ("pytrec_eval:map", last):
        assert rc.evaluate(qrels, run, advised)[advised] == pytest.approx(1 / 4)  # d2 at rank 2, of two


def test_lines_of_a_row_are_looked_up_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many definitions refuse it: the file is read again for the first one."""
    qrels, run, read = tmp_path / "q.qrels", tmp_path / "r.run", list[str]()
    qrels.write_text("1 0 d1 1\n1 0 d2 1\n1 0 d1 0\n")
    run.write_text("1 Q0 d1 1 3 s\n1 Q0 d2 2 2 s\n")
    lines_with = row_lines._lines_with

    def counted(path: str, ids: list[bytes], count: int, *, table: bool) -> list[int]:
        read.append(path)
        return lines_with(path, ids, count, table=table)

    monkeypatch.setattr(row_lines, "_lines_with", counted)
    specs = ["trec_eval:map", "trec_eval:recip_rank", "trec_eval-c:map", "trec_eval@9:P_5"]
    result = rc.evaluate(qrels, run, specs, on_error="collect")
    assert result.to_text(None).count("lines 1 and 3") == len(specs)
    assert read == [str(qrels)]


def test_a_document_returned_twice(tmp_path: Path) -> None:
    qrels, run = tmp_path / "q.qrels", tmp_path / "r.run.gz"
    qrels.write_text("2 0 3 1\n")
    run.write_bytes(gzip.compress(b"2 Q0 3 1 3 s\n2 Q0 7 2 3 s\n3 Q0 3 1 2 s\n2 Q0 3 3 1 s\n"))
    with pytest.raises(rc.MetricError, match=re.escape(f"(duplicates=invalid) ({run}, lines 1 and 4)")):
        rc.evaluate(qrels, run, "map", "trec_eval")


def test_lines_that_are_not_sure_are_not_named(tmp_path: Path) -> None:
    """Four lines of this table hold both numbers, and two of them are the rows that are meant."""
    run = tmp_path / "r.csv"
    run.write_text("user,item,score\n2,3,3\n2,7,3\n3,1,2\n2,3,1\n3,2,9\n")
    with pytest.raises(rc.MetricError, match=re.escape("(duplicates=invalid), and")):
        rc.evaluate({"2": ["3"]}, run, "map", "trec_eval")


def test_a_metric_that_refuses_the_lists_it_is_given_is_refused_alone() -> None:
    """Pooled lists have no groups of a user: the number is refused, and the others are there."""
    labels = {"u": {"g": {"a": 1, "b": 0}, "h": {"b": 1}}, "v": {"g": {"a": 1}}}
    run = {"u": [("a", 3.0), ("b", 2.0)], "v": [("b", 3.0), ("a", 1.0)]}
    spec = "ndcg(scope=global, subtopics=separate)@3"
    found = rc.evaluate(labels, run, [spec, "map"], on_error="collect")
    assert [one.why for one in found.errors[spec]] == [
        "groups are looked at one by one, and the lists of all users are pooled"
    ]
    assert found["map"] == 0.75
    with pytest.raises(rc.MetricError, match=r"pooled\. Drop scope=global"):
        rc.evaluate(labels, run, [spec, "map"])
    assert rc.evaluate(labels, run, "ndcg(subtopics=separate)@3")["ndcg(subtopics=separate)@3"] > 0


def test_labels_in_groups_that_chunks_cannot_be_collapsed_with_are_refused_alone() -> None:
    labels, run = {"u": {"g": {"d1": 1}, "h": {"d2": 1}}}, {"u": [("d1#1", 3.0), ("d2#1", 2.0)]}
    found = rc.evaluate(labels, run, ["ndcg(collapse=max)@3", "map"], parents="#", on_error="collect")
    assert [one.why for one in found.errors["ndcg(collapse=max)@3"]] == [
        "collapse=max cannot collapse labels in subtopics"
    ]
    assert found["map"] == 0
    with pytest.raises(rc.MetricError, match="Give labels without subtopics, or collapse=none"):
        rc.evaluate(labels, run, "ndcg(collapse=max)@3", parents="#")
    assert rc.identify(labels, run, "ndcg@3", "0.5", parents="#").tried > 0
