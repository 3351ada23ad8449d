"""The order in which special cases are asked: as a preset states it, for one metric or for all."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankconv as rc
from rankconv.aggregation import POLICIES
from rankconv.metrics import METRICS
from tests.laws import examples

NEUTRAL = rc.preset("base").replace(name="neutral", metrics={name: {} for name in METRICS}, users="union")
LABELS = {"ann": {"a": 1}, "bob": {"b": 0}, "cem": {"c": 1, "d": 2}, "dan": {}, "eva": {"a": 1, "e": -1}}
RUN = {"ann": ["a", "b"], "bob": ["c"], "cem": ["c"], "dan": [], "eva": ["x", "x"], "fay": ["a"]}
JOINED = rc.join(LABELS, RUN)
# bob's list has fewer than 2 rows, and he has no relevant label
BOTH = "on-short-ranking=0.25, on-no-relevant=0.5"

SHOP = """
name: shop
title: A shop that looks at labels first
extends: base
aggregation:
  users: union
  on-short-ranking: 0.25
  on-no-relevant: 0.5
metrics:
  precision: {}
  recall: {policy-order: "in-order(on-no-relevant, on-short-ranking)"}
  average_precision: {policy-order: "in-order(on-no-relevant, on-short-ranking)"}
"""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    file = tmp_path / "shop.yaml"
    file.write_text(SHOP)
    return file


def fingerprint(spec: str) -> str:
    (definition,) = NEUTRAL.define(spec)
    return definition.fingerprint


def test_the_first_that_holds_decides(shop: Path) -> None:
    found = rc.evaluate(LABELS, RUN, ["precision@2", "recall@2", "average_precision@2"], shop, users=["bob"])
    assert dict(found) == {"precision@2": 0.25, "recall@2": 0.5, "average_precision@2": 0.5}
    assert found.state["recall@2"].tolist().count("on-no-relevant: 0.5") == 1
    assert found["precision@2"].counts["on-short-ranking: 0.25"] == 1


def test_it_is_inherited_and_may_be_taken_back(shop: Path) -> None:
    child = "name: child\ntitle: Its child\nextends: shop\nmetrics:\n  recall: {policy-order: default}\n"
    file = shop.with_name("child.yaml")
    file.write_text(child)
    assert rc.preset(shop).define("recall@2")[0].aggregation.policies[1:] == ["on-no-relevant", "on-short-ranking"]
    found = rc.evaluate(LABELS, RUN, ["recall@2", "average_precision@2"], file, users=["bob"])
    assert dict(found) == {"recall@2": 0.25, "average_precision@2": 0.5}


def test_a_preset_may_state_it_for_all(shop: Path) -> None:
    shop.write_text(
        SHOP.replace("users: union", "users: union\n  policy-order: in-order(on-no-relevant, on-short-ranking)")
    )
    assert rc.evaluate(LABELS, RUN, ["precision@2"], shop, users=["bob"])["precision@2"] == 0.5


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (
            "in-order(on-no-relevent, on-no-ranking)",
            r"'on-no-relevent' is not a policy for users\..* 'on-no-relevant'\?",
        ),
        ("in-order(on-no-ranking)", r"'in-order.*' is not a setting of 'policy-order': it needs at least 2 names"),
        (
            "in-order(on-no-ranking, on-no-ranking)",
            r"'in-order.*' is not a setting of 'policy-order': it names on-no-ranking twice",
        ),
        ("backwards", r"'backwards' is not a known setting of 'policy-order'\. Choose one of: default, in-order"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(shop: Path, said: str, message: str) -> None:
    shop.write_text(SHOP.replace("in-order(on-no-relevant, on-short-ranking)", said))
    with pytest.raises(rc.ConventionError, match=rf"shop\.yaml, line 11: {message}") as error:
        rc.preset(shop)
    assert "__" not in str(error.value)


def test_the_fingerprint_tells_orders_apart_that_can_matter() -> None:
    usual = fingerprint(f"precision({BOTH})@2")
    turned = fingerprint(f"precision({BOTH}, policy-order=in-order(on-no-relevant, on-short-ranking))@2")
    assert usual != turned
    for same in ("on-short-ranking, on-no-relevant", "on-no-ranking, on-empty-ranking", "on-no-labels, on-no-ranking"):
        assert fingerprint(f"precision({BOTH}, policy-order=in-order({same}))@2") == usual
    for like in (
        "on-no-relevant, on-no-labels, on-short-ranking",
        "on-no-relevant, on-no-ranking",
        "on-zero-division, on-no-relevant, on-short-ranking",
    ):
        assert fingerprint(f"precision({BOTH}, policy-order=in-order({like}))@2") == turned
    assert fingerprint("precision(policy-order=in-order(on-zero-division, on-no-ranking))@2") == fingerprint(
        "precision@2"
    )


def test_a_saved_result_keeps_its_fingerprint(tmp_path: Path) -> None:
    spec = f"precision(policy-order=in-order(on-no-relevant, on-no-labels, on-short-ranking), {BOTH})@2"
    rc.evaluate(LABELS, RUN, [spec], NEUTRAL).save(tmp_path / "result.json")
    found = rc.Result.load(tmp_path / "result.json")
    assert found[spec] == rc.evaluate(LABELS, RUN, [spec], NEUTRAL)[spec]


def test_it_is_told(shop: Path) -> None:
    (cited,) = rc.cite("recall@2", shop).cited
    first, second = ("no relevant label counts as 0.5", "fewer rows than 2 counts as 0.25")
    words = cited.paragraph.replace("fewer rows than k", "fewer rows than 2")
    assert words.index(first) < words.index(second)
    text = rc.explain(LABELS, RUN, "recall@2", user="bob", preset=shop).to_text()
    assert "on-no-relevant=0.5: the user has no relevant label" in text


def test_compare_and_why_find_it(shop: Path) -> None:
    other = "shop-usual"
    usual = rc.preset(shop).replace(name=other, policy_order="default")
    data = rc.join(LABELS, RUN)
    found = rc.why(data, "recall@2", a=rc.preset(shop), b=usual)
    assert [one.player.change for one in found.contributions] == [
        "policy-order: in-order(on-no-relevant, on-short-ranking) → default"
    ]
    # bob alone has both; of ann, bob, cem, dan, eva and fay four have a short list, of whom bob, dan, fay no relevant
    assert found.difference == pytest.approx(3 * (0.25 - 0.5) / 6, rel=1e-12)
    silent = rc.why(rc.join({"ann": LABELS["ann"]}, {"ann": RUN["ann"]}), "recall@2", a=rc.preset(shop), b=usual)
    assert (silent.difference, silent.contributions) == (0.0, [])


def test_identify_finds_it(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANKCONV_PRESETS", str(shop.parent))
    labels = {"ann": {"a": 1, "b": 1, "c": 1}, "bob": {"b": 0}}
    run = {"ann": ["a", "b", "x"], "bob": ["c"]}
    number = rc.evaluate(labels, run, "recall@2", "shop")["recall@2"]
    assert number == pytest.approx((2 / 3 + 0.5) / 2, rel=1e-15)
    found = rc.identify(labels, run, "recall@2", f"{number:.8f}")
    assert any("shop" in one for row in found.rows for one in row.presets), found.to_text()


# the law

CASES = [name for name in POLICIES if name != "on-too-few-rows"]


def _holding(spec: str) -> dict[str, list[bool]]:
    """For each case of whom it holds, asked of each case alone."""
    alone = [spec.format(f"{'duplicates=invalid, ' if case == 'on-invalid' else ''}{case}=7") for case in CASES]
    found = rc.evaluate(JOINED, alone, NEUTRAL, on_error="collect")
    return {
        case: [": 7" in state for state in found.state[one].tolist()] for case, one in zip(CASES, alone, strict=True)
    }


@settings(max_examples=examples.of(quick=20, ci=60), deadline=None)
@given(st.data())
def test_the_first_case_in_the_order_stated_that_holds_decides(data: st.DataObject) -> None:
    spec = data.draw(st.sampled_from(["precision({})@2", "recall({})@2", "average_precision({})", "ndcg({})@1"]))
    answered = data.draw(st.lists(st.sampled_from(CASES), unique=True, max_size=6))
    named = data.draw(st.lists(st.sampled_from(CASES), unique=True, min_size=2, max_size=6))
    told = ", ".join(f"{case}={10 + place}" for place, case in enumerate(answered))
    whole = spec.format(f"duplicates=invalid, policy-order=in-order({', '.join(named)}){', ' if told else ''}{told}")
    places = sorted(list(POLICIES).index(case) for case in named)
    order = list(POLICIES)
    for place, case in zip(places, named, strict=True):
        order[place] = case
    holding = _holding(spec)
    result = rc.evaluate(JOINED, whole, NEUTRAL, on_error="collect")
    plain = rc.evaluate(JOINED, spec.format("duplicates=each"), NEUTRAL)
    for place, (state, value) in enumerate(zip(result.state[whole], result.per_user[whole], strict=True)):
        cases = [case for case in order if case in (*answered, "on-invalid") and holding[case][place]]
        if cases and cases[0] not in answered:
            assert state == "on-invalid: refuse-user"
        elif cases:
            assert (state, value) == (f"{cases[0]}: {10 + answered.index(cases[0])}", 10 + answered.index(cases[0]))
        else:
            assert state == "scored"
            assert value == pytest.approx(plain.per_user[spec.format("duplicates=each")][place], nan_ok=True)
