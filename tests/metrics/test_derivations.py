"""What metrics show of themselves in an explanation, against numbers worked by hand."""

from typing import Any

import rankconv as rc


def explained(spec: str, labels: list[str], ranking: Any) -> dict[str, Any]:
    return rc.explain({"u": labels}, {"u": ranking}, spec, user="u").to_dict()


def test_f_is_worked_from_its_counts() -> None:
    """Two of four rows are hits, and one of three relevant items is not in the list: 2 · 2 / (2 · 2 + 1 + 2)."""
    facts = {
        fact["what"]: fact["fraction"] for fact in explained("f1@4", ["a", "b", "c"], ["a", "x", "b", "y"])["facts"]
    }
    assert facts["TP, hits"] == "2"
    assert facts["FP, the divisor of precision less TP"] == "2"
    assert facts["FN, the divisor of recall less TP"] == "1"
    assert facts["2TP / (2TP + FN + FP)"] == "4/7"
    weighted = {
        fact["what"]: fact["fraction"]
        for fact in explained("f(beta=2)@4", ["a", "b", "c"], ["a", "x", "b", "y"])["facts"]
    }
    assert weighted["5TP / (5TP + 4FN + FP)"] == "5/8"


def test_the_expected_hit_rate_shows_how_likely_there_is_no_hit_down_to_each_rank() -> None:
    """One of three tied rows is relevant: in two of three orders below the first rank, in one below the second."""
    tied = {"a": 1.0, "b": 1.0, "c": 1.0}
    rows = explained("hit_rate(ties=expected)@2", ["a"], tied)["list"]
    assert [row["no hit so far"] for row in rows[:2]] == [2 / 3, 1 / 3]


def test_settings_that_the_formula_tells_are_not_listed() -> None:
    assert set(explained("ndcg@3", ["a"], ["b", "a"])["settings"]) == {"gain", "discount", "ideal"}
    assert "normalization" in explained("ndcg(normalization=min-max)@3", ["a"], ["b", "a"])["settings"]
    assert "ideal-cutoff" in explained("ndcg(ideal-cutoff=none)@3", ["a"], ["b", "a"])["settings"]
