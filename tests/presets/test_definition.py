"""Definitions: equal or not, named by a fingerprint, refused where the settings exclude each other."""

import hashlib
import pickle
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Annotated

import numpy as np
import pytest

import rankconv as rc
from rankconv import plugin
from rankconv.conventions.convention import CONVENTIONS
from rankconv.metrics import METRICS
from tests.laws import examples

HOUSE = rc.preset("rankconv")


def define(spec: str, preset: str = "rankconv") -> rc.Definition:
    [found] = rc.preset(preset).define(spec)
    return found


def test_a_definition_settings_every_convention_of_its_three_parts() -> None:
    found = define("ndcg@10", "trec_eval")
    assert (found.preset, found.key, found.metric.name, found.k) == ("trec_eval", "ndcg", "ndcg", 10)
    assert found.settings["ties"] == "item-descending"
    assert found.settings["gain"] == "linear"
    assert found.settings["on-no-ranking"] == "refuse-all"
    assert set(found.settings) == {
        convention_name for part in found.setting_sets for convention_name in part.conventions()
    }


def test_only_real_changes_are_changes() -> None:
    assert define("ndcg(gain=linear, ties=reversed)").changed == (("ties", "reversed"),)
    assert define("ndcg(gain=linear)") == define("ndcg")
    assert define("ndcg(gain=linear)").spec == "ndcg"


def test_the_text_names_preset_metric_changes_and_cutoff() -> None:
    assert define("ndcg(ties=reversed, gain=table(1=5))@3").text == "rankconv:ndcg(ties=reversed, gain=table(1=5))@3"
    assert define("f1", "trec_eval").text == "trec_eval:f1"


# fingerprints


def test_a_fingerprint_has_64_bits_in_hexadecimal() -> None:
    assert re.fullmatch("[0-9a-f]{16}", define("ndcg@10").fingerprint)


def test_equal_definitions_have_one_fingerprint_whatever_their_names() -> None:
    ours, theirs = define("dcg(gain=exponential)@3", "ndcg-video"), define("dcg@3", "queirozf")
    renamed = rc.preset("queirozf").replace(name="q2", on_zero_division="skip", **{"on-no-relevant": "as-computed"})
    [same] = renamed.define("dcg@3")
    assert ours.fingerprint == same.fingerprint
    assert ours.fingerprint != theirs.fingerprint


def test_no_two_signatures_share_a_fingerprint() -> None:
    signatures_of: dict[str, set[str]] = {}
    for name in rc.list_presets(eras=True):
        preset = rc.preset(name)
        for spec in (spec for key in preset.metrics for spec in (key, f"{key}@5") if preset.offers(spec)):
            [found] = preset.define(spec)
            signatures_of.setdefault(found.fingerprint, set()).add(found.signature)
    assert len(signatures_of) > 100
    assert {len(signatures) for signatures in signatures_of.values()} == {1}


def test_a_fingerprint_is_the_hash_of_the_signature() -> None:
    """It is in papers and tables, so no later version may hash anything else."""
    [found] = rc.preset("base").replace(metrics={"ndcg": {"gain": "binary"}}, duplicates="once").define("ndcg@10")
    part = "ndcg@10|gain:binary|discount:log(base=2)|ideal:all-labels|on-no-relevant:as-computed|duplicates:once"
    assert found.signature == part
    assert found.fingerprint == hashlib.sha256(part.encode()).hexdigest()[:16]


@pytest.fixture
def later() -> Iterator[plugin.Convention]:
    """A convention that a later version adds."""
    convention = plugin.Convention("dice", "Do we throw dice?", neutral="none")
    convention.setting("none", rule="no")(lambda: None)
    convention.setting("two", rule="yes, two")(lambda: None)
    yield convention
    del CONVENTIONS["dice"]


def test_a_convention_added_later_moves_no_fingerprint(
    later: plugin.Convention, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = define("hit_rate@10")
    before = now.fingerprint
    monkeypatch.delitem(METRICS, "hit_rate")

    class LaterHitRate(type(now.metric)):  # type: ignore[misc]
        """The same metric, with one convention more."""

        dice: Annotated[str, later]

    for setting, same in (("none", True), ("two", False)):
        metric = LaterHitRate.with_settings({**now.metric.fields, "dice": setting})
        assert replace(now, metric=metric).settings["dice"] == setting
        assert (replace(now, metric=metric).fingerprint == before) is same


def test_presets_need_not_setting_a_convention_that_has_a_neutral_setting(later: plugin.Convention) -> None:
    class Throw(plugin.Metric):
        """What do the dice say?"""

        name = "throw"
        dice: Annotated[str, later]

        def per_user(self, block: plugin.Block) -> plugin.Ratio:
            return plugin.Ratio(np.full(block.size, float(self.dice == "two")), np.ones(block.size))

    try:
        result = rc.evaluate({"u": ["a"]}, {"u": ["a"]}, ["throw@3", "throw(dice=two)@3"])
        assert (result["throw@3"], result["throw(dice=two)@3"]) == (0, 1)
    finally:
        del METRICS["throw"]


# answers that exclude each other


@pytest.mark.parametrize(
    ("spec", "named"),
    [
        ("cwl(ties=rank(max), order=score)@3", ["cwl is not defined under ties=rank(max)", "another tie rule"]),
        ("ndcg(order=given, ties=rank(max))@3", ["ties=rank", "order=score"]),
        (
            "mrr(aggregate=micro, on-no-relevant=skip, on-zero-division=as-computed)",
            ["aggregate=micro", "reciprocal_rank"],
        ),
        ("hit_rate(aggregate=micro, on-zero-division=as-computed)@3", ["aggregate=micro", "hit_rate"]),
        (
            "precision(aggregate=micro)@3",
            ["aggregate=micro", "on-zero-division=0", "as-computed, skip, refuse-user or refuse-all"],
        ),
        ("recall(aggregate=micro, on-zero-division=nan)@3", ["aggregate=micro", "on-zero-division=nan"]),
        (
            "recall(aggregate=micro, on-zero-division=as-computed, on-no-ranking=0)@3",
            ["aggregate=micro", "on-no-ranking=0"],
        ),
    ],
)
def test_settings_that_exclude_each_other_are_both_named(spec: str, named: list[str]) -> None:
    with pytest.raises(rc.MetricError) as error:
        HOUSE.define(spec)
    assert str(error.value).startswith(f"rankconv:{spec.partition('(')[0]}(")
    assert [part for part in named if part not in str(error.value)] == []


@pytest.mark.parametrize(
    "spec",
    [
        "map(ties=expected, order=score)@3",
        "ndcg(ties=expected, ideal=retrieved-at-k, order=score)@3",
        "err(ties=expected, order=score)",
        "map(ties=rank(max), order=score)@3",
        "mrr(ties=rank(average-floor), order=score)",
        "precision(aggregate=micro, on-zero-division=as-computed, on-no-ranking=refuse-user)@3",
        "ndcg(aggregate=micro, on-zero-division=skip, on-no-ranking=refuse-all)@3",
        "mrr(aggregate=geometric-mean(floor=0.1), on-zero-division=nan)",
    ],
)
def test_settings_that_go_together(spec: str) -> None:
    assert HOUSE.define(spec)


@pytest.mark.parametrize(
    ("spec", "ties"),
    [
        ("ndcg(ties=expected)@3", "expected"),
        ("f1(ties=expected)@3", "expected"),
        ("f1(ties=expected, on-zero-division=skip)@3", "relevant-last-then-item"),  # 0/0 in some orders only
        ("recall(ties=expected, on-no-hits=skip)@3", "relevant-last-then-item"),
        ("recall(ties=expected, recall-denominator=hits)@3", "expected"),
        ("recall(ties=expected, recall-denominator=hits, on-zero-division=skip)@3", "relevant-last-then-item"),
        (
            "precision(ties=expected, precision-denominator=hits, aggregate=micro, on-zero-division=as-computed)@3",
            "relevant-last-then-item",
        ),
        ("precision(ties=expected, precision-denominator=hits, hit-weight=grade)@3", "relevant-last-then-item"),
        ("ndcg(ties=expected, ideal=retrieved-at-k)@3", "relevant-last-then-item"),
        ("ndcg(ties=expected, max-depth=cutoff)@3", "relevant-last-then-item"),
        ("cwl(ties=expected, cwl-continuation=inst(1))@3", "relevant-last-then-item"),
        ("err(ties=expected)@3", "expected"),
        ("yaap(ties=expected)@3", "relevant-last-then-item"),
        ("mean_position(ties=expected)", "expected"),
        ("mean_position(ties=expected)@3", "relevant-last-then-item"),
        ("auc(ties=expected)", "given"),
        ("auc(ties=expected)@3", "expected"),
        ("auc(ties=expected, auc-tied-pairs=by-place)", "relevant-last-then-item"),
        ("popularity(ties=expected)@3", "item-ascending"),
        ("ndcg(ties=given)@3", "given"),
    ],
)
def test_what_gives_an_expected_value_hangs_on_all_settings(spec: str, ties: str) -> None:
    assert HOUSE.define(spec)[0].applied.given("ties") == ties


def test_a_metric_that_says_nothing_gets_the_worst_order() -> None:
    class Top(plugin.Metric):
        """Is the first item relevant?"""

        name = "top_of_plugin"

        def per_user(self, block: plugin.Block) -> plugin.Ratio:
            return plugin.Ratio(block.hits[:, :1].sum(axis=1), np.ones(block.size))

    class LinearTop(Top):
        name = "linear_top"
        linear = True

    try:
        labels, run = {"u": ["a"]}, {"u": [("x", 1.0), ("a", 1.0)]}
        specs = [f"{name}(order=score, ties=expected)" for name in ("top_of_plugin", "linear_top")]
        assert [rc.evaluate(labels, run, spec)[spec] for spec in specs] == [0.0, 0.5]
    finally:
        del METRICS["top_of_plugin"], METRICS["linear_top"]


def test_a_convention_that_the_metric_does_not_ask_is_an_error() -> None:
    with pytest.raises(
        rc.ConventionError, match=r"^rankconv:mrr: reciprocal_rank has no convention 'gain'\. It has .*rr-h"
    ):
        HOUSE.define("mrr(gain=linear)")


# answers that cannot matter


UNWEIGHED = {"missing-weight", "weight-clip"}
"""Those of the weights of items."""


@pytest.mark.parametrize(
    ("spec", "idle"),
    [
        ("ndcg(order=given)@3", {"discount", "ties", "score-dtype", "min-rows", *UNWEIGHED}),
        ("ndcg", {"discount", "ideal-cutoff", "min-rows", *UNWEIGHED}),
        ("ndcg(discount=reciprocal, order=score)@3", {"min-rows", *UNWEIGHED}),
        ("ndcg(ties=expected, on-too-few-rows=skip)@3", {"discount", *UNWEIGHED}),
        ("dcg(order=given)@3", {"ties", "score-dtype", "min-rows", *UNWEIGHED}),
        ("map(order=given, min-score=positive)", {"ties", "ap-precision", "min-rows"}),
        ("map(order=score, on-too-few-rows=0)", {"ap-precision"}),
    ],
)
def test_conventions_whose_setting_cannot_matter(spec: str, idle: set[str]) -> None:
    reasons = define(spec).idle()
    assert set(reasons) == idle
    assert all(reasons.values())


def test_the_shift_of_a_logarithm_does_not_cancel() -> None:
    assert "discount" not in define("ndcg(discount=log(base=2, shift=2))@3").idle()


def test_the_length_cuts_the_ideal_list_without_a_cutoff() -> None:
    one, other = "ndcg", "ndcg(ideal-cutoff=length)"
    result = rc.evaluate({"u": ["a", "b"]}, {"u": ["a"]}, [one, other])
    assert result[one] < result[other] == 1
    assert "ideal-cutoff" not in define(other).idle()


def test_a_setting_without_effect_is_taken_where_that_of_the_preset_is_not_possible() -> None:
    """Ranks are shared under `evidently`, which needs scores; the default preset allows any order."""
    assert rc.metric("evidently:precision(order=given, ties=given)@3").settings["order"] == "given"
    with pytest.raises(rc.ConventionError, match="ties=item-ascending has no effect"):
        rc.metric("rankconv:precision(order=given, ties=item-ascending)@3")


UNPICKLED = "import pickle, sys; print(*(one.text for one in pickle.load(sys.stdin.buffer)), sep='\\n')"


def in_a_new_process(definitions: list[rc.Definition]) -> list[str]:
    """The texts of definitions that a process unpickles which has imported nothing before."""
    done = subprocess.run(
        [sys.executable, "-c", UNPICKLED], input=pickle.dumps(definitions), capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode().splitlines()


def test_a_definition_is_unpickled_where_nothing_was_imported() -> None:
    """Of each file of metrics, and of each preset that has settings of its own for them, the first that is needed."""
    offered = filter(rc.preset("rankconv").offers, METRICS)
    files = {METRICS[name].__module__: define(name) for name in offered}
    own = [rc.preset(name) for name in ("open_nuggetizer", "open_rag_eval")]
    every = [*files.values(), *(preset.define(metric)[0] for preset in own for metric in preset.metrics)]
    some = Random(3).sample(every, min(len(every), examples.of(quick=5, ci=1000)))
    for one in [*some, define("nugget_recall")]:
        assert in_a_new_process([one]) == [one.text]
