"""A metric as an object: called, changed, compared, passed wherever a spec is, and made by keyword."""

import copy
import inspect
import json
import pickle
import subprocess
import sys
from functools import partial
from typing import Any

import numpy as np
import pytest
import yaml

import rankconv as rc
from rankconv import plugin
from rankconv.addons.verification.verify import definitions_to_verify
from rankconv.metrics.base import METRICS
from rankconv.typing import Number

LABELS = {"ada": {"a": 3, "b": 1}, "bob": {"c": 1}}
RUN = {"ada": ["a", "x", "b"], "bob": ["y", "c"]}
SCORED = {"ada": {"a": 0.9, "x": 0.5, "b": 0.5}, "bob": {"y": 0.7, "c": 0.2}}
NDCG = rc.metric("ndcg@10", preset="mllib")
MINE = NDCG.replace(ideal="retrieved-at-k", k=5)


def test_it_says_what_it_is_and_reads_back() -> None:
    assert repr(NDCG) == "rc.metric('mllib:ndcg@10')"
    assert repr(MINE) == "rc.metric('mllib:ndcg(ideal=retrieved-at-k)@5')"
    for one in (NDCG, MINE):
        assert eval(repr(one), {"rc": rc}) == one


def test_every_definition_reads_back_by_its_repr() -> None:
    for owner in map(rc.preset, rc.list_presets(eras=True)[::8]):
        for key in owner.metrics:
            one = owner.definition(key, (), None if owner.settings_of(key)["k-accepted"] == "never" else 3)
            assert eval(repr(one), {"rc": rc}) == one == one.replace()


def test_a_call_is_what_evaluate_gives() -> None:
    number, result = NDCG(LABELS, RUN), rc.evaluate(LABELS, RUN, "ndcg@10", "mllib")
    assert number == result["ndcg@10"]
    assert isinstance(number, Number)
    assert isinstance(result["ndcg@10"], Number)
    assert number.per_user.tolist() == result.per_user["ndcg@10"].tolist()
    assert number.users.tolist() == ["ada", "bob"]
    assert (number.counts, number.definition) == ({"scored": 2}, NDCG)
    assert number.state.tolist() == ["scored", "scored"]


OF_A_SYSTEM = rc.metric("recall@3", preset="cute_ranking")
"""With settings that this system alone has."""


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        ("pickle.load(sys.stdin.buffer)", OF_A_SYSTEM),
        ("importlib.import_module('rankconv.presets.preset_registry').preset('mllib').define('ndcg@10')[0]", NDCG),
        ("importlib.import_module('rankconv.presets.signature').definition_of(sys.argv[1])", rc.metric(NDCG.signature)),
    ],
)
def test_it_is_called_whatever_was_loaded_first(made: str, expected: Any) -> None:
    code = f"import importlib, pickle, sys; print(float({made}({LABELS}, {RUN})))"
    words, data = [sys.executable, "-c", code, NDCG.signature], pickle.dumps(OF_A_SYSTEM)
    done = subprocess.run(words, input=data, capture_output=True, check=False)
    assert done.stdout.decode() == f"{float(expected(LABELS, RUN))}\n", done.stderr


def test_a_number_is_a_float_in_every_use() -> None:
    number = NDCG(LABELS, RUN)
    plain = float(number)
    assert (repr(number), f"{number:.3f}", hash(number)) == (repr(plain), f"{plain:.3f}", hash(plain))
    assert json.loads(json.dumps({"ndcg": number})) == {"ndcg": plain}
    assert (number + 1, -number, max(number, 0.1), round(number, 3)) == (plain + 1, -plain, plain, round(plain, 3))
    assert np.asarray([number]).dtype == np.float64
    for dump in (yaml.safe_dump, yaml.dump):
        assert dump({"ndcg": number}) == dump({"ndcg": plain})
    for again in (pickle.loads(pickle.dumps(number)), copy.deepcopy(number)):
        assert again == number
        assert again.per_user.tolist() == number.per_user.tolist()
        assert again.definition == NDCG


def test_a_result_is_a_dict_of_numbers() -> None:
    result = rc.evaluate(LABELS, RUN, ["map", NDCG], preset="trec_eval")
    assert json.loads(json.dumps(dict(result))) == {"map": 2 / 3, NDCG.text: float(NDCG(LABELS, RUN))}
    assert {**result} == dict(result) == dict(result.items())


def test_numbers_come_in_the_order_asked() -> None:
    assert rc.evaluate(LABELS, RUN, ["mrr@3", NDCG, "map"]).specs == ["mrr@3", NDCG.text, "map"]


def test_several_runs_and_joined_data() -> None:
    by_run = NDCG(LABELS, rc.Runs(one=RUN, two={"ada": ["x"], "bob": ["c"]}))
    assert {run: round(number, 4) for run, number in by_run.items()} == {"one": 0.7753, "two": 0.5}
    assert NDCG(rc.join(LABELS, RUN)) == by_run["one"]
    assert NDCG(LABELS, RUN, users=["bob"]).users.tolist() == ["ada", "bob"]


def test_other_settings_and_another_cutoff() -> None:
    assert (
        MINE == rc.NDCG(k=5, preset="mllib", ideal="retrieved-at-k") == rc.metric("mllib:ndcg(ideal=retrieved-at-k)@5")
    )
    assert MINE.diff(NDCG) == {"ideal": ("retrieved-at-k", "all-labels"), "k": ("5", "10")}
    assert MINE.replace(ideal="all-labels", k=10) == NDCG
    assert rc.metric("trec_eval:ndcg@5").replace(k=None) == rc.metric("trec_eval:ndcg")
    assert NDCG.replace(discount="log( base = 3.0 )") == NDCG.replace(discount="log(base=3)")
    assert NDCG.replace(on_no_relevant=np.int64(1)) == NDCG.replace(on_no_relevant=1)
    assert NDCG.replace(discount="log(base=2)").replace(gain="linear").changed == (
        ("gain", "linear"),
        ("discount", "log(base=2)"),
    )
    assert NDCG != MINE
    assert len({NDCG, MINE, copy.deepcopy(NDCG), pickle.loads(pickle.dumps(MINE))}) == 2
    assert pickle.loads(pickle.dumps(MINE)).replace(k=10, ideal="all-labels") == NDCG


def test_a_changed_preset_stays_behind_its_definitions() -> None:
    strict = rc.preset("blog").replace(order="score-then-rank", ties="reversed", metrics={"hits": {"is": "hit_count"}})
    one = strict.define("hits@3")[0]
    assert one.replace(k=5).settings["ties"] == "reversed"


def test_conventions() -> None:
    assert NDCG.conventions["ideal"] is rc.convention("ideal")
    assert NDCG.conventions.keys() == NDCG.settings.keys()


def cube(grade: float) -> float:
    return grade**3


def accumulated(one: rc.Definition) -> Any:
    numbers = rc.Evaluator([one])
    numbers.update(LABELS, RUN)
    return numbers.compute()[one]


def identified(one: rc.Definition) -> Any:
    found = rc.identify(LABELS, RUN, one, repr(float(one(LABELS, RUN))))
    assert found.metric == str(one.requested)
    return next(row.value for row in found.rows if f"{one.preset}:{one.spec}" in row.presets)


VERBS: dict[str, Any] = {
    "evaluate": lambda one: rc.evaluate(LABELS, RUN, one)[one],
    "evaluate several": lambda one: rc.evaluate(LABELS, RUN, [one, "map"], preset="blog")[one],
    "evaluate joined": lambda one: rc.evaluate(rc.join(LABELS, RUN), one)[one],
    "metric": lambda one: rc.metric(one)(LABELS, RUN),
    "accumulate": accumulated,
    "compare": lambda one: rc.compare(LABELS, RUN, [one, "blog:map@3"]).cell("value", one.text).mean,
    "compare named": lambda one: rc.compare(LABELS, RUN, {"ours": one})["ndcg@10", "ours"],
    "compare presets": lambda one: rc.compare(LABELS, RUN, one, [one.preset, "blog"])[str(one.requested), one.preset],
    "explain": lambda one: np.mean([rc.explain(LABELS, RUN, one, user=user).value for user in LABELS]),
    "explain against": lambda one: np.mean(
        [rc.explain(LABELS, RUN, one, user=u, preset=[None, "mllib"]).value for u in LABELS]
    ),
    "why": lambda one: rc.why(LABELS, RUN, a=one, b=MINE).first.mean,
    "why of presets": lambda one: rc.why(LABELS, RUN, one, a=one.preset, b="blog").first.mean,
    "cite": lambda one: rc.cite(one).cited[0].definition(LABELS, RUN),
    "cite several": lambda one: rc.cite(["map", one]).cited[1].definition(LABELS, RUN),
    "identify": identified,
    "check": lambda one: rc.check(LABELS, SCORED, [one])["ties"].moves[0].mean,
    "check presets": lambda one: rc.check(LABELS, SCORED, one, one.preset)["ties"].moves[0].mean,
    "sensitivity": lambda one: rc.sensitivity(LABELS, RUN, one).comparison[str(one.requested), one.preset],
    "methods": lambda one: float(rc.evaluate(LABELS, RUN, one).methods().cited[0].number.mean),
    "partial": lambda one: partial(one, LABELS)(RUN),
    "map": lambda one: next(map(one, [LABELS], [RUN])),
}


@pytest.mark.parametrize("one", [NDCG, NDCG.replace(gain=lambda grade: grade + 1)], ids=str)
@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_takes_a_definition_as_it_is(verb: str, one: rc.Definition) -> None:
    assert VERBS[verb](one) == pytest.approx(float(one(LABELS, RUN)), rel=1e-12)


def test_verify_takes_one_too() -> None:
    _, _, asked = definitions_to_verify("sklearn", rc.metric("sklearn:ndcg@10"))
    assert [one.spec for one in asked] == ["ndcg@10"]
    with pytest.raises(rc.MetricError, match=r"'ndcg\(gain=custom\(cube\)\)@10' is not available in"):
        definitions_to_verify("sklearn", rc.metric("sklearn:ndcg@10").replace(gain=cube))


# in a notebook


def test_a_notebook_shows_numbers() -> None:
    assert NDCG(LABELS, RUN)._repr_markdown_() == "0.775325 (mllib:ndcg@10; scored: 2)"


def test_what_a_user_brings_is_escaped() -> None:
    owner = rc.preset("mllib").replace(name="a|b <script>", gain="linear")
    number = owner.define("ndcg@3")[0]({"u": ["a"]}, {"u": ["a"]})
    assert "<script>" not in number._repr_markdown_()
    assert "|" not in rc.metric("ndcg@3")({"u": ["a"]}, {"u": ["a"]})._repr_markdown_()


def test_definitions_as_columns() -> None:
    table = rc.compare(LABELS, RUN, {"Spark": NDCG, "mine": NDCG.replace(gain="linear")})
    assert (table.metrics, table.presets) == (["ndcg@10"], ["Spark", "mine"])
    assert table["ndcg@10", "Spark"] == NDCG(LABELS, RUN)
    assert table.separating == {"mine": {"gain=linear": ["ndcg@10"]}}
    assert "mine against Spark: gain=linear." in table.notes
    with pytest.raises(rc.MetricError, match="asks for 2 numbers"):
        rc.compare(LABELS, RUN, {"x": "ndcg@5,10"})


def test_a_definition_is_asked_of_another_preset() -> None:
    assert rc.metric(MINE) is MINE
    assert rc.metric(MINE, preset="blog") == rc.metric("blog:ndcg(ideal=retrieved-at-k)@5")
    assert rc.metric(NDCG.replace(gain=cube), preset="blog") == rc.NDCG(k=10, preset="blog", gain=cube)


def test_one_metric_is_asked_for() -> None:
    with pytest.raises(rc.MetricError, match="asks for 2 numbers"):
        rc.metric("ndcg@5,10")


# by keyword


def test_each_metric_has_a_factory() -> None:
    for strategy in METRICS.values():
        made = getattr(rc, strategy.__name__)
        assert made(k=3 if strategy.cuts else None).metric.name == strategy.name
        assert made.__doc__ == strategy.__doc__
        assert list(inspect.signature(made).parameters)[:3] == ["k", "preset", "name"]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: rc.NDCG(gain="expo"), "'expo' is not a gain. Choose one of: .* Did you mean 'exponential'"),
        (lambda: rc.NDCG(beta=2), "'beta' is not a convention of ndcg"),
        (lambda: rc.NDCG(preset="kaggle"), "kaggle does not offer ndcg"),
        (lambda: rc.NDCG(idal="all-labels"), "'idal' is not a convention of ndcg.*Did you mean 'ideal'"),
        (
            lambda: rc.ERR(k=3, gain="exponential-over"),
            "'exponential-over' is not a setting of 'gain': it needs highest",
        ),
        (
            lambda: rc.RBP(k=3, rbp_persistence=2),
            "2 is not a setting of 'rbp-persistence'. It must be at least 0 and at most 1",
        ),
        (lambda: rc.NDCG(ties=True), "'True' is not a setting"),
        (lambda: rc.NDCG(k="10"), "'10' is not a cutoff"),
        (lambda: rc.NDCG(preset="mllib"), "mllib has ndcg only at a cutoff"),
        (lambda: rc.NDCG(k=0), "0 is not a cutoff"),
        (
            lambda: rc.Precision(preset="torchmetrics", name="p"),
            "does not offer a precision called 'p'.*precision_adaptive",
        ),
    ],
)
def test_bad_settings_are_said(wrong: Any, said: str) -> None:
    with pytest.raises(rc.RankconvError, match=said):
        wrong()


def test_one_of_several_metrics_of_a_preset() -> None:
    assert rc.Precision(k=3, preset="torchmetrics", name="precision_adaptive").key == "precision_adaptive"
    assert rc.Precision(k=3, preset="torchmetrics").key == "precision"
    assert rc.F(k=3, beta=2).settings["beta"] == "2"


def test_a_plugins_metric_has_one_too() -> None:
    class FirstRow(plugin.Metric):
        """Is the first row a hit?"""

        name = "first_row"

        def per_user(self, block: plugin.Block) -> plugin.Ratio:
            return plugin.Ratio(block.hits_so_far.at(1), np.ones(block.size))

    assert rc.FirstRow()(LABELS, RUN) == 0.5
    with pytest.raises(AttributeError, match="no attribute 'SecondRow'"):
        rc.SecondRow  # noqa: B018
