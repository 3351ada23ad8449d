"""Nugget recall and every setting of its conventions, against numbers worked out by hand."""

import pytest

import rankconv as rc
from rankconv.basics.errors import MetricError
from tests.metrics.worked import Row, cells, neutral, value_of
from tests.together import together

LABELS = {
    "some": {"a": 2, "b": 1, "c": 1},  # c is not in the run
    "partly": {"a": 1, "b": 1},
    "all": {"a": 2, "b": 2, "c": 2},
}
RUN = {
    "some": {"a": 1, "b": 0.5, "x": 0.25},
    "partly": {"a": 0.5, "b": 0},
    "all": {"a": 1, "b": 1, "c": 1},
}
NEUTRAL = neutral()
ROWS = [
    Row(  # the gains are 2 and 1 of 4
        "credit",
        "some",
        "nugget_recall",
        {
            "one": (2 + 1) / 4,
            "score": (2 + 1 / 2) / 4,
            "strict": 2 / 4,
            "partial(0.25)": (2 + 1 / 4) / 4,
            "partial-with-full(0.25)": (2 + 1 / 4) / 4,
        },
    ),
    Row(  # nothing is supported in full
        "credit",
        "partly",
        "nugget_recall",
        {"one": 2 / 2, "score": 1 / 4, "strict": 0, "partial(0.25)": 1 / 8, "partial-with-full(0.25)": 0},
    ),
    Row(
        "nugget-denominator",
        "some",
        "nugget_recall",
        {
            "gains": 3 / 4,
            "gains-of-each-grade(2)": 3 / 4,
            "gains-of-each-grade(4)": 3 / (4 + 3 + 4),
            "found-squared": 1 / 3,
        },
    ),
    Row(  # no label has grade 1
        "nugget-denominator",
        "all",
        "nugget_recall",
        {"gains": 1, "gains-of-each-grade(2)": 3 / 3.5, "found-squared": 1 / 3},
        "gain=table(1=0.5, 2=1)",
    ),
]


@together("row, setting, expected", cells(ROWS), by=lambda row, *_: row.convention_name)
def test_the_value_under_a_setting(row: Row, setting: str, expected: float) -> None:
    found = value_of(LABELS, RUN, NEUTRAL, row.user, row.metric, f"{row.convention_name}={setting}, {row.beside}")
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-15)


def test_a_cutoff_reads_the_first_rows() -> None:
    assert value_of(LABELS, RUN, NEUTRAL, "some", "nugget_recall@1", "credit=score") == 2 / 4


def test_with_full_credit_and_equal_weights_it_is_recall() -> None:
    labels, run = {"u": {"a": 1, "b": 3, "c": 0}, "v": {"a": 2}}, {"u": ["b", "x", "c"], "v": []}
    result = rc.evaluate(labels, run, ["nugget_recall(gain=binary)@2", "recall@2"], preset=NEUTRAL)
    assert result["nugget_recall(gain=binary)@2"] == pytest.approx(result["recall@2"], nan_ok=True)


def test_without_discount_it_is_ndcg() -> None:
    spec = "ndcg(discount=none, gain=exponential)"
    result = rc.evaluate(LABELS, RUN, ["nugget_recall(gain=exponential)", spec], preset=NEUTRAL)
    assert [*result.per_user["nugget_recall(gain=exponential)"]] == pytest.approx([*result.per_user[spec]])


@pytest.mark.parametrize(("run", "wrong"), [({"u": {"a": 2.0}}, "from 0 to 2"), ({"u": {"a": -1.0}}, "from -1 to 0")])
def test_scores_beyond_0_and_1_are_refused(run: dict[str, dict[str, float]], wrong: str) -> None:
    with pytest.raises(MetricError, match=f"credit=strict needs scores from 0 to 1, and these are {wrong}"):
        rc.evaluate({"u": ["a"]}, run, "nugget_recall(credit=strict)")


def test_a_run_without_scores_is_refused() -> None:
    with pytest.raises(MetricError, match="needs scores from 0 to 1, and the rankings have none"):
        rc.evaluate({"u": ["a"]}, {"u": ["a"]}, "nugget_recall(credit=partial(0.5))")


def test_an_explanation_has_weight_and_credit_of_each_nugget() -> None:
    spec = "nugget_recall(gain=table(1=0.5, 2=1), credit=partial(0.5))"
    page = str(rc.explain(LABELS, RUN, spec, user="some"))
    rows = [line.split() for line in page.splitlines() if line[:1].isdigit()]
    assert [row[-4:-1] for row in rows] == [["1", "1", "1"], ["0.5", "0.5", "1/4"], ["0", "0.5", "0"]]
    assert "= 5/8 = 0.625" in page
