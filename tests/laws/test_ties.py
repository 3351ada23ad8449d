"""Each metric of a preset under `ties=expected` has the mean over all orders, or its signature names another rule."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import groupby, permutations, product
from pathlib import Path
from random import Random

import numpy as np
import pytest

import rankconv as rc
from rankconv.data.arrays import Numbers
from rankconv.engine import measure
from rankconv.preparation.tie_draws import products_of_repeated
from rankconv.preparation.ties import TieEffect
from rankconv.presets.definition import with_changes
from tests.laws import examples

Rows = list[tuple[str, float]]
ITEMS = "abcdef"
TRAIN = {"t": ["a", "b", "c"], "s": ["a", "d", "e", "f"], "r": ["a", "b"]}
FEATURES = {item: [float(place % 2), place / 5, 1.0] for place, item in enumerate(ITEMS)}

REPLACED = {
    "interpolated_precision": "relevant-last-then-item",
    "eleven_point": "relevant-last-then-item",
    "ndcg_rel": "relevant-last-then-item",
    "g_measure": "relevant-last-then-item",
    "compat": "relevant-last-then-item",
    "nugget_recall": "relevant-last-then-item",
    "jaccard": "relevant-last-then-item",
    "inferred_ap": "relevant-last-then-item",
    "yaap": "relevant-last-then-item",
    "summed_over_table": "relevant-last-then-item",
    "mean_position": "relevant-last-then-item",
    "serendipity": "relevant-last-then-item",
    "rank_statistic": "relevant-last-then-item",
    "grade_tau": "relevant-last-then-item",
    "highest_gain": "relevant-last-then-item",
    "relevant_coverage": "relevant-last-then-item",
    "popularity": "item-ascending",
    "novelty": "item-ascending",
    "new_to_user": "item-ascending",
    "diversity": "item-ascending",
    "category_share": "item-ascending",
    "coverage": "item-ascending",
    "items_shown": "item-ascending",
    "gini": "item-ascending",
    "entropy": "item-ascending",
    "personalisation": "item-ascending",
    "group_share": "item-ascending",
    "group_fairness": "relevant-last-then-item",
    "awrf": "relevant-last-then-item",
    "fair_ndcg": "relevant-last-then-item",
    "expected_exposure": "relevant-last-then-item",
    "item_exposure": "relevant-last-then-item",
}
"""The metrics whose expected value is not computed, with the rule that replaces it; `mean_position` with a cutoff."""
MOST = 13
"""So many metrics at most of one user's labels and list alone, of the forms with one cutoff."""


@cache
def forms(k: int | None) -> Sequence[rc.Definition]:
    """The metrics of all presets under which tied rows count by expected values, at a cutoff; different ones."""
    found: dict[object, rc.Definition] = {}
    for name in rc.list_presets(eras=True, collections=True):
        for key in rc.preset(str(name)).metrics:
            try:
                one = rc.metric(f"{name}:{key}" + ("" if k is None else f"@{k}"))
            except rc.MetricError:
                continue
            if one.preparation.tie_rule is TieEffect.EXPECTED:
                found.setdefault(one.setting_sets, one)
    return list(found.values())


def replaced(one: rc.Definition) -> bool:
    return not one.expectation.known


def signed_rule(one: rc.Definition) -> str:
    """The tie rule that its signature names."""
    settings = dict(pair.split(":", 1) for pair in one.signature.split("|")[1:])
    return settings.get("ties", "")


def of_lists(labels: dict[str, dict[str, float]], lists: Sequence[Rows], asked: Sequence[rc.Definition]) -> Numbers:
    """The value of each list under each definition, shape (definitions, lists); labels come in groups where needed."""
    users, found = {f"v{place}": rows for place, rows in enumerate(lists)}, np.empty((len(asked), len(lists)))
    flat = {item: grade for group in labels.values() for item, grade in group.items()}
    for grouped in (False, True):
        some = [place for place, one in enumerate(asked) if ("labels in groups" in one.needs) == grouped]
        joined = rc.join(
            dict.fromkeys(users, labels if grouped else flat),
            users,
            train=TRAIN,
            item_features=FEATURES,
            catalogue=12,
        )
        at = [joined.users.code_of[user] for user in users]
        for place, one in zip(some, measure(joined, [asked[place] for place in some], None), strict=True):
            found[place] = one.values[at]
    return found


def orders(rows: Rows) -> Iterator[Rows]:
    ties = [list(tie) for _, tie in groupby(rows, key=lambda row: row[1])]
    return ([row for part in parts for row in part] for parts in product(*map(permutations, ties)))


def drawn(random: Random, repeats: bool) -> tuple[dict[str, dict[str, float]], Rows]:
    """Labels in two groups, and a list with ties of at most four rows, which may hold an item more than once."""
    sizes = random.choice([[4], [1, 3], [3, 1], [2, 3], [1, 4, 1]])
    count = sum(sizes)
    items = [random.choice(ITEMS[:3]) for _ in range(count)] if repeats else random.sample(ITEMS, count)
    scores = np.repeat([2.5, 1.25, 0.5][: len(sizes)], sizes).tolist()
    grades = [0, 1, 1, 2]
    groups = {group: {i: random.choice(grades) for i in random.sample(ITEMS, 3)} for group in "gh"}
    shared = {item: grade for group in groups.values() for item, grade in group.items()}
    labels = {group: {item: float(shared[item]) for item in members} for group, members in groups.items()}
    return labels, list(zip(items, scores, strict=True))


@pytest.mark.parametrize("repeats", [False, True])
@pytest.mark.parametrize("k", [None, 1, 2, 3])
def test_a_value_is_the_mean_over_all_orders_or_the_signature_names_another_rule(k: int | None, repeats: bool) -> None:
    of_users = [one for one in forms(k) if not one.pools]
    random = Random(k or 0)
    for _ in range(examples.of(quick=3, ci=10, long=200)):
        labels, rows = drawn(random, repeats)
        found = of_lists(labels, [rows], of_users)[:, 0]
        given = [with_changes(one, {"order": "given", "ties": "given"}) for one in of_users]
        each = of_lists(labels, [*orders(rows)], [one for one in given if one is not None])
        stated = [with_changes(one, {"ties": signed_rule(one) or "expected"}) for one in of_users]
        done = of_lists(labels, [rows], [one for one in stated if one is not None])[:, 0]
        for one, value, of_orders, of_rule in zip(of_users, found, each, done, strict=True):
            if replaced(one):
                assert signed_rule(one) not in ("expected", ""), one.text
                assert value == pytest.approx(of_rule, rel=1e-12, nan_ok=True), one.text
            elif not np.isnan(of_orders).any():
                assert value == pytest.approx(of_orders.mean(), rel=1e-12, abs=1e-12), (one.text, rows, labels)
            else:
                assert np.isnan(of_orders).all() == np.isnan(value), one.text


def test_the_metrics_without_an_expected_value_are_these_each_with_its_reason() -> None:
    named = {one.metric.name: signed_rule(one) for k in (None, 3) for one in forms(k) if replaced(one)}
    assert named == REPLACED
    for k in (None, 3):
        for one in forms(k):
            assert (
                not (replaced(one) and one.metric.reads_labels) or one.metric.why_no_expectation in one.notes()["ties"]
            )
            assert not replaced(one) or not one.metric.reads_labels or one.metric.why_no_expectation
    for k in (None, 3):
        alone = {one.metric.name for one in forms(k) if not one.needs and not one.pools and replaced(one)}
        assert len(alone) <= MOST, alone


def test_the_page_lists_the_metrics_without_an_expected_value() -> None:
    page = (Path(__file__).parents[2] / "docs/how-to/preparation-steps.md").read_text("utf-8")
    section = page.partition("These have no expected value")[2].partition("\n## ")[0]
    for name, rule in REPLACED.items():
        line = next(line for line in section.splitlines() if f"`{name}`" in line)
        assert f"`{rule}`" in line, line
    reasons = {one.metric.name: one.metric.why_no_expectation for k in (None, 3) for one in forms(k) if replaced(one)}
    assert [why for why in reasons.values() if why not in section] == []


@pytest.mark.parametrize("k", [None, 3])
def test_a_signature_gives_the_definition_with_the_same_signature_and_number(k: int | None) -> None:
    some = [one for one in forms(k) if not one.pools]
    again = [rc.metric(one.signature) for one in some]
    assert [one.signature for one in again] == [one.signature for one in some]
    assert [one.fingerprint for one in again] == [one.fingerprint for one in some]
    labels, rows = drawn(Random(5), repeats=False)
    np.testing.assert_array_equal(of_lists(labels, [rows], again), of_lists(labels, [rows], some))


LABELS, RUN = {"u": {"b": 1, "d": 2}}, {"u": [("a", 3.0), ("b", 2.0), ("c", 2.0), ("d", 2.0), ("e", 1.0)]}


def test_a_note_names_the_rule_where_rows_are_tied() -> None:
    notes = rc.evaluate(LABELS, RUN, ["yaap@3", "ndcg@3", "err@3"]).notes
    assert [note for note in notes if "ties=" in note] == [
        "Rows of equal score: ties=relevant-last-then-item in place of their expected value, which is not computed for "
        "yaap@3."
    ]
    untied = {"u": [(item, -place) for place, (item, _) in enumerate(RUN["u"])]}
    assert not any("ties=" in note for note in rc.evaluate(LABELS, untied, ["yaap@3"]).notes)


def test_why_turns_the_rule_that_is_applied_as_a_setting_of_its_own() -> None:
    """0.5 replaces 0 of the worst order; without the policy the expected value is 2/3 of a hit at rank 2 of 2."""
    found = rc.why(LABELS, RUN, a=rc.metric("precision(on-no-hits=0.5)@2"), b=rc.metric("precision@2"))
    assert {one.player.change for one in found.contributions} == {
        "on-no-hits: 0.5 → as-computed",
        "ties: relevant-last-then-item → expected",
    }
    assert (found.first.mean, found.second.mean) == pytest.approx((0.5, 1 / 3))


@pytest.mark.parametrize(
    ("spec", "value"),
    [
        ("err@2", Fraction(2, 3) / 2),  # b, c, d at rank 2: a hit with 2/3
        ("err@3", Fraction(2, 3) / 2 + Fraction(1, 3) / 3),  # c at rank 2 with 1/3, then a hit at rank 3
        ("precision(precision-denominator=hits)@2", Fraction(2, 3)),  # 1 with a hit, else 0
        ("f1(precision-denominator=hits)@3", Fraction(2, 3) * Fraction(2, 3) + Fraction(1, 3)),  # one hit of two: 2/3
        ("set_map@3", (Fraction(2, 3) * 1 + Fraction(1, 3) * 4) / 6),
        ("coverage_error@3", Fraction(2, 3) * 3 + Fraction(1, 3) * 2),
        ("first_rank@3", Fraction(2, 3) * 2 + Fraction(1, 3) * 3),
    ],
)
def test_values_worked_out_by_hand(spec: str, value: Fraction) -> None:
    assert rc.evaluate(LABELS, RUN, spec)[spec] == pytest.approx(float(value), rel=1e-12)
    assert float(rc.explain(LABELS, RUN, spec, user="u").value) == pytest.approx(float(value), rel=1e-12)


def test_products_of_repeated_items_are_means_over_their_orders() -> None:
    """Of an item with two rows the one that comes first has the factor, the other 1."""
    items, rows = [(2, Fraction(1, 3)), (1, Fraction(1, 2)), (1, Fraction(1))], [0, 0, 1, 2]
    every = [*permutations(rows)]
    for count, mean in enumerate(products_of_repeated(items)):
        of_orders = [np.prod([float(items[item][1]) for item in {*order[:count]}]) for order in every]
        assert float(mean) == pytest.approx(np.mean(of_orders))
