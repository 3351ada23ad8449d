"""Special users: how each is found, and every value that they may count as."""

from dataclasses import dataclass
from itertools import product
from math import inf, isnan, nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankconv as rc
from rankconv import plugin
from rankconv.aggregation import DATA_POLICIES, POLICIES, PREPARED_DATA_POLICIES, Policy, Situation
from rankconv.aggregation.special_case import AND
from rankconv.data.joined import Joined
from rankconv.metrics import METRICS
from rankconv.preparation.blocks.row_block import prepare
from rankconv.preparation.working_rows import working_block
from tests.together import together

NEUTRAL = rc.preset("base").replace(name="neutral", metrics={name: {} for name in METRICS}, users="union")
ORDER = (
    "on-invalid, on-not-in-labels, on-not-in-run, on-no-ranking, on-nothing-judged, on-empty-ranking, "
    "on-too-few-rows, on-short-ranking, "
    "on-unjudged, on-undetermined, "
    "on-equal-or-zero-scores, on-no-labels, on-no-relevant, on-zero-grade-sum, "
    "on-few-relevant, on-several-relevant, on-no-non-relevant, on-no-hits, "
    "on-unretrieved-relevant, on-negative-denominator, on-above-one, on-zero-value, on-nonzero-over-zero, "
    "on-zero-division"
).split(", ")


@dataclass
class Special:
    """A user whom a cause concerns, beside whom `plain` has the value 1 and no cause holds for him.

    Labels or a run of None do not name the user.
    """

    metric: str
    labels: dict[str, float] | list[tuple[str, float]] | None
    run: list[str] | dict[str, float] | None
    numerator: float
    denominator: float
    beside: str = ""
    plain: tuple[dict[str, float], list[str]] = ({"a": 1, "b": 0}, ["a"])

    @property
    def formula(self) -> float:
        """What the formula gives."""
        if self.denominator:
            return self.numerator / self.denominator
        return inf if self.numerator else nan


LONG = ({"a": 1, "b": 1, "c": 0}, ["a", "b"])
SCORED = ({"a": 1, "b": 1}, {"a": 2.0, "b": 1.0})
SPECIAL = {
    "on-invalid": Special("precision@2", {"a": 1}, ["a", "a"], 2, 2, "duplicates=invalid", LONG),
    "on-not-in-labels": Special("precision", None, ["a"], 0, 1),
    "on-not-in-run": Special("recall", {"a": 1, "b": 1}, None, 0, 2),
    "on-no-ranking": Special("recall", {"a": 1, "b": 1}, [], 0, 2),
    "on-nothing-judged": Special("precision@1", {"a": -1}, ["a"], 0, 1, "negative=in-pool"),
    "on-empty-ranking": Special("recall", {"a": 1}, ["x"], 0, 1, "candidates=labelled-only"),
    "on-too-few-rows": Special("recall", {"a": 1, "b": 1, "c": 0}, ["a"], 1, 2, "min-rows=2", LONG),
    "on-short-ranking": Special("precision@2", {"a": 1, "b": 0}, ["a"], 1, 2, "", LONG),
    "on-unjudged": Special("precision", {"a": 1}, ["a", "x"], 1, 2),
    "on-undetermined": Special("precision@1", {"a": 1}, ["x", "a"], 0, 1),
    "on-equal-or-zero-scores": Special("precision", {"a": 1}, {"a": 2.0, "x": 0.0}, 1, 2, "", SCORED),
    "on-no-labels": Special("precision@1", {}, ["a"], 0, 1),
    "on-no-relevant": Special("precision@1", {"a": 0}, ["a"], 0, 1),
    "on-zero-grade-sum": Special("recall", {"a": 1, "b": -1}, ["a"], 1, 1),
    "on-few-relevant": Special("precision@2", {"a": 1, "b": 0}, ["a"], 1, 2, "", LONG),
    "on-several-relevant": Special("recall", {"a": 1, "b": 1, "c": 0}, ["a"], 1, 2),
    "on-no-non-relevant": Special("recall", {"a": 1, "b": 1}, ["a"], 1, 2),
    "on-no-hits": Special("recall@1", {"a": 1, "b": 1}, ["x", "a"], 0, 2),
    "on-unretrieved-relevant": Special("recall@2", {"a": 1, "b": 1}, ["a", "a", "b"], 2, 2),
    "on-negative-denominator": Special("ndcg@1", {"a": -1, "b": -3}, ["b"], -3, -1),
    "on-above-one": Special("precision", {"a": 1}, ["a", "a", "x"], 2, 1, "precision-denominator=relevant"),
    "on-zero-value": Special("recall", {"a": 1, "b": 1}, ["x"], 0, 2),
    "on-nonzero-over-zero": Special(
        "precision", {"a": 1}, ["a"], 1, 0, "precision-denominator=labels-above(1)", ({"a": 2}, ["a"])
    ),
    "on-zero-division": Special("recall", {"a": 0}, ["a"], 0, 0),
}
QUARTER = "0.25"
SETTINGS = ["as-computed", QUARTER, "skip", "nan", "refuse-user", "refuse-all", "numerator", "numerator-over(0.5)"]
SETTINGS += [f"nan-as({QUARTER})", "infinite"]


def settings_of(policies: list[str]) -> list[tuple[str, str]]:
    """Each policy with each of its settings; what is not allowed has no value by the formula."""
    return [one for one in product(policies, SETTINGS) if one != ("on-invalid", "as-computed")]


def evaluate(policy: str, setting: str) -> tuple[rc.Result, str]:
    special = SPECIAL[policy]
    pairs = list(special.plain[0].items()) if isinstance(special.labels, list) else special.plain[0]
    labels = {"plain": pairs} | ({} if special.labels is None else {"special": special.labels})
    run = {"plain": special.plain[1]} | ({} if special.run is None else {"special": special.run})
    name, at, k = special.metric.partition("@")
    idle = policy == "on-too-few-rows" and setting == "as-computed"
    spec = f"{name}({policy}={setting}, {'' if idle else special.beside}){at}{k}"
    return rc.evaluate(labels, run, spec, NEUTRAL, users=["plain", "special"], on_error="collect"), spec


def test_the_policies_and_their_order() -> None:
    assert [one for one in POLICIES if AND not in one] == ORDER == list(SPECIAL)
    assert {rc.convention("on-zero-division")(one).setting_type.name for one in SETTINGS if one != QUARTER} == set(
        rc.convention("on-zero-division").setting_types
    ) - {"a number"}


@together("policy, setting", settings_of(ORDER), by=lambda policy, setting: policy)
def test_what_a_special_user_counts_as(policy: str, setting: str) -> None:
    special = SPECIAL[policy]
    result, spec = evaluate(policy, setting)
    value = {
        "as-computed": special.formula,
        QUARTER: 0.25,
        "numerator": special.numerator,
        "numerator-over(0.5)": special.numerator * 2,
        "infinite": inf,
    }.get(setting, nan)
    plain = nan if setting == "refuse-all" else 1
    assert result.per_user[spec].tolist() == pytest.approx([plain, value], rel=1e-15, nan_ok=True)
    mean = {"skip": 1, "nan": nan, "refuse-user": nan, "refuse-all": nan, f"nan-as({QUARTER})": (1 + 0.25) / 2}.get(
        setting, (1 + value) / 2
    )
    assert result[spec] == pytest.approx(mean, rel=1e-15, nan_ok=True)


@together("policy, setting", settings_of(ORDER), by=lambda policy, setting: policy)
def test_the_state_of_each_user_and_the_counts(policy: str, setting: str) -> None:
    result, spec = evaluate(policy, setting)
    if setting == "as-computed":
        assert result.state[spec].tolist() == ["scored", "scored"]
        assert result.counts[spec] == {"scored": 2}
    else:
        assert result.state[spec].tolist() == ["scored", f"{policy}: {setting}"]
        assert result.counts[spec] == {"scored": 1, f"{policy}: {setting}": 1}


WRONG = {
    "on-invalid": "has item 'a' in the list more than once (duplicates=invalid)",
}
"""What is said where preparation knows better than the case what is wrong."""


@pytest.mark.parametrize("policy", ORDER)
@pytest.mark.parametrize("setting", ["refuse-user", "refuse-all"])
def test_an_error_names_the_user_and_the_policy(policy: str, setting: str) -> None:
    result, spec = evaluate(policy, setting)
    [refusal] = result.errors[spec]
    assert (refusal.user, refusal.policy) == ("special", policy)
    who = WRONG.get(policy, POLICIES[policy].who)
    assert refusal.why.startswith(f"user 'special' {who}")
    assert refusal.why.endswith(f", and the preset says {policy}={setting}")
    assert result.to_dict()["metrics"][spec] is None
    with pytest.raises(rc.MetricError, match=rf"user 'special' .*to leave such users out: '.*{policy}=skip"):
        raise refusal.error


@pytest.mark.parametrize("policy", ORDER)
def test_without_errors_nothing_is_refused(policy: str) -> None:
    assert not any(evaluate(*one)[0].errors for one in settings_of([policy]) if "refuse" not in one[1])


@pytest.mark.parametrize("users", [1, 60])
@pytest.mark.parametrize(
    ("allowed", "grade"),
    [
        ("negative=invalid", -1),
        ("grades-allowed=binary", -1),
        ("grades-allowed=binary", 0.5),
        ("grades-allowed=binary", 2),
        ("grades-allowed=unit-interval", -0.5),
        ("grades-allowed=unit-interval", 1.5),
        ("grades-allowed=integer(3)", 0.5),
        ("grades-allowed=integer(3)", 4),
        ("duplicates=invalid, grades-allowed=integer(3)", 4),
    ],
)
def test_every_grade_that_is_not_allowed_has_one_policy(allowed: str, grade: float, users: int) -> None:
    labels = {f"u{user}": {"a": grade, "b": 1.0} for user in range(users)} | {"v": {"a": 1.0, "b": 1.0}}
    spec = f"precision({allowed}, on-invalid=0.25)@2"
    result = rc.evaluate(labels, {user: ["a", "b"] for user in labels}, spec, NEUTRAL)
    assert result[spec].counts == {"scored": 1, "on-invalid: 0.25": users}


REFUSING = ["duplicates=invalid", "duplicate-labels=invalid", "negative=invalid", "grades-allowed=integer"]
NOT_ALLOWED: dict[str, Any] = {
    "labels": [("u", "a", 1.5), ("u", "a", 1.5), ("u", "b", -1.0)],
    "run": {"u": ["a", "a", "b"]},
}


@pytest.mark.parametrize("setting", REFUSING)
def test_what_is_not_allowed_has_no_value_unless_a_policy_gives_one(setting: str, tmp_path: Path) -> None:
    """In a spec, by `replace`, in a preset, and in one that extends it."""
    file = tmp_path / "mine.yaml"
    head = "name: mine\nextends: base\ntitle: Mine\nmetrics: {precision: {}}\n"
    file.write_text(head + f"preparation: {{{setting.replace('=', ': ')}}}\n")
    other = tmp_path / "other.yaml"
    other.write_text("name: other\ntitle: Other\nextends: mine\n")
    name, value = setting.split("=")
    neutral = rc.metric("precision@2", NEUTRAL)
    replaced = neutral.replace(**{name.replace("-", "_"): value})
    for metric, preset in (
        (f"precision({setting})@2", NEUTRAL),
        (replaced, NEUTRAL),
        ("precision@2", str(file)),
        ("precision@2", str(other)),
    ):
        with pytest.raises(rc.MetricError, match=rf"user 'u' .*{setting.split('(')[0]}.*on-invalid=refuse-user"):
            rc.evaluate(NOT_ALLOWED["labels"], NOT_ALLOWED["run"], metric, preset)
    spec = f"precision({setting}, on-invalid=0.25)@2"
    assert rc.evaluate(NOT_ALLOWED["labels"], NOT_ALLOWED["run"], spec, NEUTRAL)[spec] == 0.25


def test_the_formula_is_no_policy_of_what_is_not_allowed(tmp_path: Path) -> None:
    with pytest.raises(rc.ConventionError, match="'as-computed' is not a known setting of 'on-invalid'"):
        rc.metric("precision(duplicates=invalid, on-invalid=as-computed)@2")
    with pytest.raises(rc.ConventionError, match="'as-computed' is not a known setting of 'on-invalid'"):
        rc.metric("precision@2").replace(on_invalid="as-computed")
    file = tmp_path / "mine.yaml"
    file.write_text("name: mine\nextends: trec_eval\ntitle: Mine\naggregation: {on-invalid: as-computed}\n")
    with pytest.raises(rc.ConventionError, match="'as-computed' is not a known setting of 'on-invalid'"):
        rc.preset(str(file))


def test_each_setting_that_refuses_says_so() -> None:
    """`on-invalid` is idle where none is: a setting that refuses and does not say would make that untrue."""
    told = [
        f"{name}={kind.name}"
        for name in rc.list_conventions()
        for kind in rc.convention(str(name)).setting_types.values()
        if kind.traits.may_refuse
    ]
    assert told == [
        "negative=invalid",
        "grades-allowed=binary",
        "grades-allowed=unit-interval",
        "grades-allowed=integer",
        "duplicate-labels=invalid",
        "duplicates=invalid",
        "item-weight=inverse-propensity",
        "item-weight=jain",
        "item-weight=popularity",
        "item-weight=frequency",
        "item-weight=position",
    ]
    assert all(rc.metric(f"precision({one})@2").idle_rules.get("on-invalid") is None for one in told)
    assert "on-invalid" in rc.metric("precision@2", NEUTRAL).idle_rules


def test_a_list_and_a_label_that_are_not_allowed_have_one_policy() -> None:
    labels = {"u": {"a": -1, "b": 1}, "v": {"b": 1}, "w": {"b": 1}}
    run = {"u": ["b", "a"], "v": ["b", "b"], "w": ["b", "a"]}
    spec = "precision(negative=invalid, duplicates=invalid, on-invalid=0.5)@1"
    assert rc.evaluate(labels, run, spec, NEUTRAL).per_user[spec].tolist() == [0.5, 0.5, 1.0]
    pooled = "auc(scope=global, negative=invalid, duplicates=invalid, on-invalid=refuse-user)"
    refused = rc.evaluate(labels, run, pooled, NEUTRAL, on_error="collect").errors[pooled]
    assert [one.policy for one in refused] == ["on-invalid"]
    explained = rc.explain(labels, run, spec, user="u", preset=NEUTRAL)
    assert "on-invalid=0.5: the user has item 'a' with a grade below 0" in explained.to_text()


# the first policy that does not say `formula` decides

GHOST: dict[str, Any] = {"labels": {"u": ["a"]}, "run": {"u": ["a"]}, "users": ["u", "ghost"]}
"""A user without labels and list, for whom most causes hold at once."""
OF_OTHERS = (
    "on-invalid",
    "on-equal-or-zero-scores",
    "on-several-relevant",
    "on-unretrieved-relevant",
    "on-negative-denominator",
    "on-above-one",
    "on-nonzero-over-zero",
)
OF_JUDGMENTS = ("on-unjudged", "on-undetermined")
OF_GHOST = [policy for policy in ORDER if policy not in OF_OTHERS + OF_JUDGMENTS]
GREEDY: dict[str, Any] = {"labels": {"u": {"a": 1, "b": 1}}, "run": {"u": [("a", 1.0)] * 3}, "users": ["u"]}
"""A user with too many hits, who misses one item; his list is too short, and not allowed."""
OF_GREEDY = [
    "on-invalid",
    "on-too-few-rows",
    "on-short-ranking",
    "on-equal-or-zero-scores",
    "on-several-relevant",
    "on-no-non-relevant",
    "on-unretrieved-relevant",
    "on-above-one",
]


@pytest.mark.parametrize(
    ("data", "policies", "beside"), [(GHOST, OF_GHOST, ""), (GREEDY, OF_GREEDY, "duplicates=invalid, ")]
)
def test_the_first_policy_that_says_something_decides(data: dict[str, Any], policies: list[str], beside: str) -> None:
    for place, first in enumerate(policies):
        told = ", ".join(f"{policy}={number}" for number, policy in enumerate(policies) if number >= place)
        needed = "min-rows=9, " if "on-too-few-rows" in policies[place:] else ""
        refusing = beside if "on-invalid" in policies[place:] else ""
        spec = f"recall({refusing}{needed}{told})@5"
        result = rc.evaluate(data["labels"], data["run"], spec, NEUTRAL, users=data["users"])
        assert result.state[spec][-1] == f"{first}: {place}"
        assert result.per_user[spec][-1] == place


def test_a_setting_of_formula_lets_later_policies_speak() -> None:
    spec = "recall(on-no-relevant=as-computed, on-zero-division=0.5)"
    assert rc.evaluate({"u": {"a": 0}}, {"u": ["a"]}, spec, NEUTRAL)[spec] == 0.5


def test_nothing_by_nothing_is_no_division_by_zero() -> None:
    spec = "recall(on-nonzero-over-zero=0.5)"
    result = rc.evaluate({"u": {"a": 0}}, {"u": ["a"]}, spec, NEUTRAL)
    assert isnan(result[spec])
    assert result.counts[spec] == {"scored": 1}


def test_who_looks_at_a_ratio_says_so() -> None:
    """`identify` takes whatever else a policy looks at for the same under all metrics."""
    joined, metric = rc.join({"u": {"a": 1}}, {"u": ["a", "x"]}), rc.metric("recall@2")
    block = prepare(working_block(joined, np.array([0])), metric.preparation)

    def looks(policy: Policy) -> bool:
        nothing: Any = object()
        try:
            policy.holds(Situation(block, metric.metric, nothing, 1.0, block.preparation))
        except AttributeError:
            return True
        return False

    assert {name for name, one in POLICIES.items() if looks(one)} == {
        name for name, one in POLICIES.items() if one.of_ratio
    }


def test_no_list_is_too_short_for_no_cutoff() -> None:
    specs = ["recall(on-short-ranking=0.5)", "recall(on-short-ranking=0.5)@1"]
    result = rc.evaluate({"u": ["a"]}, {"u": []}, specs, NEUTRAL)
    assert [result[spec] for spec in specs] == [0, 0.5]


def test_0_by_0_and_x_by_0_are_told_apart_among_other_users() -> None:
    labels, run = {"u": {"a": 1}, "v": {"a": 1}, "w": {"a": 2}}, {"u": ["a"], "v": ["x"], "w": ["a"]}
    values = {
        "on-nonzero-over-zero=0.5, on-zero-division=0.25": [0.5, 0.25, 1],
        "on-zero-division=0.25": [inf, 0.25, 1],
    }
    for settings, expected in values.items():
        spec = f"precision(precision-denominator=labels-above(1), {settings})"
        assert rc.evaluate(labels, run, spec, NEUTRAL).per_user[spec].tolist() == expected


@pytest.mark.parametrize("beside", ["", ", unjudged=condensed-after-depth", ", duplicates=set"])
def test_each_relevant_item_is_found_once(beside: str) -> None:
    """Of two relevant items u has both, v one of them twice, w one, and x none."""
    labels = {user: {"a": 1, "b": 1, "c": 0} for user in "uvwx"}
    run = {"u": ["a", "c", "b"], "v": ["a", "a", "c"], "w": ["b", "c"], "x": ["c"]}
    spec = f"precision(on-unretrieved-relevant=-1, precision-denominator=one{beside})"
    assert rc.evaluate(labels, run, spec, NEUTRAL).per_user[spec].tolist() == [2, -1, -1, -1]


def test_policies_concern_only_the_population() -> None:
    spec = "recall(users=labelled, on-no-ranking=refuse-user, on-nothing-judged=refuse-user, on-no-labels=refuse-user)"
    result = rc.evaluate({"u": ["a"]}, {"u": ["a"], "v": ["a"]}, spec, NEUTRAL)
    assert result.counts[spec] == {"scored": 1, "outside": 1}


def test_a_policy_may_hold_for_one_metric_and_not_for_another() -> None:
    specs = ["recall(on-no-hits=nan)@1", "recall(on-no-hits=nan)@2"]
    result = rc.evaluate({"u": ["a"]}, {"u": ["x", "a"]}, specs, NEUTRAL)
    assert isnan(result[specs[0]])
    assert result[specs[1]] == 1


def test_parts_of_f_that_pass_1_are_seen_one_by_one() -> None:
    """Precision 2/1, recall 2/4: F = 0.8 is below 1, and its precision is not."""
    spec = "f1(precision-denominator=one, on-above-one=nan)"
    result = rc.evaluate({"u": ["a", "b", "c", "d"]}, {"u": ["a", "b"]}, spec, NEUTRAL)
    assert result.counts[spec] == {"scored": 0, "on-above-one: nan": 1}


def test_an_f_of_two_zeros_is_undefined_and_not_zero_by_itself() -> None:
    specs = ["f1@1", "f1(on-zero-division=0)@1", "f1(on-zero-value=0.5)@1"]
    result = rc.evaluate({"u": ["a"]}, {"u": ["x"]}, specs, NEUTRAL)
    assert [result[spec] for spec in specs] == pytest.approx([nan, 0, 0.5], nan_ok=True)


@pytest.mark.parametrize("size", [1, 2])
def test_who_is_refused_does_not_depend_on_the_size_of_blocks(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    labels, run = {"u": ["a"], "v": ["b"], "w": ["c"], "x": ["d"]}, {"u": ["a"], "v": ["x"]}
    spec = "recall(on-no-ranking=refuse-user, on-no-hits=refuse-user)"

    def refused() -> list[tuple[str, str]]:
        found = rc.evaluate(labels, run, spec, NEUTRAL, on_error="collect").errors[spec]
        return [(refusal.user, refusal.policy) for refusal in found]

    in_one_block = refused()
    monkeypatch.setattr(
        Joined,
        "groups",
        lambda joined, users, *_: (users[start : start + size] for start in range(0, len(users), size)),
    )
    assert refused() == in_one_block == [("w", "on-no-ranking"), ("v", "on-no-hits")]


# the data as a whole


@pytest.mark.parametrize(
    ("policy", "labels", "run"),
    [
        ("on-no-rows-at-all", {"u": ["a"], "v": ["b"]}, {"u": [], "v": []}),
        ("on-no-rows-at-all", {"u": ["a"], "v": ["b"]}, {}),
        ("on-no-hits-at-all", {"u": ["a"], "v": ["b"]}, {"u": ["x"], "v": ["a"]}),
        ("on-no-hits-within-k-at-all", {"u": ["a"], "v": ["b"]}, {"u": ["x", "a"], "v": ["a"]}),
        ("on-no-labels-at-all", {"u": [], "v": []}, {"u": ["a"], "v": ["a"]}),
        ("on-no-labels-at-all", {}, {"u": ["a"], "v": ["a"]}),
        ("on-one-user", {"u": ["a"]}, {"u": ["x"]}),
        ("on-one-user-with-relevant", {"u": {"a": 1}, "v": {"a": 0}}, {"u": ["x"], "v": ["a"]}),
    ],
)
def test_a_policy_of_the_data_as_a_whole(policy: str, labels: Any, run: Any) -> None:
    for setting, mean in (("as-computed", 0), ("nan", nan), ("refuse-all", nan)):
        spec = f"precision({policy}={setting}, on-zero-division=0)@1"
        result = rc.evaluate(labels, run, spec, NEUTRAL, on_error="collect")
        assert result[spec] == pytest.approx(mean, nan_ok=True)
        assert np.isnan(result.per_user[spec]).all() == (setting != "as-computed")
        why = (
            [f"{(DATA_POLICIES | PREPARED_DATA_POLICIES)[policy].what}, and the preset says {policy}=refuse-all"]
            if setting == "refuse-all"
            else []
        )
        assert [refusal.why for refusal in result.errors.get(spec, [])] == why


def test_a_number_may_setting_for_the_data_as_a_whole() -> None:
    spec = "precision(on-one-user=0.5)@1"
    result = rc.evaluate({"u": ["a"]}, {"u": ["x"]}, spec, NEUTRAL)
    assert (result[spec], result.per_user[spec].tolist()) == (0.5, [0.5])


@pytest.mark.parametrize("policy", DATA_POLICIES)
def test_other_data_is_not_concerned(policy: str) -> None:
    spec = f"recall({policy}=refuse-all)"
    assert rc.evaluate({"u": ["a"], "v": ["b"]}, {"u": ["a"]}, spec, NEUTRAL)[spec] == 1 / 2


def test_the_policies_of_the_data_and_their_settings() -> None:
    assert set(DATA_POLICIES) == {"on-no-labels-at-all", "on-one-user"}
    assert set(PREPARED_DATA_POLICIES) == {
        "on-k-beyond-rankings",
        "on-k-beyond-ranks",
        "on-k-beyond-ranks-with-relevant",
        "on-zero-highest-grades",
        "on-no-rows-at-all",
        "on-no-hits-at-all",
        "on-no-hits-within-k-at-all",
        "on-no-relevant-at-all",
        "on-one-user-with-relevant",
    }
    assert set(rc.convention("on-one-user").setting_types) == {"as-computed", "nan", "refuse-all", "a number"}


@pytest.mark.parametrize("users", [3, 60])
def test_what_a_plugin_finds_does_not_hang_on_how_deep_a_metric_looks(users: int) -> None:
    """With many rows only the first k are read for most metrics; a hit below is seen nevertheless."""
    plugin.special_case("two-hits", "has two hits", after="on-no-hits")(lambda s: s.block.hits_so_far.whole == 2)
    plugin.data_case("two-hits-each", "everybody has two hits", when=lambda total, users: total == 2 * users)(
        lambda s: s.block.hits_so_far.whole
    )
    labels = {f"u{user}": ["a", "b"] for user in range(users)}
    run = {user: ["a", "x", "b"] for user in labels}
    of_user, of_all = ("precision(two-hits=0.25)@1", "precision(two-hits-each=0.5)@1")
    found = rc.evaluate(labels, run, ["precision@1", of_user, of_all], NEUTRAL)
    assert dict(found) == {"precision@1": 1.0, of_user: 0.25, of_all: 0.5}
    labels["u0"] = ["a"]
    found = rc.evaluate(labels, run, [of_user, of_all], NEUTRAL)
    assert dict(found) == {of_user: pytest.approx((1 + 0.25 * (users - 1)) / users), of_all: 1.0}
    each = PREPARED_DATA_POLICIES[
        "two-hits-each"
    ]  # a better order can lead to it, and costs what it counts less than a value
    assert [each.may_fall(each.convention(setting)) for setting in ("0.5", "0", "as-computed")] == [True, False, False]


def test_one_user_with_a_relevant_label() -> None:
    """Who the others are, and how their labels came not to be relevant, is all one; nobody is not one."""
    labels: dict[str, dict[str, float]] = {"u": {"a": 1}, "v": {"a": 0}, "w": {}}
    spec, run = "recall(on-one-user-with-relevant=0.5, on-zero-division=0)@1", {"u": ["a"], "w": ["a"]}
    assert rc.evaluate(labels, run, spec, NEUTRAL)[spec] == 0.5
    assert rc.evaluate({**labels, "v": {"a": 2}}, run, spec, NEUTRAL)[spec] == 1 / 3
    assert rc.evaluate({**labels, "u": {}}, run, spec, NEUTRAL)[spec] == 0


TIED = {"u": {"a": 1.0, "b": 1.0, "c": 1.0}}  # three rows, all at the middle rank 2


@pytest.mark.parametrize(
    ("settings", "k", "expected"),
    [
        ("on-k-beyond-rankings=nan", 3, 1 / 3),
        ("on-k-beyond-rankings=nan", 4, nan),
        ("on-k-beyond-rankings=0.5", 4, 0.5),
        ("on-k-beyond-ranks=nan, order=score, ties=rank(average-floor)", 2, 1 / 2),
        ("on-k-beyond-ranks=nan, order=score, ties=rank(average-floor)", 3, nan),
        ("on-zero-highest-grades=0.25, relevant=any-label", 3, 1 / 3),
        ("on-zero-highest-grades=0.25, grades=integer", 3, 0.25),
    ],
)
def test_what_all_lists_together_are_answered(settings: str, k: int, expected: float) -> None:
    labels = {"u": {"a": 0.5 if "integer" in settings else 1}}
    spec = f"precision({settings})@{k}"
    assert rc.evaluate(labels, TIED, spec, NEUTRAL)[spec] == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize("beside", ["", ", unjudged=condensed-after-depth"])
@pytest.mark.parametrize(("grade", "expected"), [(0, 0.25), (1, 0.5)])
def test_the_highest_grade_of_a_user_without_labels_is_0(grade: int, expected: float, beside: str) -> None:
    spec = f"recall(on-zero-highest-grades=0.25, on-zero-division=0{beside})"
    result = rc.evaluate({"u": {"a": grade}}, {"u": ["a"], "v": ["b"]}, spec, NEUTRAL)
    assert result[spec] == expected


@pytest.mark.parametrize(("k", "expected"), [(1, 1), (2, nan)])
def test_the_ranks_of_users_without_a_relevant_label_may_not_count(k: int, expected: float) -> None:
    """u has one row, v two and no relevant label."""
    labels, run = {"u": {"a": 1}, "v": {"b": 0}}, {"u": ["a"], "v": ["b", "c"]}
    spec = f"hit_rate(on-k-beyond-ranks-with-relevant=nan, on-k-beyond-ranks=nan, on-no-relevant=skip)@{k}"
    assert rc.evaluate(labels, run, spec, NEUTRAL)[spec] == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize("policy", [policy for policy in PREPARED_DATA_POLICIES if policy.startswith("cutoff-beyond")])
@pytest.mark.parametrize("beside", ["", ", order=score, ties=rank(max)"])
@pytest.mark.parametrize(("rows", "k", "expected"), [({}, 1, 0.5), ({"a": 1.0}, 1, 1), ({"a": 1.0}, 2, 0.5)])
def test_any_cutoff_lies_beyond_empty_lists(
    policy: str, rows: dict[str, float], k: int, expected: float, beside: str
) -> None:
    """Whatever the list of a user who is not counted."""
    spec = f"recall({policy}=0.5, users=labelled{beside})@{k}"
    run = {"u": rows, "v": {"a": 3.0, "b": 2.0, "c": 1.0}}
    assert rc.evaluate({"u": ["a"]}, run, spec, NEUTRAL)[spec] == expected


@pytest.mark.parametrize("ties", ["given", "rank(max)"])
@pytest.mark.parametrize("unjudged", ["not-relevant", "condensed-after-depth"])
def test_a_relevant_label_without_a_list_has_no_rank(ties: str, unjudged: str) -> None:
    """v has rows, and no relevant label."""
    labels, run = {"u": {"a": 1}, "v": {"b": 0, "c": 0}}, {"u": {}, "v": {"b": 2.0, "c": 1.0}}
    spec = f"precision(on-k-beyond-ranks-with-relevant=0.5, order=score, ties={ties}, unjudged={unjudged})@1"
    assert rc.evaluate(labels, run, spec, NEUTRAL)[spec] == 0.5


def test_a_cutoff_beyond_all_lists_may_be_refused() -> None:
    with pytest.raises(
        rc.MetricError, match="no list is as long as k, and the preset says on-k-beyond-rankings=refuse-all"
    ):
        rc.evaluate({"u": ["a"]}, TIED, "precision(on-k-beyond-rankings=refuse-all)@4", NEUTRAL)


def test_the_sum_of_the_highest_grades_does_not_depend_on_the_order_of_users() -> None:
    grades = {"u": 1e16, "v": 1.0, "w": -1e16}
    spec = "precision(on-zero-highest-grades=0.5)@1"
    for order in (["u", "v", "w"], ["u", "w", "v"]):
        labels = {user: {"a": grades[user]} for user in order}
        assert rc.evaluate(labels, {user: ["a"] for user in order}, spec, NEUTRAL)[spec] == 2 / 3


@pytest.mark.parametrize(
    ("scores", "holds"),
    [
        ([2.0, 2.0, 2.0], True),
        ([2.0, 0.0, 2.0], True),
        ([0.0, 2.0, 2.0], False),  # the first one is 0, and 2 is neither it nor 0
        ([2.0, 1.0, 0.0], False),
        ([0.0, 0.0, 0.0], True),
        ([2.0, 2.0, 1.0], False),
        ([2.0], True),
    ],
)
@pytest.mark.parametrize("order", ["given", "score"])
def test_scores_equal_or_zero_are_those_of_the_whole_list_as_given(
    scores: list[float], holds: bool, order: str
) -> None:
    """A metric of the first rank alone, with users enough that lists in order are not prepared row by row."""
    run = {"u": list(zip("abc", scores, strict=False))} | {f"v{at}": [("a", 2.0), ("b", 1.0)] for at in range(60)}
    metric = f"precision(on-equal-or-zero-scores=0.25, order={order})@1"
    found = rc.evaluate({user: ["a"] for user in run}, run, metric, NEUTRAL, users=list(run))
    assert (found.state[metric][0] == "scored") != holds
    assert set(found.state[metric][1:]) == {"scored"}


def test_sums_beyond_the_largest_number_are_no_warning_where_a_policy_measures_again() -> None:
    """`on-undetermined` evaluates the lists with other labels: of two of 1e308 the sum has no number."""
    labels, run = {"u": {"a": 1e308, "b": 1e308}, "v": {"a": 1}}, {"u": ["x", "a", "b"], "v": ["a"]}
    spec = "ideal_dcg(on-undetermined=skip, discount=none)"
    found = rc.evaluate(labels, run, spec, NEUTRAL, on_error="collect")
    assert found.per_user[spec][1] == 1


def test_numpy_rounds_what_is_too_large_for_it_to_infinity_without_a_warning() -> None:
    values = np.array([1e308, 0.125])
    with np.errstate(over="ignore"):
        theirs = np.round(values, 2)
    assert rc.convention("round-user")("numpy(2)")(values=values).tolist() == theirs.tolist()
