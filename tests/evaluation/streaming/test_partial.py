"""Parts of the users put together: in every order and grouping one evaluation of all, bit for bit, in one form."""

import json
import pickle
import zlib
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankconv as rc
from rankconv import plugin
from rankconv.engine.user_sums import why_not_summed
from rankconv.evaluation.streaming.partial import FORM
from rankconv.metrics import METRICS
from rankconv.typing import Partial
from tests.laws import examples

FEW = ["mllib:ndcg@3", "trec_eval:map", "blog:map@3", "implicit:precision@3", "f1(aggregate=mean-of-parts)@3"]
FEW += [
    f"recall(aggregate={mean})@2"
    for mean in ("median(interpolated)", "minimum", "maximum", "geometric-mean(floor=0.1)")
]
Rows = dict[str, Any]


@cache
def all_definitions() -> list[rc.Definition]:
    """A definition of each metric of each preset."""
    found = []
    for preset in map(rc.preset, rc.list_presets(eras=True)):
        for name in preset.metrics:
            try:
                found += preset.define(name)
            except rc.MetricError:
                found += preset.define(f"{name}@3")
    return found


def part(labels: Rows, run: Rows, metrics: Any, **beside: Any) -> Partial:
    numbers = rc.Evaluator(metrics, per_user=False, repeated_users="unchecked", **beside)
    numbers.update(labels, run)
    return numbers.partial()


def parts_of(labels: Rows, run: Rows, cut: Sequence[Sequence[str]], metrics: Any, **beside: Any) -> list[Partial]:
    """A part for each of these groups of users."""
    sides = [[{u: rows[u] for u in users if u in rows} for rows in (labels, run)] for users in cut]
    return [part(*both, metrics, **beside) for both in sides]


def grown(parts: Sequence[Partial], random: Any) -> Partial:
    """All of them merged, in a random tree."""
    left = list(parts)
    while len(left) > 1:
        random.shuffle(left)
        few = random.randint(2, 3)
        left = [Partial.merged(left[:few]), *left[few:]]
    return left[0]


def told(result: rc.Result) -> dict[str, Any]:
    """What came out, without the users: bits of the mean, counts, causes of refusals."""
    return {
        spec: (float(one.mean).hex(), one.counts, [(why.policy, why.setting) for why in one.refusals])
        for spec, one in result.by_spec.items()
    }


@st.composite
def data(draw: Any) -> tuple[Rows, Rows, list[list[str]]]:
    """Labels, scored lists, and the users cut into groups; the first user has a label and a row."""
    users = [f"u{number}" for number in range(draw(st.integers(1, 9)))]
    items = st.integers(0, 9)
    labels = {u: draw(st.dictionaries(items, st.sampled_from([0, 1, 1, 2, 4]), max_size=4)) for u in users}
    scores = st.sampled_from([0.5, 0.25, 0.125, 3.0, 7.0])
    run = {u: list(draw(st.dictionaries(items, scores, max_size=5)).items()) for u in users}
    labels[users[0]], run[users[0]] = {1: 1, 2: 0}, [(1, 0.5), (3, 0.25)]
    for rows, one in ((labels, users[2:3]), (run, users[4:5])):
        for user in one:
            del rows[user]
    shuffled = draw(st.permutations(users))
    cuts = sorted(draw(st.sets(st.integers(1, max(1, len(users) - 1)), max_size=4)))
    return labels, run, [list(shuffled[a:b]) for a, b in zip([0, *cuts], [*cuts, len(users)], strict=True)]


@given(data(), st.randoms(use_true_random=False))
@settings(max_examples=examples.of(quick=1, ci=2))
def test_any_tree_of_parts_is_one_evaluation_for_all_presets(found: Any, random: Any) -> None:
    labels, run, cut = found
    definitions = [one for one in all_definitions() if not why_not_summed(one)]
    beside = {"catalogue": range(10), "train": {"u0": [1, 2, 3], "u1": [2, 1], "v": [1]}}
    beside |= {"propensities": {item: 1 / (item + 1) for item in range(10)}, "shown": {"u0": [3, 1], "u1": [2, 5]}}
    whole = rc.evaluate(labels, run, definitions, per_user=False, on_error="collect", **beside)
    labelled = sorted({item for rows in labels.values() for item in rows})
    parts = parts_of(labels, run, cut, definitions, **beside, labelled=labelled)
    merged = grown(parts, random)
    assert told(merged.compute(on_error="collect")) == told(whole)


@given(data(), st.randoms(use_true_random=False))
@settings(max_examples=examples.of(quick=2, ci=8))
def test_bytes_do_not_tell_how_parts_were_put_together(found: Any, random: Any) -> None:
    labels, run, cut = found
    parts = parts_of(labels, run, cut, FEW)
    sent = [Partial.from_bytes(one.to_bytes()) for one in parts]
    whole = part(labels, run, FEW)
    assert whole.to_bytes() == grown(parts, random).to_bytes() == grown(sent, random).to_bytes()
    nobody = rc.Evaluator(FEW, per_user=False, repeated_users="unchecked").partial()
    assert Partial.merged([nobody, whole]).to_bytes() == Partial.merged([whole, nobody]).to_bytes() == whole.to_bytes()
    assert told(whole.compute("collect")) == told(rc.evaluate(labels, run, FEW, on_error="collect"))


def test_all_definitions_of_presets_can_be_put_together() -> None:
    unknown = [one for one in all_definitions() if why_not_summed(one)]
    known = (
        lambda one: one.metric.name == "rank_statistic",
        lambda one: one.preparation.pools,
        lambda one: one.settings["aggregate"] == "sequential-mean",
        lambda one: one.settings["users"].startswith("first"),
        lambda one: one.metric.of_groups,
        lambda one: "item-group" in one.settings,
    )
    assert {any(holds(one) for holds in known) for one in unknown} == {True}


ALL_LISTS = [
    *(
        "coverage(coverage-of=any)@2",
        "items_shown@3",
        "gini@2",
        "gini(row-weight=geometric(patience=0.5))",
        "entropy@2",
    ),
    *("entropy(entropy-of=lists)", "personalisation@2", "personalisation(list-overlap=shared-of-k)", "elliot:gini@3"),
    *("coverage(coverage-of=in-catalogue)@2", "evidently:coverage@3", "coverage(on-no-hits-at-all=0)@3"),
    *("judged(judged-scope=collection)@2", "relevant_coverage@2"),
]


@given(data(), st.randoms(use_true_random=False), st.sampled_from(["text", "integer", "compound"]))
@settings(max_examples=examples.of(quick=2, ci=5))
def test_numbers_of_all_lists_are_made_of_counts(found: Any, random: Any, kind: str) -> None:
    labels, run, cut = found
    named = {"text": lambda one: f"i{one}", "integer": int, "compound": lambda one: ("i", one)}[kind]
    labels = {user: {named(item): grade / 4 for item, grade in rows.items()} for user, rows in labels.items()}
    run = {user: [(named(item), score) for item, score in rows] for user, rows in run.items()}
    catalogue = [named(one) for one in range(12)]
    beside = {"catalogue": catalogue, "train": {"u0": dict.fromkeys(catalogue[1:4], 1), "v": {catalogue[1]: 1}}}
    whole = rc.evaluate(labels, run, ALL_LISTS, on_error="collect", **beside)
    labelled = {item for rows in labels.values() for item in rows}
    parts = parts_of(labels, run, cut, ALL_LISTS, **beside, labelled=labelled)
    merged = grown([Partial.from_bytes(one.to_bytes()) for one in parts], random)
    assert told(merged.compute("collect")) == told(whole)
    assert merged.to_bytes() == part(labels, run, ALL_LISTS, **beside, labelled=labelled).to_bytes()


def test_parts_of_other_data_beside_are_refused() -> None:
    rows: tuple[Rows, Rows] = {"a": ["x"]}, {"a": ["x"]}
    parts = [part(*rows, "gini@2", catalogue=size) for size in (3, 4)]
    with pytest.raises(rc.InputError, match="catalogue: 3 and 4"):
        Partial.merged(parts)
    spec = "judged(judged-scope=collection)@1"
    with pytest.raises(rc.InputError, match="labelled= is"):
        Partial.merged([part(*rows, spec, labelled=items) for items in (["x"], ["x", "y"])])


def test_a_metric_of_all_lists_says_what_it_reads() -> None:
    class Longest(METRICS["items_shown"]):  # type: ignore[name-defined, misc]
        """How long is the longest list?"""

        name = "longest_of_parts"

        def of_lists(self, shown: Any) -> plugin.Ratio:
            return plugin.Ratio(np.array([float(shown.of.max(initial=0))]), np.ones(1))

    try:
        with pytest.raises(rc.MetricError, match="longest_of_parts does not say, by `counted_by`"):
            part({"a": ["x"]}, {"a": ["x"]}, "longest_of_parts(k-accepted=optional)")
    finally:
        del METRICS["longest_of_parts"]


def test_a_mean_that_a_function_makes_is_refused() -> None:
    mine = rc.metric("recall@3").replace(aggregate=lambda values: float(values[0]))
    with pytest.raises(rc.MetricError, match="reads the values of all users"):
        rc.Evaluator(mine, per_user=False, repeated_users="unchecked")


@pytest.mark.parametrize("cut", [[["a", "b", "c", "d"]], [["d"], ["b"], ["c"], ["a"]]])
def test_of_refused_users_the_least_id_is_named(cut: list[list[str]]) -> None:
    labels = {"d": ["x"], "c": ["x"], "b": ["x"], "a": ["x"]}
    run: Rows = {"d": [], "c": [], "b": [], "a": ["x"]}
    spec = "recall(on-empty-ranking=refuse-user)@2"
    merged = Partial.merged(parts_of(labels, run, cut, spec))
    assert [one.user for one in merged.compute("collect").errors[spec]] == ["b"]
    with pytest.raises(rc.MetricError, match="user 'b'"):
        merged.compute()


def test_ids_of_ties_are_numbers_in_all_parts_or_there_is_no_number() -> None:
    """Rows are tied in one part, and another part has the item that is no number."""
    spec = "rankconv:recall(order=score, ties=number-descending)@1"
    labels, run = {"u": {"1": 1}, "v": {"x": 1}}, {"u": [("1", 0.5), ("2", 0.5)], "v": [("x", 0.5), ("3", 0.25)]}
    whole = rc.evaluate(labels, run, spec, on_error="collect")
    merged = Partial.merged(parts_of(labels, run, [["u"], ["v"]], spec)).compute("collect")
    assert [one.why for one in merged.errors[spec]] == [one.why for one in whole.errors[spec]] != []


@pytest.mark.parametrize("users", [["a", "b"], [2, 10], [("a", 1), ("a", 2)]])
def test_users_are_named_again_after_bytes(users: list[Any]) -> None:
    labels, run = {user: ["x"] for user in users}, {user: [] for user in users}
    spec = "recall(on-empty-ranking=refuse-user)@2"
    each = [part({user: labels[user]}, {user: run[user]}, spec).to_bytes() for user in users]
    merged = Partial.merged(Partial.from_bytes(one) for one in each)
    assert [one.user for one in merged.compute("collect").errors[spec]] == [min(users)]
    assert merged.to_bytes() == part(labels, run, spec).to_bytes()


def test_no_user_in_common_is_an_error_in_the_end_alone() -> None:
    one, other = (part(*both, "recall") for both in (({"a": ["x"]}, {}), ({}, {"b": ["x"]})))
    with pytest.raises(rc.InputError, match=r"no user in common.*'a'.*'b'"):
        Partial.merged([one, other]).compute()
    assert Partial.merged([one, other, part({"c": ["x"]}, {"c": ["x"]}, "recall")]).users == 3


def test_parts_that_do_not_fit_are_refused() -> None:
    text, number = part({"a": ["x"]}, {"a": ["x"]}, "recall"), part({1: ["x"]}, {1: ["x"]}, "recall")
    with pytest.raises(rc.InputError, match="user ids that are integer and text"):
        Partial.merged([text, number])
    scored = part({"b": ["x"]}, {"b": [("x", 0.5)]}, "recall")
    with pytest.raises(rc.InputError, match="lists with scores"):
        Partial.merged([text, scored])
    with pytest.raises(rc.MetricError, match="other metrics: recall here, map there"):
        Partial.merged([text, part({"b": ["x"]}, {"b": ["x"]}, "map")])
    other = rc.Evaluator("recall", "blog", per_user=False, repeated_users="unchecked")
    with pytest.raises(rc.MetricError, match="recall: it is defined otherwise"):
        Partial.merged([text, other.partial()])
    with pytest.raises(rc.MetricError, match="no part to merge"):
        Partial.merged([])
    with pytest.raises(rc.MetricError, match="is not a Partial"):
        Partial.merged([b"x"])  # type: ignore[list-item]


def test_other_bytes_are_refused() -> None:
    good = part({"a": ["x"]}, {"a": ["x"]}, "recall").to_bytes()
    for bad, why in (
        (b"", "not a part of an evaluation"),
        (pickle.dumps(1), "not a part of an evaluation"),
        (good[:-3], "cut off or changed"),
        (good.replace(f"partial {FORM}".encode(), b"partial 9"), "form 9"),
    ):
        with pytest.raises(rc.InputError, match=why):
            Partial.from_bytes(bad)
    with pytest.raises(rc.InputError, match="those passed are map"):
        Partial.from_bytes(good, "map")
    with pytest.raises(rc.InputError, match="the part has the definition"):
        Partial.from_bytes(good, "recall", "blog")


@pytest.mark.parametrize("name", ["label_rows", "values", "tally", "number", "terms"])
def test_bytes_with_a_field_of_another_name_are_refused(name: str) -> None:
    """A name that is not known would be a number left out in silence."""
    good = part({"a": ["x"], "b": ["x"]}, {"a": ["x"], "b": ["y", "x"]}, "mrr").to_bytes()
    body = good.partition(b"\n")[2].replace(f'"{name}"'.encode(), b'"renamed"')
    assert body != good.partition(b"\n")[2]
    head = b"%s %d %08x\n" % (b"rankconv-partial", FORM, zlib.crc32(body))
    with pytest.raises(rc.InputError, match="not a part of an evaluation"):
        Partial.from_bytes(head + body)


def test_a_preset_without_a_name_here_is_passed() -> None:
    mine = rc.preset("mllib").replace(name="mine", metrics={"recall": {"on-no-relevant": "skip"}})
    numbers = rc.Evaluator("recall@2", mine, per_user=False, repeated_users="unchecked")
    numbers.update({"a": ["x"], "b": []}, {"a": ["y"], "b": ["x"]})
    sent = numbers.partial().to_bytes()
    with pytest.raises(rc.InputError, match="not known here"):
        Partial.from_bytes(sent)
    assert Partial.from_bytes(sent, "recall@2", mine).compute()["recall@2"] == 0


def test_a_pickle_of_a_preset_without_a_name_elsewhere_has_its_definitions() -> None:
    changed = (
        rc.preset("mllib").replace(ideal="retrieved-at-k"),
        rc.preset("mllib").replace(name="mine", gain="exponential"),
    )
    for preset in changed:
        numbers = rc.Evaluator("ndcg@2", preset, per_user=False, repeated_users="unchecked")
        numbers.update({"a": {"x": 2, "y": 1}}, {"a": ["y", "x"]})
        copied = pickle.loads(pickle.dumps(numbers.partial()))
        assert copied == numbers.partial()
        assert copied.compute()["ndcg@2"] == numbers.compute()["ndcg@2"]


def test_a_part_tells_what_it_holds() -> None:
    one = part({"a": ["x"]}, {"a": ["x"]}, "recall")
    assert repr(one) == "Partial(rankconv, 1 user; recall)"
    assert json.loads(one.to_bytes().partition(b"\n")[2])["numbers"][0]["metric"] == "recall"
    result = one.compute()
    assert (repr(result), result.to_dict()["users"]) == ("Result(rankconv, 1 user; recall: 1)", 1)
    with pytest.raises(rc.MetricError, match="ids of users are kept here"):
        rc.Evaluator("recall", per_user=False).partial()
    with pytest.raises(rc.MetricError, match="per_user=False"):
        rc.Evaluator("recall", repeated_users="unchecked")


def test_rows_without_names_are_numbered_on() -> None:
    numbers = rc.Evaluator("recall", per_user=False, repeated_users="unchecked")
    for labels, run in [([[1], [2]], [[1], [3]]), ([[4]], [[4]])]:
        numbers.update(labels, run)
    assert repr(numbers) == "Evaluator(rankconv, 3 users; recall)"
    assert numbers.compute()["recall"] == 2 / 3
