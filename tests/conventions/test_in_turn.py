"""Several settings of one convention, carried out one after another."""

import pickle
from pathlib import Path

import numpy as np
import pytest

import rankconv as rc
from rankconv.engine import plan
from rankconv.metrics import METRICS

BASE = rc.preset("base").replace(name="base", metrics={name: {} for name in METRICS})
LABELS = {"u": ["a", "b", "c"]}
RUN = {"u": ["x", "a", "y", "b"]}


def precision(told: str, k: int) -> float:
    spec = f"precision({told}, precision-denominator=length)@{k}"
    return float(rc.evaluate(LABELS, RUN, spec, preset=BASE)[spec])


@pytest.mark.parametrize(
    ("told", "k", "expected"),
    [
        ("candidates=with-unretrieved", 7, 3 / 5),
        ("candidates=padded", 7, 2 / 7),
        ("candidates=with-unretrieved + padded", 7, 3 / 7),  # x a y b c, and two that nobody knows
        ("candidates=padded + with-unretrieved", 7, 2 / 8),  # filled up first, and c then follows at rank 8
        ("candidates=with-unretrieved(lowest=1) + padded", 6, 3 / 6),
        ("candidates=labelled-only + padded", 4, 2 / 4),  # a b, and two that nobody knows
        ("candidates=returned + padded", 7, 2 / 7),
        ("max-depth=3 + cutoff", 2, 1 / 2),
        ("max-depth=3 + cutoff", 4, 1 / 3),
    ],
)
def test_settings_in_turn(told: str, k: int, expected: float) -> None:
    assert precision(told, k) == pytest.approx(expected, rel=1e-15)


def test_what_both_need_must_be_there() -> None:
    labels, run = {"u": ["u", "a"]}, {"u": ["u", "b", "a"]}
    spec = "mrr(exclude=identical-ids + seen)"
    assert dict(rc.evaluate(rc.join(labels, run, seen={"u": ["b"]}), spec, preset=BASE)) == {spec: 1.0}
    with pytest.raises(rc.MetricError, match="exclude=seen needs seen"):
        rc.evaluate(labels, run, spec, preset=BASE)


def test_a_list_in_yaml_and_in_python(tmp_path: Path) -> None:
    file = tmp_path / "filled.yaml"
    file.write_text(
        "name: filled\ntitle: Filled up\nversion: '1'\nextends: base\npreparation:\n"
        "  candidates: [with-unretrieved(lowest=1), padded]\n"
        "metrics:\n  precision: {}\n"
    )
    [definition] = rc.preset(file).define("precision@7")
    assert definition.settings["candidates"] == "with-unretrieved(lowest=1) + padded"
    assert BASE.replace(name="filled", candidates=["with-unretrieved", "padded"]).define("mrr")[0].settings[
        "candidates"
    ] == ("with-unretrieved + padded")
    assert pickle.loads(pickle.dumps(definition)) == definition


def test_in_one_spelling_without_what_changes_nothing() -> None:
    candidates = rc.convention("candidates")
    assert candidates("with-unretrieved  +   returned + padded").text == "with-unretrieved + padded"
    assert candidates(["padded"]).text == candidates(["returned", "padded"]).text == "padded"
    assert candidates(["returned", "returned"]).text == "returned"
    assert candidates("with-unretrieved + padded") is candidates("with-unretrieved  + padded")


@pytest.mark.parametrize("given", ["padded + nothing-known", ["padded", "nothing-known"]])
def test_each_must_be_a_setting(given: str | list[str]) -> None:
    with pytest.raises(rc.ConventionError, match="'nothing-known' is not a"):
        rc.convention("candidates")(given)


def test_other_conventions_have_one_setting() -> None:
    with pytest.raises(rc.ConventionError, match=r"'labels \+ rows' is not a known setting of 'labels-used'"):
        rc.convention("labels-used")("labels + rows")
    with pytest.raises(rc.ConventionError, match="A setting is text or a number"):
        rc.convention("labels-used")(["labels", "rows"])


def test_each_is_told_and_explained() -> None:
    preset = BASE.replace(name="filled", candidates=["with-unretrieved", "padded"])
    words = " ".join(str(rc.cite("precision@7", preset=preset)).split())
    assert "below the lowest score, and then a list shorter than the cutoff is filled up" in words
    explained = str(rc.explain(LABELS, RUN, "precision@7", preset=preset, user="u"))
    assert "1 row appended: c" in explained
    assert "2 rows appended: (nothing), (nothing)" in explained


@pytest.mark.parametrize("setting", ["with-unretrieved + padded", "padded + at-least-one", "labelled-only + padded"])
def test_both_ways_of_preparation_agree(setting: str, monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(len(setting))
    run = {f"u{n}": [f"i{i}" for i in random.permutation(30)[: random.integers(1, 15)]] for n in range(40)}
    labels = {user: [f"i{i}" for i in random.permutation(30)[:6]] for user in run}
    specs = [f"{metric}(candidates={setting}, order=score)@5" for metric in ("precision", "recall", "ndcg", "map")]
    fast = rc.evaluate(labels, run, specs, preset=BASE)
    monkeypatch.setattr(plan, "plain_users", lambda joined, *_: np.zeros(len(joined.users), bool))
    slow = rc.evaluate(labels, run, specs, preset=BASE)
    for spec in specs:
        assert np.array_equal(fast.per_user[spec], slow.per_user[spec], equal_nan=True)
