"""The answers that belong to a metric itself: the defaults of its fields."""

from typing import Annotated, Any

import pytest

import rankconv as rc
from rankconv import plugin
from rankconv.metrics import METRICS
from rankconv.metrics.base import strategy_of

LABELS, RUN = {"u": {"a": 3, "b": 1}}, {"u": ["x", "b"]}
IDEAL = rc.convention("ideal")


@pytest.fixture
def short_sighted() -> type[plugin.Metric]:
    class ShortSighted(METRICS["ndcg"]):  # type: ignore[name-defined, misc]
        """How close is the list to itself, sorted?"""

        name = "short_sighted"
        ideal: Annotated[str, IDEAL] = "retrieved-at-k"

    return ShortSighted


def mean(spec: str, preset: Any = "rankconv") -> float:
    return rc.evaluate(LABELS, RUN, spec, preset)[spec]


@pytest.mark.usefixtures("short_sighted")
def test_the_metrics_own_setting_beats_the_presets_general_one() -> None:
    assert mean("short_sighted@2") == mean("ndcg(ideal=retrieved-at-k)@2") != mean("ndcg@2")
    [made] = rc.preset("rankconv").define("short_sighted@2")
    assert (made.text, made.settings["ideal"]) == ("rankconv:short_sighted@2", "retrieved-at-k")


@pytest.mark.usefixtures("short_sighted")
def test_what_is_said_of_the_metric_beats_its_own_setting() -> None:
    assert mean("short_sighted(ideal=all-labels)@2") == mean("ndcg@2")
    [made] = rc.preset("rankconv").define("short_sighted(ideal=all-labels)@2")
    assert rc.preset("rankconv").define(made.text) == [made]
    entry = rc.preset("rankconv").replace(metrics={"short_sighted": {"ideal": "all-labels"}})
    assert mean("short_sighted@2", entry) == mean("ndcg@2")


@pytest.mark.usefixtures("short_sighted")
def test_a_changed_preset_changes_it_too() -> None:
    changed = rc.preset("rankconv").replace(ideal="all-labels")
    assert changed.name == "rankconv (modified)"
    assert mean("short_sighted@2", changed) == mean("ndcg@2")
    [made] = changed.define("short_sighted@2")
    assert rc.preset("rankconv").define(made.text) == [made]


FIELDS = {
    "ideal: Annotated[str, IDEAL] = 'foo'": r"X\.ideal: 'foo' is not a known setting of 'ideal'\.",
    "ideal: str = 'all-labels'": r'is a convention by its own name\. Write ideal: Annotated\[str, rc.*\("ideal"\)\]',
    "best: Annotated[str, IDEAL] = 'all-labels'": r"X\.best: the field of a metric is a convention .*Call it ideal",
    "alpha: float = 0.5": "ClassVar.* for a constant, or define the convention first",
}


@pytest.mark.parametrize("field", FIELDS)
def test_a_field_that_would_be_ignored_is_refused(field: str) -> None:
    code = f"class X(METRICS['ndcg']):\n    '''X?'''\n    name = 'x_of_test'\n    {field}\n"
    with pytest.raises(rc.ConventionError, match=FIELDS[field]):
        exec(code, {"METRICS": METRICS, "IDEAL": IDEAL, "Annotated": Annotated, "__name__": "test"})
    assert "x_of_test" not in METRICS


@pytest.mark.parametrize("words", [("map", ()), ("own_of_test", ("ndcg",)), ("own_of_test", ("map",))])
def test_no_metric_takes_the_word_of_another(words: tuple[str, tuple[str, ...]]) -> None:
    with pytest.raises(rc.ConventionError, match=r"is already defined by rankconv\..*Give this metric another name"):
        type("Own", (METRICS["cg"],), {"__module__": "test", "__doc__": "?", "name": words[0], "spellings": words[1]})
    assert rc.preset("trec_eval").define("map@3")[0].metric.name == "average_precision"


@pytest.mark.parametrize(
    ("word", "name"),
    [("f1", "f"), ("f", "f"), ("map", "average_precision"), ("mrr", "reciprocal_rank"), ("ndcg", "ndcg"), ("f2", None)],
)
def test_which_metric_a_word_spells(word: str, name: str | None) -> None:
    assert strategy_of(word) == name
