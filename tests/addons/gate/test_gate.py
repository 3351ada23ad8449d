"""Gates against hand-worked decisions, and the command."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from scipy import stats
from typer.testing import CliRunner

import rankconv as rc
from rankconv.addons.gate.decisions import Decision, Excess, corrected
from rankconv.addons.gate.gate_result import GateResult
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
    assert rc.gate(LABELS, BAD, "mrr", baseline=GOOD, not_worse_by="60%").verdict == "pass"
    assert rc.gate(LABELS, BAD, "mrr", baseline=GOOD, not_worse_by="40%").verdict == "fail"
    assert rc.gate(LABELS, BAD, "mrr", baseline=GOOD, not_worse_by="51%").verdict == "undecided"  # others may lose all
    assert rc.gate(LABELS, GOOD, "first_rank", baseline=BAD, not_worse_by=0).ok  # a lower rank is better
    assert rc.gate(LABELS, BAD, "first_rank", baseline=GOOD, not_worse_by=0.5).verdict == "fail"


def test_a_segment_fails_after_holms_correction_alone() -> None:
    groups = {user: {"group": "ab"[user % 2]} for user in LABELS}
    new = ranked({user: 2 for user in LABELS if user % 2})
    found = rc.gate(LABELS, new, "mrr", baseline=GOOD, not_worse_by=0.01, by="group", user_features=groups)
    assert {one.segment: one.verdict for one in found.decisions} == {"": "fail", "group=a": "same", "group=b": "fail"}
    rng = np.random.default_rng(0)
    excesses = [Excess(0, rng.normal(mean, 1, 200), (-np.inf, np.inf)) for mean in (-0.5, -0.13, 0.5)]
    rows = [Decision("m", str(at), "", one.verdict(0.05), 0, 200, excess=one) for at, one in enumerate(excesses)]
    p = np.array([stats.ttest_1samp(one.changes, 0, alternative="less").pvalue for one in excesses])
    order = np.argsort(p)
    holm = np.maximum.accumulate(p[order] * (3 - np.arange(3)))[np.argsort(order)]
    assert [one.verdict == "fail" for one in corrected(rows, 0.05)] == (holm < 0.05).tolist()


def test_where_no_list_changed_the_verdict_is_same() -> None:
    words = "no list changed; says nothing of changes that reach fewer than 4.87 % of users"
    scored = {user: {item: -float(at) for at, item in enumerate(items)} for user, items in BAD.items()}
    for run in (BAD, scored, dict(reversed(BAD.items()))):
        found = rc.gate(LABELS, run, "mrr", baseline=BAD, not_worse_by=0)
        assert (found.verdict, found.exit_code, found.ok, found.decisions[0].reason) == ("same", 0, True, words)
        assert found.decisions[0].unseen == pytest.approx(1 - 0.05 ** (1 / 60))
    suite = ElementTree.fromstring(found.to_junit())
    assert (suite.get("failures"), suite.get("skipped"), suite.findtext("testcase/system-out")) == ("0", "0", words)
    strict = rc.gate(LABELS, BAD, "mrr", baseline=BAD, not_worse_by=0, same="undecided")
    assert (strict.verdict, strict.exit_code) == ("undecided", 3)
    suite = ElementTree.fromstring(strict.to_junit())
    assert (suite.get("skipped"), len(suite.findall("testcase/skipped"))) == ("1", 1)
    floor = rc.gate(LABELS, BAD, "mrr", baseline=BAD, not_worse_by=0, at_least=0.5)
    assert (floor.verdict, floor.counted_as) == ("same", ["pass", "same"])
    assert rc.gate(LABELS, BAD, "mrr", baseline=BAD, not_worse_by=0, at_least=0.6).verdict == "fail"
    for user, items in ((0, [*BAD[0], "more"]), (3, ["a", "x"])):
        other = rc.gate(LABELS, BAD | {user: items}, "mrr", baseline=BAD, not_worse_by=0.01)
        assert other.verdict == "undecided", "a list changed, though no value did"


def test_a_segment_without_a_change_is_same_and_the_run_passes() -> None:
    groups = {user: {"group": "ab"[user % 2]} for user in LABELS}
    run = ranked({user: 1 + user % 2 for user in LABELS})
    found = rc.gate(LABELS, run, "mrr", baseline=GOOD, not_worse_by=0.9, by="group", user_features=groups)
    verdicts = {one.segment: one.verdict for one in found.decisions}
    assert (verdicts, found.verdict) == ({"": "pass", "group=a": "same", "group=b": "pass"}, "pass")


def test_few_users_do_not_pass() -> None:
    few = {user: ["a"] for user in range(3)}
    for floor in (0.4, 0.99):
        found = rc.gate(few, few, "hit_rate@1", at_least=floor, confident=True)
        assert (found.verdict, found.decisions[0].low) == ("undecided", pytest.approx(0.05 ** (1 / 3)))
    assert rc.gate(few, few, "hit_rate@1", at_least=0.36, confident=True).verdict == "pass"
    assert rc.gate(few, few, "hit_rate@1", at_least=0.99).verdict == "pass"
    text = rc.gate(few, few, "hit_rate@1", at_least=0.99).to_text(200)
    assert "the value of these users decides, with no limit of all users" in text
    other = {user: ["a", "b"] for user in few}
    assert rc.gate(few, other, "hit_rate@1", baseline=few, not_worse_by=0.0001).verdict == "undecided"
    assert rc.gate(few, other, "dcg@1", baseline=few, not_worse_by=9).decisions[0].low == -np.inf


def test_page_json_junit_and_last_line_name_definition_data_and_users_left_out() -> None:
    labels = LABELS | {60: [], 61: []}
    run, old = ({**of, 60: ["a"], 61: ["a"]} for of in (ranked({1: 2}), GOOD))
    found = rc.gate(labels, run, "ndcg@3", "trec_eval", baseline=old, not_worse_by=0.5)
    number = rc.evaluate(labels, run, "ndcg@3", "trec_eval")["ndcg@3"]
    stated = dict(pair.split(":") for pair in number.signature.partition("||")[2].split("|"))
    parts = [stated["preset"], number.definition.fingerprint, stated["labels"], stated["run"]]
    parts += [rc.evaluate(labels, old, "ndcg@3", "trec_eval").signatures["ndcg@3"].split("run:")[1].split("|")[0]]
    left = {name: count for name, count in number.counts.items() if name != "scored"}
    assert left == {"outside": 2}
    junit = ElementTree.fromstring(found.to_junit()).find("properties/property")
    assert junit is not None
    last = found.to_text(1000).strip().splitlines()[-1]
    for text in (found.to_markdown(), last, str(junit.get("value")), found.to_github().splitlines()[-1]):
        assert all(part in text for part in parts), (parts, text)
        assert "60 users, left out outside: 2" in text
    data = json.loads(json.dumps(found.to_dict()))["definitions"]["ndcg@3"]
    assert (data["preset"], data["fingerprint"], data["left_out"]) == (parts[0], parts[1], left)
    assert (data["digests"]["labels"], data["digests"]["run"]) == (parts[2], parts[3])


def test_a_baseline_can_be_a_saved_result(tmp_path: Path) -> None:
    run, file = ranked(dict.fromkeys(range(0, 60, 3), 2)), tmp_path / "old.json"
    old = rc.evaluate(LABELS, GOOD, ["mrr", "ndcg@3"])
    old.save(file)
    fresh = rc.gate(LABELS, run, "mrr", baseline=GOOD, not_worse_by=0.25)
    for baseline in (file, str(file), old, rc.Result.load(file)):
        found = rc.gate(LABELS, run, "mrr", baseline=baseline, not_worse_by=0.25)
        assert [vars(one) | {"excess": None} for one in found.decisions] == [
            vars(one) | {"excess": None} for one in fresh.decisions
        ]
    by_name = rc.gate(LABELS, run, "rankconv:mrr", "mllib", baseline=file, not_worse_by=0.25)
    assert by_name.verdict == fresh.verdict
    for baseline in (file, old):
        with pytest.raises(rc.MetricError, match=r"another definition: .*ideal-cutoff none, baseline: k"):
            rc.gate(
                LABELS,
                run,
                "ndcg@3",
                rc.preset("rankconv").replace(ideal_cutoff="none"),
                baseline=baseline,
                not_worse_by=0,
            )
        with pytest.raises(rc.MetricError, match=r"the baseline has no map\. It holds: mrr, ndcg@3"):
            rc.gate(LABELS, run, "map", baseline=baseline, not_worse_by=0.1)
    with pytest.raises(rc.InputError, match="other data: labels"):
        rc.gate(LABELS | {3: ["b"]}, run, "mrr", baseline=old, not_worse_by=0.1)
    fewer = {user: items for user, items in LABELS.items() if user != 59}
    with pytest.raises(rc.InputError, match="other data: labels"):
        rc.gate(fewer, run, "mrr", baseline=file, not_worse_by=0.1)
    graded = {user: dict.fromkeys(items, 2) for user, items in LABELS.items()}
    assert rc.gate(graded, run, "mrr", baseline=file, not_worse_by=0.1).verdict  # it reads no grades but 0
    without = rc.evaluate(LABELS, GOOD, "mrr", digests=False)
    with pytest.raises(rc.InputError, match="59 in the baseline alone"):
        rc.gate(fewer, run, "mrr", baseline=without, not_worse_by=0.1)


def test_each_requirement_is_decided_by_whatever_name_the_result_knows_its_metric() -> None:
    """A law: each requirement has a decision, and none of a floor above the value passes."""
    for spec in ("ndcg_cut_10", "P_10", "recip_rank", "map_cut_5"):
        value = rc.evaluate(LABELS, BAD, spec, "trec_eval")[spec]
        for name in (spec, value.definition.spec, value.definition.text, value.definition):
            found = rc.gate(LABELS, BAD, spec, "trec_eval", at_least={name: 1.5}, baseline=BAD, not_worse_by={name: 0})
            assert [(one.metric, one.verdict) for one in found.decisions] == [(spec, "fail"), (spec, "same")]
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
        ({"at_least": 0.5, "same": "pass"}, "Choose one of: same, undecided"),
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


def test_the_command_takes_a_saved_baseline_and_a_lock(files: Path) -> None:
    labels, good, bad = (str(files / f"{name}.csv") for name in ("labels", "good", "bad"))
    rc.evaluate(labels, good, "mrr").save(files / "old.json")
    words = ["-m", "mrr", "--baseline", str(files / "old.json"), "--lock", str(files / "lock.json")]
    first = run(labels, bad, *words, "--not-worse-by", "0.1")
    assert (first.exit_code, "is written" in " ".join(first.stdout.split())) == (1, True)
    again = run(labels, bad, *words, "--not-worse-by", "0.6")
    assert (again.exit_code, "All is as locked in" in " ".join(again.stdout.split())) == (0, True)
    assert run(labels, good, "-m", "mrr", "--baseline", good, "--not-worse-by", "0").exit_code == 0
    assert (
        run(labels, good, "-m", "mrr", "--baseline", good, "--not-worse-by", "0", "--same", "undecided").exit_code == 3
    )
    other = run(labels, bad, *words, "--not-worse-by", "0.6", "-p", "trec_eval")
    assert isinstance(other.exception, rc.RankconvError)
