"""The metrics at each rank of a list, as the texts print them that the project began with."""

import math
import random

import polars as pl
import pytest

import rankconv as rc

# queirozf.com, "Evaluation Metrics for Ranking problems": its tables, where digits are cut off or rounded
DOCUMENTS = ["06", "03", "05", "00", "04", "02", "01", "07"]
SCORES = [0.90, 0.85, 0.71, 0.63, 0.47, 0.36, 0.24, 0.16]
LABELS = {"q": {"00": 1, "01": 0, "02": 1, "03": 0, "04": 0, "05": 1, "06": 1, "07": 0}}
PRINTED = {
    "precision": [1.0, 0.50, 0.66, 0.75, 0.60, 0.66, 0.57, 0.50],
    "recall": [0.25, 0.25, 0.50, 0.75, 0.75, 1.0, 1.0, 1.0],
    "map": [1.0, 1.0, 0.83, 0.81, 0.81, 0.77, 0.77, 0.77],
    "dcg": [1.0, 1.0, 1.5, 1.93, 1.93, 2.29, 2.29, 2.29],
    "ideal_dcg": [1.0, 1.63, 2.13, 2.56, 2.56, 2.56, 2.56, 2.56],
    "ndcg": [1.0, 0.61, 0.70, 0.75, 0.75, 0.89, 0.89, 0.89],
    "f1": [0.40, 0.33, 4 / 7, 0.75, 0.66, 0.80, 0.73, 0.66],  # the 0.62 that is printed at 3 is wrong
}
RUN = rc.Run({"q": dict(zip(DOCUMENTS, SCORES, strict=True))})


def test_the_tables_of_a_text_come_out() -> None:
    found = rc.by_rank(LABELS, RUN, [*PRINTED], user="q", preset="queirozf")
    for name, printed in PRINTED.items():
        assert found.values[name] == pytest.approx(printed, abs=0.0067), name
    lines = found.to_text().splitlines()
    assert lines[0].split() == ["k", "item", "score", "grade", "relevant", *(f"{name}@k" for name in PRINTED)]
    assert [line.split()[:5] for line in lines[2:5]] == [
        ["1", "06", "0.9", "1", "yes"],
        ["2", "03", "0.85", "0", "no"],
        ["3", "05", "0.71", "1", "yes"],
    ]


def test_a_cutoff_below_the_list_has_its_ranks_too() -> None:
    found = rc.by_rank({1: [1, 2, 3, 4, 5, 6]}, {1: [1, 6, 8]}, "precision@1,5, recall", user=1, preset="blog")
    assert found.values == {"precision": [1, 1, 2 / 3, 2 / 4, 2 / 5], "recall": [1 / 6, 2 / 6, 2 / 6]}
    rows = found.table().rows
    assert [row[0] for row in rows] == ["1", "2", "3", "4", "5"]
    assert rows[4][1:] == ["", "", "", "0.4000", ""]


def test_without_labels_or_a_list() -> None:
    labels, run = {3: [2, 4, 6], 4: []}, {3: [], 4: [1, 2]}
    assert rc.by_rank(labels, run, "precision@2", user=3, preset="blog").values == {"precision": [0, 0]}
    assert all(map(math.isnan, rc.by_rank(labels, run, "precision", user=4, preset="blog").values["precision"]))
    assert rc.by_rank(labels, run, "precision", user=3, preset="blog").table().rows == []


def test_each_cell_is_what_evaluate_gives_at_that_cutoff() -> None:
    chance = random.Random(1)
    labels = {user: {item: chance.choice([0, 1, 3]) for item in range(9)} for user in range(3)}
    run = {user: chance.sample(range(12), 7) for user in range(3)}
    asked = ["ndcg", "mllib:map", "trec_eval:ndcg"]
    found = rc.by_rank(labels, run, asked, user=2)
    for spec, column in found.values.items():
        each = [rc.evaluate(labels, run, f"{spec}@{k}").per_user[f"{spec}@{k}"][2] for k in range(1, 8)]
        assert column == each


def test_the_list_is_as_the_first_metric_prepares_it() -> None:
    labels, run = {"u": {"a": 1, "b": 0}}, {"u": ["b", "x", "a"]}
    found = rc.by_rank(labels, run, "precision(unjudged=condensed-after-depth)", user="u")
    assert [row.item for row in found.rows] == ["b", "a"]
    assert found.values == {"precision(unjudged=condensed-after-depth)": [0, 1 / 2]}


def test_what_is_refused() -> None:
    with pytest.raises(rc.InputError, match="no user 'p'"):
        rc.by_rank(LABELS, RUN, "precision", user="p")
    with pytest.raises(rc.InputError, match="several runs were given"):
        rc.by_rank(LABELS, rc.Runs(one=RUN, two=RUN), "precision", user="q")
    with pytest.raises(rc.MetricError, match="precision"):  # the caller of that program cuts lists
        rc.by_rank(LABELS, RUN, "precision", user="q", preset="python-recsys")


def test_a_long_list_is_cut_and_data_are_whole() -> None:
    items = [f"i{at}" for at in range(50)]
    found = rc.by_rank({"u": items[:3]}, {"u": items}, "recall", user="u")
    assert len(found.table().rows) == 26
    assert found.table().rows[20][0] == "…"
    told = found.to_dict()
    assert (len(told["items"]), len(told["metrics"]["recall"]), told["user"]) == (50, 50, "u")


def test_joined_data_and_frames() -> None:
    frame = pl.DataFrame({"user": ["u", "u"], "item": ["a", "b"], "score": [1.0, 2.0]})
    joined = rc.join({"u": ["a"]}, frame)
    assert rc.by_rank(joined, "recall", user="u").values == {"recall": [0, 1]}
    assert rc.by_rank(joined, "recall", user="u").table().headers[2] == "score"
