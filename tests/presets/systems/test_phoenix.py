"""Unjudged rows: whose list has one, and whose value a judgment of one could change."""

from dataclasses import dataclass
from itertools import product

import numpy as np
import pytest

import rankconv as rc
from rankconv.metrics import METRICS

NEUTRAL = rc.preset("base").replace(name="neutral", metrics={name: {} for name in METRICS}, users="union")
GRADES = (0, 1, 2, 3, 5)
Labels = dict[str, dict[str, float]]


def undecided(spec: str, labels: Labels, run: dict[str, list[str]], preset: rc.Preset = NEUTRAL) -> dict[str, bool]:
    """For each user whether the policy holds for them."""
    return all_undecided([spec], labels, run, preset)[0]


def all_undecided(
    specs: list[str], labels: Labels, run: dict[str, list[str]], preset: rc.Preset
) -> list[dict[str, bool]]:
    asked = [f"{name}(on-undetermined=7){at}{k}" for name, at, k in (spec.partition("@") for spec in specs)]
    found = rc.evaluate(labels, run, asked, preset, on_error="collect")
    users = found.users.tolist()
    return [
        {user: "on-undetermined" in state for user, state in zip(users, found.state[spec].tolist(), strict=True)}
        for spec in asked
    ]


def test_precision_hangs_on_the_rows_down_to_k() -> None:
    run = {"u": ["a", "x"], "v": ["x", "a"]}
    labels: Labels = {"u": {"a": 1}, "v": {"a": 1}}
    assert undecided("precision@1", labels, run) == {"u": False, "v": True}
    assert undecided("precision@2", labels, run) == {"u": True, "v": True}


def test_a_hit_makes_the_rest_irrelevant() -> None:
    run = {"u": ["x", "a"], "v": ["x", "b"], "w": ["b", "b"]}
    labels: Labels = {user: {"a": 1, "b": 0} for user in run}
    assert undecided("hit_rate", labels, run) == {"u": False, "v": True, "w": False}
    # x at the first place could be the first hit
    assert undecided("reciprocal_rank", labels, run) == {"u": True, "v": True, "w": False}


def test_the_ideal_list_knows_the_rows_below_k() -> None:
    labels: Labels = {"u": {"a": 1}}
    assert undecided("ndcg@1", labels, {"u": ["a", "x"]}, NEUTRAL.replace(labels_used="aligned-arrays")) == {"u": True}
    assert undecided("ndcg@1", labels, {"u": ["a"]}, NEUTRAL.replace(labels_used="aligned-arrays")) == {"u": False}


def test_what_is_not_possible_is_not_tried() -> None:
    """With grades 0 and 1 the best list stays the best; a grade of 2 would stand below 1 in it."""
    labels: Labels = {"u": {"a": 1}}
    of_rows = NEUTRAL.replace(labels_used="aligned-arrays")
    assert undecided("ndcg", labels, {"u": ["a", "x"]}, of_rows) == {"u": True}
    assert undecided("ndcg", labels, {"u": ["a", "x"]}, of_rows.replace(grades_allowed="binary")) == {"u": False}


def test_grades_of_other_users_are_not_tried() -> None:
    """Found by a nightly law: the value was 3 where another user had a grade of 9."""
    labels, run = {"u": {"a": 1, "b": 1, "c": 1}}, {"u": [("a", -9.0), ("x", 5.0), ("y", 3.0), ("z", 9.0)]}
    spec = "ann_benchmarks:knn(on-undetermined=numerator)@3"
    alone = rc.evaluate(labels, run, spec).per_user[spec]
    beside = rc.evaluate(labels | {"v": {"q": 9}}, run | {"v": [("q", 1.0)]}, spec).per_user[spec]
    assert alone[0] == beside[0]


def test_rows_that_were_filled_in_are_no_unjudged_items() -> None:
    labels: Labels = {"u": {"a": 1}}
    spec = "precision(candidates=padded, on-unjudged=nan, on-undetermined=nan)@3"
    assert rc.evaluate(labels, {"u": ["a"]}, spec, NEUTRAL)[spec] == pytest.approx(1 / 3)


@pytest.mark.parametrize("rows", [2, 60])
def test_unjudged_rows_are_seen_below_the_cutoff(rows: int) -> None:
    run = {f"u{user}": ["a", "b", "x" if user == 1 else "c"] for user in range(rows)}
    labels: Labels = {user: {"a": 1, "b": -1, "c": 0} for user in run}
    for setting, states in (("", 1), (", negative=unjudged", rows), (", negative=in-pool", rows)):
        spec = f"precision(on-unjudged=skip{setting})@1"
        found = rc.evaluate(labels, run, spec, NEUTRAL)
        assert found[spec].counts.get("on-unjudged: skip") == states
    spec = "precision(on-unjudged=skip, unjudged=condensed-before-depth)@1"
    assert rc.evaluate(labels, run, spec, NEUTRAL)[spec].counts == {"scored": rows}


# the law: every judgment is written into the labels, as those of a user of their own


@dataclass
class Drawn:
    """Lists with unjudged items; each once as it is, and once for every way to judge these items."""

    labels: Labels
    run: dict[str, list[str]]
    judged: dict[str, list[str]]
    """By user of a list as it is, the users under every judgment of its items."""


def drawn() -> Drawn:
    draw, found = np.random.default_rng(7), Drawn({}, {}, {})
    for number in range(25):
        user, items = f"u{number}", [str(item) for item in draw.permutation(list("abxyz"))[: draw.integers(1, 5)]]
        own = {item: float(draw.choice([0, 1, 2])) for item in "abc"}
        unjudged = [item for item in items if item not in own]
        ways = [dict(zip(unjudged, grades, strict=True)) for grades in product(GRADES, repeat=len(unjudged))]
        found.labels |= {user: own} | {f"{user}-{way}": {**own, **more} for way, more in enumerate(ways)}
        found.judged[user] = [f"{user}-{way}" for way in range(len(ways))]
        found.run |= dict.fromkeys([user, *found.judged[user]], items)
    return found


def specs() -> list[str]:
    """Every metric that needs labels and lists alone, without a cutoff and at 2."""
    named = [name for name, metric in METRICS.items() if not NEUTRAL.definition(name).needs and not metric.of_all_lists]
    return [f"{name}{k}" for name in named for k in ("", "@2") if NEUTRAL.offers(f"{name}{k}")]


@pytest.mark.parametrize("known", ["aligned-arrays", "all"])
def test_a_value_is_known_if_it_is_that_of_every_judgment(known: str) -> None:
    cases, asked, preset = drawn(), specs(), NEUTRAL.replace(labels_used=known)
    found = rc.evaluate(cases.labels, cases.run, asked, preset)
    plain = ({user: of[user] for user in cases.judged} for of in (cases.labels, cases.run))
    for spec, holds in zip(asked, all_undecided(asked, *plain, preset), strict=True):
        values = dict(zip(found.users.tolist(), found.per_user[spec].tolist(), strict=True))
        for user, ways in cases.judged.items():
            same = all(values[way] == pytest.approx(values[user], rel=1e-9, abs=1e-12, nan_ok=True) for way in ways)
            assert holds[user] == (not same), (spec, cases.run[user], cases.labels[user])


def test_what_a_judgment_could_change_is_seen_whatever_else_is_asked() -> None:
    """Definitions that prepare these data alike share them; what is judged anew each prepares in its own way.

    Of all lists both labels are found, and no judgment of another item changes that; of lists that were cut it would.
    """
    users = [f"u{number}" for number in range(30)]
    labels, run = {user: ["a", "b"] for user in users}, {user: ["x", "a", "y", "z", "b"] for user in users}
    asked = "recommenders-relevancy-none@1.1.1:recall(on-undetermined=7)@3"
    other = "trulens-judged:mrr(max-depth=cutoff)"
    for specs in ([asked], [other, asked], [asked, other]):
        assert rc.evaluate(labels, run, specs).per_user[asked].tolist() == [1.0] * len(users)
