"""Gates against hand-worked decisions, SciPy's limits, and the level that they promise."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from scipy import stats
from typer.testing import CliRunner

import rankconv as rc
from rankconv.addons.gate import Decision, Excess, GateResult, corrected
from rankconv.cli.app import app

LABELS = {user: ["a"] for user in range(60)}


def ranked(ranks: dict[int, int]) -> dict[int, list[str]]:
    """Lists whose relevant item is at these ranks, else at 1."""
    return {user: [*"xyzw"[: ranks.get(user, 1) - 1], "a"] for user in LABELS}


GOOD, BAD = ranked({}), ranked(dict.fromkeys(LABELS, 2))


def test_floors_are_asked_of_the_value() -> None:
    assert rc.gate(LABELS, GOOD, "mrr", at_least=1.0).ok
    assert rc.gate(LABELS, BAD, "mrr", at_least=0.5).verdict == "pass"
    assert rc.gate(LABELS, BAD, "mrr", at_least=0.51).exit_code == 1
    assert rc.gate(LABELS, ranked({1: 2}), ["mrr", "precision@1"], at_least={"mrr": 0.9}).ok
    named = rc.gate(LABELS, BAD, at_least={"mrr": 0.5, "precision@1": 0}, baseline=GOOD, not_worse_by={"mrr": 0.6})
    assert [one.metric for one in named.decisions] == ["mrr", "mrr", "precision@1"]
    worst = rc.gate(LABELS, GOOD, "first_rank", at_least=1)
    assert (worst.verdict, worst.decisions[0].requirement) == ("pass", "at most 1")


def test_limits_are_those_of_student() -> None:
    """Where values are many and of a continuous kind, the one-sided limits are the ends of SciPy's interval of 90 %."""
    values = np.random.default_rng(1).normal(0.02, 0.1, 400)
    expected = stats.ttest_1samp(values, 0).confidence_interval(0.9)
    assert Excess(values, (-1, 1)).limits(0.05) == pytest.approx((expected.low, expected.high))


def test_no_significant_difference_is_no_pass() -> None:
    old, new = ranked({1: 2, 2: 3, 3: 2}), ranked({4: 2, 5: 3, 6: 2})
    found = rc.gate(LABELS, new, "mrr", baseline=old, not_worse_by=0.001)
    (one,) = found.decisions
    assert (found.verdict, found.exit_code, one.difference, one.changed) == ("undecided", 3, 0, 6)
    assert one.low < -0.001 < one.high
    assert one.users_needed is not None
    assert one.users_needed > 60
    assert rc.gate(LABELS, new, "mrr", baseline=old, not_worse_by=0.001, undecided="pass").ok
    assert rc.gate(LABELS, new, "mrr", baseline=old, not_worse_by=0.001, undecided="fail").exit_code == 1
    assert rc.gate(LABELS, new, "mrr", baseline=old, not_worse_by=0.2).ok


def test_margins_by_hand() -> None:
    assert rc.gate(LABELS, BAD, "mrr", baseline=GOOD, not_worse_by=0.4).verdict == "fail"  # each user lost 0.5
    assert rc.gate(LABELS, BAD, "mrr", baseline=GOOD, not_worse_by=0.6).verdict == "pass"
    assert rc.gate(LABELS, BAD, "mrr", baseline=GOOD, not_worse_by="51%").verdict == "pass"
    assert rc.gate(LABELS, BAD, "mrr", baseline=GOOD, not_worse_by="49%").verdict == "fail"
    same = rc.gate(LABELS, BAD, "mrr", baseline=BAD, not_worse_by=0)
    assert (same.verdict, same.decisions[0].reason) == ("pass", "no value changed")
    assert rc.gate(LABELS, GOOD, "first_rank", baseline=BAD, not_worse_by=0).ok  # a lower rank is better


def test_a_segment_fails_after_holms_correction_alone() -> None:
    groups = {user: {"group": "ab"[user % 2]} for user in LABELS}
    new = ranked({user: 2 for user in LABELS if user % 2})
    found = rc.gate(LABELS, new, "mrr", baseline=GOOD, not_worse_by=0.01, by="group", user_features=groups)
    assert {one.segment: one.verdict for one in found.decisions} == {"": "fail", "group=a": "pass", "group=b": "fail"}
    rng = np.random.default_rng(0)
    excesses = [Excess(rng.normal(mean, 1, 200), (-np.inf, np.inf)) for mean in (-0.5, -0.13, 0.5)]
    rows = [Decision("m", str(at), "", one.verdict(0.05), 0, 200, excess=one) for at, one in enumerate(excesses)]
    p = np.array([stats.ttest_1samp(one.values, 0, alternative="less").pvalue for one in excesses])
    order = np.argsort(p)
    holm = np.maximum.accumulate(p[order] * (3 - np.arange(3)))[np.argsort(order)]
    assert [one.verdict == "fail" for one in corrected(rows, 0.05)] == (holm < 0.05).tolist()


@pytest.mark.parametrize("users", [20, 50, 200])
def test_a_run_worse_by_the_margin_passes_no_oftener_than_the_level(users: int) -> None:
    generator, passed, times = np.random.default_rng(users), 0, 400
    for _ in range(times):
        size = np.clip(generator.laplace(-0.01 / 0.4, 0.12, users), -1, 1)
        values = np.where(generator.random(users) < 0.4, size, 0) + 0.01
        passed += Excess(values, (-0.99, 1.01)).verdict(0.05) == "pass"
    assert passed <= stats.binom.ppf(0.999, times, 0.05)


def test_each_requirement_is_decided_by_whatever_name_the_result_knows_its_metric() -> None:
    """A law: each requirement has a decision, and none of a floor above the value passes."""
    for spec in ("ndcg_cut_10", "P_10", "recip_rank", "map_cut_5"):
        value = rc.evaluate(LABELS, BAD, spec, "trec_eval")[spec]
        for name in (spec, value.definition.spec, value.definition.text, value.definition):
            found = rc.gate(LABELS, BAD, spec, "trec_eval", at_least={name: 1.5}, baseline=BAD, not_worse_by={name: 0})
            assert [(one.metric, one.verdict) for one in found.decisions] == [(spec, "fail"), (spec, "pass")]
    with pytest.raises(rc.MetricError, match=r"names P_10 twice, once as 'precision@10'"):
        rc.gate(LABELS, BAD, "P_10", "trec_eval", at_least={"P_10": 0.1, "precision@10": 0.2})
    assert (GateResult([]).verdict, GateResult([]).exit_code) == ("undecided", 3)


def test_what_is_wrong_is_said() -> None:
    for given, message in (
        ({}, "nothing is required"),
        ({"not_worse_by": 0.1}, "a margin needs a baseline"),
        ({"at_least": {"map": 0.1}}, "not evaluated"),
        ({"baseline": GOOD, "not_worse_by": "much"}, "not a margin"),
        ({"baseline": GOOD, "not_worse_by": -0.1}, "not a margin"),
        ({"at_least": 0.5, "by": "group"}, "table of users"),
        ({"at_least": 0.5, "alpha": 1}, "from 0.0001 to 0.5"),
    ):
        with pytest.raises(rc.RankconvError, match=message):
            rc.gate(LABELS, GOOD, "mrr", **given)  # type: ignore[arg-type]
    fewer = {user: items for user, items in GOOD.items() if user != 7}
    with pytest.raises(rc.InputError, match="7 in the run alone"):
        rc.gate(LABELS, GOOD, "mrr(users=ranked)", baseline=fewer, not_worse_by=0.1)
    groups = {user: {"group": "ab"[user % 2]} for user in LABELS}
    for more in ({"confident": True}, {"by": "group", "user_features": groups}):
        with pytest.raises(rc.MetricError, match="not the mean"):
            rc.gate(LABELS, BAD, "mrr(aggregate=median(interpolated))", at_least=0.1, **more)  # type: ignore[arg-type]
    with pytest.raises(rc.MetricError, match="the sum"):
        rc.gate(LABELS, BAD, "count(count-of=hits)@1", baseline=GOOD, not_worse_by=0.1)
    with pytest.raises(rc.MetricError, match="not the mean"):
        rc.gate(LABELS, BAD, "mrr(aggregate=median(interpolated))", baseline=ranked({1: 2}), not_worse_by=0.1)


# the command


def run(*words: str) -> Any:
    return CliRunner(env={"COLUMNS": "80"}).invoke(app, ["gate", *words])


@pytest.fixture
def files(tmp_path: Path) -> Path:
    rows = {"labels": [(user, "a", 1) for user in LABELS]}
    rows |= {
        name: [(user, item, -at) for user, items in of.items() for at, item in enumerate(items)]
        for name, of in (("good", GOOD), ("bad", BAD))
    }
    for name, lines in rows.items():
        head = f"user,item,{'grade' if name == 'labels' else 'score'}"
        (tmp_path / f"{name}.csv").write_text("\n".join([head, *(",".join(map(str, one)) for one in lines)]) + "\n")
    (tmp_path / "gate.yaml").write_text(
        "labels: labels.csv\nrun: bad.csv\nbaseline: good.csv\nmetrics: [mrr]\n"
        "not-worse-by: 10%\nat-least: {mrr: 0.2}\n"
    )
    return tmp_path


def test_the_command(files: Path) -> None:
    labels, good, bad = (str(files / f"{name}.csv") for name in ("labels", "good", "bad"))
    assert run(labels, good, "-m", "mrr", "--at-least", "0.9").exit_code == 0
    assert run(labels, bad, "-m", "mrr,ndcg@2", "--at-least", "mrr=0.9").exit_code == 1
    assert run(labels, bad, "-m", "precision@1", "--at-least", "0").exit_code == 0
    assert run("--settings", str(files / "gate.yaml"), "--not-worse-by", "60%").exit_code == 0
    settings = str(files / "gate.yaml")
    found = json.loads(run("--settings", settings, "--format", "json").stdout)
    assert [one["verdict"] for one in found["decisions"]] == ["pass", "fail"]
    suite = ElementTree.fromstring(run("--settings", settings, "--format", "junit").stdout)
    assert (suite.get("tests"), suite.get("failures"), len(suite.findall("testcase/failure"))) == ("2", "1", 1)
    assert run("--settings", settings, "--format", "github").stdout.startswith(
        "::error title=rankconv gate::mrr is 0.5"
    )
    (files / "gate.yaml").write_text("labels: labels.csv\nat-lest: 1\n")
    wrong = run("--settings", settings)
    assert isinstance(wrong.exception, rc.ConventionError)
    assert "at-least" in str(wrong.exception)
