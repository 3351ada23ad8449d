"""Laws over the registry: every metric of every preset, on any data."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatch
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import rankconv as rc
from rankconv import plugin
from rankconv.aggregation import DATA_POLICIES, PREPARED_DATA_POLICIES, Aggregation
from rankconv.data.joined import Joined
from rankconv.engine import measure, plan
from rankconv.engine.metric_result import SCORED, Measured
from tests.laws import examples

Labels = dict[str, list[tuple[str, int]]]
Run = dict[str, list[tuple[str, float]]]
Data = tuple[Labels, Run]

ITEMS = ["1", "2", "3", "4", "9", "10", "11"]
"""Some presets order ids as numbers, others as text."""

SIDE_DATA: dict[str, Any] = {
    "catalogue": 40,
    "train": {"u0": ["1", "2"], "u1": ["2", "9", "77"], "u2": ["2"], "away": ["11", "10"]},
    "item_features": {item: [float(len(item)), float(place)] for place, item in enumerate(ITEMS)},
    "propensities": dict.fromkeys(ITEMS, 0.5),
}
"""For those who ask for more than labels and lists."""

lawful = settings(max_examples=examples.of(quick=1, ci=5), phases=[Phase.generate])
"""Shrinking an example takes minutes where each step evaluates every metric of every preset."""


@cache
def definitions(*cutoffs: int | None) -> Sequence[rc.Definition]:
    """Every metric of every preset at these cutoffs; None is the whole list."""
    return [one for name in rc.list_presets(eras=True) for one in _definitions(rc.preset(name), cutoffs)]


def _definitions(preset: rc.Preset, cutoffs: Sequence[int | None]) -> Iterator[rc.Definition]:
    for key in preset.metrics:
        for k in cutoffs:
            spec = key if k is None else f"{key}@{k}"
            if preset.offers(spec):
                yield from preset.define(spec)


@cache
def different() -> Sequence[rc.Definition]:
    """Those that differ in any setting."""
    return list({one.setting_sets: one for one in definitions(None, 2)}.values())


def covering(asked: Sequence[rc.Definition], *parts: Callable[[rc.Definition], Any]) -> list[rc.Definition]:
    """Those, in their order, that bring something new into any of these parts: each part as it occurs is there."""
    seen: set[tuple[int, Any]] = set()
    found = []
    for one in asked:
        own = {(place, part(one)) for place, part in enumerate(parts)}
        if not own <= seen:
            found.append(one)
        seen |= own
    return found


def preparation(one: rc.Definition) -> Any:
    return one.preparation


def metric(one: rc.Definition) -> Any:
    """With all its settings, with and without a cutoff."""
    return one.metric, one.k is None


def value(one: rc.Definition) -> Any:
    """What makes a user's value, but for special cases."""
    return one.preparation, one.metric, one.k


def aggregation(one: rc.Definition) -> Any:
    return tuple(one.aggregation.fields.items())


@cache
def parts() -> Sequence[rc.Definition]:
    """Enough definitions that every preparation, every metric with its settings and every aggregation occurs.

    For laws of the engine, which does not know what it combines; what a combination gives is held against systems.
    """
    return covering(different(), preparation, metric, aggregation)


@st.composite
def data(draw: st.DrawFn, repeats: bool = True) -> Data:
    """Some users: without labels, without a list, on one side only. Grades go from 0 to 3; scores are often tied."""
    items, grades, scores = st.sampled_from(ITEMS), st.integers(0, 3), st.sampled_from([2.0, 1.0, 0.5])
    labels: Labels = {}
    run: Run = {}
    for place in range(draw(st.integers(1, 8))):
        user, sides = f"u{place}", draw(st.sampled_from(["both", "both", "labels", "run"])) if place else "both"
        if sides != "run":
            labels[user] = [(item, draw(grades)) for item in draw(st.lists(items, unique=True, max_size=5))]
        if sides != "labels":
            run[user] = [(item, draw(scores)) for item in draw(st.lists(items, unique=not repeats, max_size=6))]
    return labels, run


def together(labels: Labels, run: Run) -> Joined:
    """Joined, with a catalogue, with training and with features for those who ask for them."""
    return rc.join(labels, run, **SIDE_DATA)


def bits(joined: Joined, one: Measured) -> tuple[str, dict[str, tuple[str, str]]]:
    """The mean, and each user's value and state, to the last bit."""
    users = zip(joined.users.values.tolist(), one.values.tolist(), one.states.tolist(), strict=True)
    names = one.state_names
    return float(one.mean).hex(), {user: (value.hex(), names[state]) for user, value, state in users}


def group_by_group(size: int) -> Any:
    """In place of `Joined.groups`: so many users at a time."""
    return lambda joined, users, rows, copied=False: (users[at : at + size] for at in range(0, len(users), size))


@lawful
@given(drawn=data(), random=st.randoms(), size=st.integers(1, 3))
def test_neither_the_order_of_users_nor_the_size_of_blocks_changes_a_bit(drawn: Data, random: Any, size: int) -> None:
    asked, joined = parts(), together(*drawn)
    shuffled = together(*({user: side[user] for user in random.sample(list(side), len(side))} for side in drawn))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Joined, "groups", group_by_group(size))
        in_blocks = measure(joined, asked, None)
    plain, in_disorder = measure(joined, asked, None), measure(shuffled, asked, None)
    for one, in_block, in_other_order in zip(plain, in_blocks, in_disorder, strict=True):
        own = bits(joined, one)
        assert own == bits(joined, in_block), one.definition.text
        assert own == bits(shuffled, in_other_order), one.definition.text


def falling(drawn: Data) -> Data:
    """The same lists, each item once, by falling score, three at least: most preparations leave them as they are."""
    labels, run = drawn
    lists = {user: list(dict.fromkeys(item for item, _ in ranked)) for user, ranked in run.items()}
    lists = {user: items + ["90", "91", "92"][len(items) :] for user, items in lists.items()}
    return labels, {user: [(item, 9.0 - place) for place, item in enumerate(items)] for user, items in lists.items()}


@lawful
@given(drawn=data(), left_alone=st.booleans())
def test_lists_that_preparation_leaves_alone_may_be_prepared_row_by_row(drawn: Data, left_alone: bool) -> None:
    asked, joined = parts(), together(*(falling(drawn) if left_alone else drawn))
    plain = measure(joined, asked, None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plan, "plain_users", lambda joined, *_: np.zeros(len(joined.users), bool))
        row_by_row = measure(joined, asked, None)
    for one, other in zip(plain, row_by_row, strict=True):
        assert bits(joined, one) == bits(joined, other), one.definition.text
        assert [refusal.why for refusal in one.refusals] == [refusal.why for refusal in other.refusals]


def own_judgments(metric: plugin.Metric) -> plugin.Metric:
    return type(metric).with_settings({**metric.fields, "judged_scope": "user"})


def of_users_alone(definition: rc.Definition) -> rc.Definition:
    """The same, without answers by which one user, or the data as a whole, takes the values of others."""
    if definition.metric.stated.get("judged-scope") == "collection":
        definition = replace(definition, metric=own_judgments(definition.metric))
    stated = definition.aggregation.fields
    told = {
        field: "refuse-user" if setting == "refuse-all" and field != "on_no_users" else setting
        for field, setting in stated.items()
    }
    told |= {policy.replace("-", "_"): "as-computed" for policy in (*DATA_POLICIES, *PREPARED_DATA_POLICIES)}
    told |= {"users": "union"} if stated["users"].startswith("first") else {}
    return replace(definition, aggregation=Aggregation.with_settings(told))


@cache
def different_alone() -> Sequence[rc.Definition]:
    """Those that still differ when nobody takes the values of others."""
    return list({one.setting_sets: one for one in map(of_users_alone, different())}.values())


@cache
def parts_alone() -> Sequence[rc.Definition]:
    """So many of them that every part is there."""
    return covering(different_alone(), preparation, metric, aggregation)


@settings(lawful, max_examples=examples.of(quick=1, ci=4))
@given(drawn=data(), random=st.randoms())
def test_a_users_value_does_not_depend_on_other_users(drawn: Data, random: Any) -> None:
    asked, joined = parts_alone(), together(*drawn)
    user = random.choice(joined.users.values.tolist())
    alone = together(*({user: side[user]} if user in side else {} for side in drawn))
    for one, own in zip(measure(joined, asked, None), measure(alone, asked, None), strict=True):
        if not any(refusal.policy == "needs" for refusal in one.refusals):  # as scores of others that are out of range
            assert bits(joined, one)[1][user] == bits(alone, own)[1][user], one.definition.text


# bounds

PASSES_1 = {
    "mllib-graded:ndcg": "the ideal list is made of the labels as given, not sorted",
    "recommenders-relevancy-none*:precision": "the list is not cut, and its hits are divided by k",
    "recommenders-relevancy-none*:map_at_k": "the list is not cut, and its precisions are divided by min(k, relevant)",
    "recommenders-relevancy-none*:ndcg": "the list is not cut, and the ideal list is",
    "lenskit@0.13:ndcg": "as recommenders-relevancy-none",
    "evidently*:precision": "tied rows share their middle rank, so more than k of them may stand at rank k or above",
    "evidently*:f1": "its precision, as above",
    "evidently*:ndcg": "tied rows share their middle rank, as above, and the ideal list has no ties",
    "truchon2007:rie": "it is so many times better than chance, which has 1",
    "autogluon:map": "precisions are multiplied by scores, which may be above 1",
    "rankereval-grades:ndcg_power": "a grade of 0 has a gain of -1, so an ideal DCG may be below 0",
    "napkinxc:psrecall_raw": "a hit weighs the inverse propensity of its item, which is 1 or more",
}
"""Metrics of the range 0 to 1 that leave it, though nothing is repeated and no grade is negative; and why."""


def excepted(definition: rc.Definition, exceptions: dict[str, str], suffix: str = "") -> bool:
    name = f"{definition.preset}:{definition.key}{suffix}"
    return any(fnmatch(name, pattern) for pattern in exceptions)


def bounded(*cutoffs: int | None) -> list[rc.Definition]:
    bounds = [one for one in definitions(*cutoffs) if one.metric.bounds == (0, 1) and one.metric.directed]
    return [one for one in bounds if one.aggregation.given("aggregate") != "variance"]


@lawful
@given(drawn=data(repeats=False).filter(lambda drawn: any(drawn[1].values())))
def test_values_stay_between_0_and_1(drawn: Data) -> None:
    asked = covering([one for one in bounded(None, 1, 3) if not excepted(one, PASSES_1)], value, aggregation)
    for one in measure(together(*drawn), asked, None):
        values = one.values[~np.isnan(one.values)]
        assert ((values >= 0) & (values <= 1 + 1e-15)).all(), one.definition.text


@pytest.mark.parametrize("pattern", PASSES_1)
def test_what_is_excepted_from_the_bounds_does_pass_1(pattern: str) -> None:
    labels = {"u": [("1", 1), ("2", 3), ("3", 3)], "v": [("1", 1)], "w": [("1", 0), ("2", 1)]}
    run = {"u": [("2", 1.0), ("3", 1.0)], "v": [("1", 2.0), ("2", 1.0)], "w": [("1", 2.0), ("2", 1.0)]}
    asked = [one for one in bounded(None, 1) if excepted(one, {pattern: ""})]
    found = measure(together(labels, run), asked, None)
    assert any(((one.values > 1) | (one.values < 0)).any() for one in found)


# perfect lists

BELOW_1 = {
    "mlmetrics:pr_auc": "the hits of the first threshold have no area",
    "caret:pr_auc": "as mlmetrics",
    "keras:*": "scores above 1 are cut there, and tied",
    "proc:auc_s*": "the area of a part of the curve is at most that part",
    "rocr:auc_fpr_stop": "as pROC",
    "*:precision": "without a cutoff divided by the length, and the list ends with items of grade 0",
    "*:precision_adaptive": "as precision",
    "*:jaccard": "as precision",
    "jurity:matching": "as precision",
    "*:set_P": "as precision",
    "*:set_map": "its precision, as above",
    "*:inferred_ap": "each class of the judged items above is taken for 0.00001 more than it is",
    "*:infAP": "as inferred_ap",
    "*:inferred_ap@R": "as over the whole list",
    "*:set_precision": "as precision",
    "*:f1": "its precision, as above",
    "mcfee2010:ndcg": "without a cutoff the ideal list has a hit at each rank, and the list ends with items of grade 0",
    "haystack@2.2.4:*": "1/rank of the hit whose label comes last",
    "mrr-all-hits:mrr*": "the mean of 1/rank over all hits, of which only the first has 1",
    "rexmex:mrr*": "as mrr-all-hits",
    "llama_index:mrr_granular*": "as mrr-all-hits",
    "llama_index@0.11.23:mrr_granular*": "as mrr-all-hits",
    "llama_index@0.11.23:ndcg": "the ideal list has a hit at each rank of the list",
    "ragas:map*": "the hits that divide are increased by 1e-10",
    "autorag:mrr*": "each relevant item is a group of its own, and one of them alone stands first",
    "autorag:map*": "as mrr",
    "torchrec*:gauc*": "its mean is smoothed",
    "fuxictr*:mrr*": "the sum of grades that divides is increased by 1e-12",
    "recommenders*:*@R": "items of grade 0 are relevant too, so there are more than R of them",
    "surprise*:*": "grades and scores below 3.5 are not relevant, and no recommendations",
    "truchon2007:rie*": "it is so many times better than chance, which has 1",
    "mllib-graded:recall@R": "items of grade 0 are relevant too",
    "trulens-judged*:recall@R": "items of grade 0 are relevant too",
    "music-post:recall@R": "items of grade 0 are relevant too",
    "music-post:f1@R": "its recall, as above",
    "faiss:precision_overall": "as precision",
    "torcheval*:precision_limited": "as precision",
    "torcheval*:mrr*": "as mrr-all-hits",
    "opensearch_search_relevance:precision@R": "a level that depends on the grades of the user",
    "rated_ranking_evaluator:*@R": "items of grade 0 are relevant too",
    "mlflow-judged:recall*@R": "items of grade 0 are relevant too",
    "mllib-graded:ndcg@R": "the ideal list is made of the labels as given, not sorted",
    "trectools:precision_judged": "as precision",
    "trectools:bpref*": "a list without a judged miss has 0",
    "rankereval-grades:ndcg_power*": "a grade of 1 gains nothing, so a list of it is 0/0",
    "napkinxc:*_f1": "its precision, as above",
    "rankereval:hit_rate*": "several relevant items make it NaN",
    "rankereval-grades:hit_rate*": "as rankereval",
    "napkinxc:recall": "it reads 5 rows",
    "napkinxc:recall_zero1": "as recall",
    "napkinxc:coverage": "as recall",
    "torch_rechub:recall": "it reads 5 rows",
    "torch_rechub:hit": "as recall",
    "autogluon:map*": "precisions are multiplied by scores",
    "pasa:recall_at*@R": "items of grade 0 are relevant too",
    "deep_searcher:recall@R": "items of grade 0 are relevant too",
    "napkinxc:psrecall_raw*": "a hit weighs the inverse propensity of its item",
}
"""Metrics that do not give a perfect list 1, over the whole list or at k = R (where `@R` is added); and why."""


OF_PAIRS = {"auc", "label_ranking_loss", "bpref", "pr_auc", "roc_range_auc"}
"""Metrics that may have no value, as where all rows are relevant or the list is short."""


@st.composite
def perfect(draw: st.DrawFn) -> Data:
    """One user, all of whose labels are returned by falling grade; at least one is relevant."""
    highest = draw(st.sampled_from([1, 3]))
    grades = [draw(st.integers(1, highest)), *draw(st.lists(st.integers(0, highest), max_size=5))]
    labels = draw(st.permutations(list(zip(ITEMS, grades, strict=False))))
    best_first = sorted(labels, key=lambda label: -label[1])
    return {"u": labels}, {"u": [(item, 9.0 - place) for place, (item, _) in enumerate(best_first)]}


@settings(lawful, max_examples=examples.of(quick=3, ci=8))
@given(drawn=perfect())
def test_a_perfect_list_has_1(drawn: Data) -> None:
    relevant = sum(grade > 0 for _, grade in drawn[0]["u"])
    for k, suffix in ((None, ""), (relevant, "@R")):
        asked = covering([one for one in bounded(k) if not excepted(one, BELOW_1, suffix)], value, aggregation)
        for one in measure(together(*drawn), asked, None):
            best = 0 if one.definition.lower_is_better else 1
            no_pair = np.isnan(one.values[0]) or one.states[0] != SCORED
            short = len(drawn[1]["u"]) < float(one.definition.aggregation.given("min-rows"))
            nothing = short or (one.definition.metric.name in OF_PAIRS and no_pair)
            assert one.refusals or nothing or one.mean == pytest.approx(best, rel=1e-12), one.definition.text


@pytest.mark.parametrize("pattern", BELOW_1)
def test_what_is_excepted_has_less_or_more_than_1(pattern: str) -> None:
    several = together({"u": [("3", 0), ("2", 2), ("1", 1)]}, {"u": [("2", 3.0), ("1", 2.0), ("3", 1.0)]})
    single = together({"u": [("1", 1)]}, {"u": [("1", 9.0)]})
    six = together(
        {"u": [(item, 1) for item in ITEMS[:6]]}, {"u": [(item, -float(n)) for n, item in enumerate(ITEMS[:6])]}
    )
    means = []
    for lists, relevant in ((several, 2), (single, 1), (six, 6)):
        asked = [(one, suffix) for k, suffix in ((None, ""), (relevant, "@R")) for one in bounded(k)]
        some = [one for one, suffix in asked if excepted(one, {pattern: ""}, suffix)]
        means += [one.mean for one in measure(lists, some, None)]
    assert any(mean != pytest.approx(1, rel=1e-13) for mean in means)


# better lists

others = st.lists(st.sampled_from("abcdef"), unique=True, max_size=6)


@settings(lawful, max_examples=examples.of(quick=20, ci=50))
@given(st.data(), others, st.integers(1, 3), st.sampled_from([None, 0]))
def test_a_relevant_item_that_moves_up_past_another_never_costs(
    drawn: st.DataObject, around: list[str], grade: int, other: int | None
) -> None:
    """Of the default preset: the item above has grade 0, or none."""
    labels = {item: drawn.draw(st.integers(0, 3)) for item in "bcdeg"} | {"hit": grade}
    if other is not None:
        labels["miss"] = other
    place = drawn.draw(st.integers(0, len(around)))
    worse, better = ([*around[:place], *pair, *around[place:]] for pair in (["miss", "hit"], ["hit", "miss"]))
    specs = [f"{metric}{at}" for metric in ("ndcg", "map", "mrr") for at in ("", "@1", "@2", "@4", "@9")]
    before, after = (rc.evaluate({"u": labels}, {"u": items}, specs) for items in (worse, better))
    for spec in specs:
        assert after[spec] >= before[spec] - 1e-15, spec
    assert after["ndcg"] > before["ndcg"]
    assert after["map"] > before["map"]
