"""Why two definitions differ: worked by hand, laws over presets, and what cannot be divided."""

import json
from fractions import Fraction
from typing import Annotated, Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import rankconv as rc
from rankconv import plugin
from rankconv.analysis.why import why as attributing
from rankconv.cli.five_users import LABELS, RUN
from rankconv.typing import Attribution
from tests.laws import examples
from tests.laws.test_laws import Data, data, together

TIED = {"u": {"a": 1}, "v": {"b": 1, "c": 1}}
TIED_RUN = {"u": [("a", 2.0), ("x", 2.0)], "v": [("y", 2.0), ("b", 1.0), ("c", 1.0)]}


def shares(found: Attribution) -> dict[str, float]:
    return {one.text: one.share for one in found.contributions}


def test_two_settings_by_hand() -> None:
    """MAP@3 of the five users: 1/2; with 0 for two of them 3/10; with the other divisor 5/18; with both 1/6."""
    found = rc.why(LABELS, RUN, "map@3", a="blog", b="mllib")
    first, both, users, divisor = Fraction(1, 2), Fraction(1, 6), Fraction(3, 10), Fraction(5, 18)
    assert shares(found) == pytest.approx(
        {
            "on-no-relevant=0": float(((users - first) + (both - divisor)) / 2),
            "ap-denominator=min(k, relevant)": float(((divisor - first) + (both - users)) / 2),
        }
    )
    assert found.counted == (3, 5)
    assert [one.text for one in found.no_effect] == ["grades=given"]


def test_the_two_presets_may_follow_the_metric_as_in_the_command() -> None:
    named = rc.why(LABELS, RUN, "map@3", a="blog", b="mllib")
    for found in (
        rc.why(LABELS, RUN, "map@3", "blog", "mllib"),
        rc.why(rc.join(LABELS, RUN), "map@3", "blog", "mllib"),
    ):
        assert found.to_dict() == named.to_dict()


def test_three_settings_by_hand() -> None:
    """One user with two labels, who may be halved by one without: precision@4 of `x, a, b`."""
    labels, run = {"u": {"a": 2, "b": 1}, "v": {"c": 0}}, {"u": ["x", "a", "b"], "v": ["c"]}
    other = "rankconv:precision(relevant=at-least(2), precision-denominator=min(k, length), on-no-relevant=0)@4"
    found = rc.why(labels, run, a="rankconv:precision@4", b=other)
    relevant, divisor, nobody = 0, 1, 2

    def number(turned: set[int]) -> float:
        hits = 1 if relevant in turned else 2
        return hits / (3 if divisor in turned else 4) / (2 if nobody in turned else 1)

    expected = []
    for player in range(3):
        others = {0, 1, 2} - {player}
        total = 2 * (number({player}) - number(set())) + 2 * (number({0, 1, 2}) - number(others))
        expected.append((total + sum(number({player, one}) - number({one}) for one in others)) / 6)
    names = ["relevant=at-least(2)", "precision-denominator=min(k, length)", "on-no-relevant=0"]
    assert shares(found) == pytest.approx(dict(zip(names, expected, strict=True)))
    assert (found.orders, found.possible) == (6, 6)


@settings(
    derandomize=True,
    deadline=None,
    max_examples=examples.of(quick=8, ci=25),
    suppress_health_check=[HealthCheck.filter_too_much],
)
@given(drawn=data(), metric=st.sampled_from(["ndcg@2", "map@2", "precision@3", "mrr", "auc", "f1@2"]), rest=st.data())
def test_shares_add_up_to_the_last_bit(drawn: Data, metric: str, rest: st.DataObject) -> None:
    joined = together(*drawn)
    names = [name for name in rc.list_presets(eras=True) if rc.preset(name).offers(metric)]
    ours, other = (rest.draw(st.sampled_from(names)) for _ in range(2))
    numbers = rc.compare(joined, metric, list(dict.fromkeys([ours, other])))
    assume(all(np.isfinite(numbers[metric, name]) for name in (ours, other)))
    found = rc.why(joined, metric, a=ours, b=other)
    exact = Fraction(numbers[metric, other]) - Fraction(numbers[metric, ours])
    assert sum(one.exact for one in found.contributions) == exact
    shown = [line.split()[-2] for line in found.to_text(digits=3).splitlines() if "█" in line or "▏" in line]
    printed = round(numbers[metric, other] * 1000) - round(numbers[metric, ours] * 1000)
    assert sum(round(float(one) * 1000) for one in shown) == printed or not found.contributions


def test_turned_round_the_shares_change_sign() -> None:
    there, back = (
        rc.why(LABELS, RUN, "ndcg@3", a=pair[0], b=pair[1]) for pair in (("blog", "mllib"), ("mllib", "blog"))
    )
    found = [{next(iter(one.player.turned)): one.exact for one in side.contributions} for side in (there, back)]
    assert found[0] == {convention_name: -share for convention_name, share in found[1].items()}


def test_a_tie_rule_comes_with_the_order_that_makes_it_matter() -> None:
    in_order = rc.preset("rankconv").replace(order="given")
    found = rc.why(TIED, TIED_RUN, "mrr", a=in_order, b="trec_eval")
    [one] = found.contributions
    assert one.player.changes == ["order: given → score", "ties: expected → item-descending"]


def test_parts_of_users_add_up_where_the_same_users_count() -> None:
    found = rc.why(TIED, TIED_RUN, "ndcg@2", a="rankconv", b="trec_eval")
    for one in found.contributions:
        assert one.user_shares.sum() == pytest.approx(one.share, abs=1e-15)
    [mover] = found.movers(found.contributions[0])
    assert (mover.user, mover.part) == ("u", pytest.approx(found.difference))


def test_who_is_left_out_takes_their_part_away() -> None:
    found = rc.why(LABELS, RUN, "precision@3", a="blog", b="mllib@2.1.3")
    [one] = found.contributions
    assert one.text == "on-no-relevant=0"
    assert [mover.user for mover in found.movers(one)] == [4, 5]


def test_another_strategy_is_one_setting() -> None:
    found = rc.why(TIED, TIED_RUN, "map@3", a="rankconv", b="elliot")
    assert "is" in {convention_name for one in found.contributions for convention_name in one.player.turned}


def define_metric(numbers: dict[tuple[str, str], float]) -> str:
    """A metric with these numbers by the settings of two conventions, old or new; NaN for others."""
    for convention_name in ("left", "right"):
        convention = plugin.Convention(convention_name, "One of two settings.", neutral="old")
        convention.setting("old", rule="old")(lambda: 0.0)
        convention.setting("new", rule="new")(lambda: 1.0)

    class OfTwo(plugin.Metric):
        """Compute a number that two settings decide."""

        name = "of_two"
        left: Annotated[str, rc.convention("left")]
        right: Annotated[str, rc.convention("right")]

        def per_user(self, block: plugin.Block) -> plugin.Ratio:
            return plugin.Ratio(np.full(block.size, numbers.get((self.left, self.right), np.nan)), np.ones(block.size))

    return "rankconv:of_two(on-zero-division=nan)"


def test_settings_that_have_a_number_only_together_are_one() -> None:
    first = define_metric({("old", "old"): 0.0, ("new", "new"): 1.0})
    other = "rankconv:of_two(left=new, right=new, on-no-relevant=0, on-zero-division=nan)"
    found = rc.why({"u": {"a": 1}, "v": {"b": 0}}, {"u": ["a"], "v": ["b"]}, a=first, b=other)
    assert [one.text for one in found.together] == ["left=new, right=new"]
    assert shares(found) == pytest.approx({"left=new, right=new": 0.75, "on-no-relevant=0": -0.25})
    assert "Changed together: left=new, right=new." in found.to_text()


def test_dropped_orders_are_told() -> None:
    first = define_metric({("old", "old"): 0.0, ("new", "old"): 1.0, ("new", "new"): 3.0})
    other = "rankconv:of_two(left=new, right=new, on-zero-division=nan)"
    found = rc.why({"u": {"a": 1}}, {"u": ["a"]}, a=first, b=other)
    assert shares(found) == {"left=new": 1.0, "right=new": 2.0}
    assert (
        "Shares are means over 1 of 2 orders. 1 orders were dropped, because a definition in between has no value."
        in (" ".join(found.to_text().split()))
    )


def test_the_same_definition_has_nothing_to_divide() -> None:
    found = rc.why(LABELS, RUN, "map@3", a="mllib", b="mllib")
    assert (found.contributions, found.difference) == ([], 0)
    assert "no difference" in found.to_text()


def test_of_many_settings_those_with_the_least_effects_are_changed_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """By hand: with two players the share of the largest is the mean of its effects before and after all others."""
    labels = {"ann": {"a": 3, "b": 1, "d": 2}, "bob": {"c": 0}, "eve": {"a": 1}}
    run = {"ann": ["x", "a", "b"], "bob": ["c"], "eve": ["b", "a"]}
    whole = rc.why(labels, run, "ndcg@3", a="mllib", b="blog")
    assert (len(whole.contributions) > 2, whole.together) == (True, [])
    monkeypatch.setattr(attributing, "MOST", 2)
    found = rc.why(labels, run, "ndcg@3", a="mllib", b="blog")
    [rest] = found.together
    assert (found.orders, len(found.contributions)) == (2, 2)
    assert sum(one.exact for one in found.contributions) == Fraction(found.second.mean) - Fraction(found.first.mean)
    [largest] = [one for one in found.contributions if one.text != rest.text]
    [(name, (_, setting))] = largest.player.turned.items()
    changed = {convention: after for convention, (_, after) in rest.turned.items()}
    first = found.ours.definition
    means = [
        first.replace(**{q.replace("-", "_"): a for q, a in settings.items()})(labels, run)
        for settings in ({name: setting}, changed)
    ]
    assert largest.share == pytest.approx((means[0] - found.first.mean + found.second.mean - means[1]) / 2)
    assert f"Changed together: {rest.text}." in found.to_text(None)


def test_large_data_is_measured_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = rc.why(LABELS, RUN, "ndcg@3", a="blog", b="mllib")
    monkeypatch.setattr("rankconv.analysis.why.mixtures.CELLS", 1)
    batched = rc.why(LABELS, RUN, "ndcg@3", a="blog", b="mllib")
    for one, other in zip(whole.contributions, batched.contributions, strict=True):
        assert one.exact == other.exact
        assert np.array_equal(one.user_shares, other.user_shares)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (
            ("map@3", "trec_eval", "mllib"),
            r"says on-no-ranking=refuse-all\. With on-no-ranking=as-computed, as mllib says,",
        ),
        (("map@3", "mllib", "trec_eval"), r"ask for 'trec_eval:map\(on-no-ranking=as-computed\)@3' in its place"),
        (("blog:map@3", "mllib", "blog"), "'blog:map@3' states its preset, and mllib is to be read with it"),
        (("map@3,5", "mllib", "blog"), "asks for 2 numbers"),
        ((None, "mllib", "blog"), "no metric is given for mllib"),
        (("map@3", "mllib", None), "two definitions are needed"),
        (("map@3", "mlib", "blog"), "'mlib' is not a preset"),
    ],
)
def test_mistakes(asked: tuple[Any, ...], said: str) -> None:
    with pytest.raises(rc.RankconvError, match=said):
        rc.why({"u": ["a"], "v": ["b"]}, {"u": ["a"]}, asked[0], a=asked[1], b=asked[2])


def test_several_runs_and_a_mean_that_is_nan() -> None:
    with pytest.raises(rc.InputError, match="several runs"):
        rc.why(LABELS, rc.Runs(a=RUN, b=RUN), "map@3", a="blog", b="mllib")
    with pytest.raises(rc.MetricError, match=r"user 4 counts as nan \(on-no-relevant: nan\).*With on-no-relevant=0"):
        rc.why(LABELS, RUN, a="mllib:precision(on-no-relevant=nan)@3", b="mllib:precision@3")


def test_forms() -> None:
    found = rc.why(LABELS, RUN, "map@3", a="blog", b="mllib")
    told = json.loads(json.dumps(found.to_dict()))
    assert told["difference"] == pytest.approx(-1 / 3)
    assert told["contributions"][0]["settings"] == {"ap-denominator": ["hits", "min(k, relevant)"]}
    assert "| blog " in found.to_markdown()
    assert r"\toprule" in found.to_latex()
