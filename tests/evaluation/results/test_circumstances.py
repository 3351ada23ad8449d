"""What a signature says of the data: digests of what the definition reads, and their comparison."""

import pickle
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import rankconv as rc
from rankconv.conventions.convention import CONVENTIONS
from rankconv.data.pieces import ARE_SPANS
from rankconv.evaluation.results.circumstances import signatures_page
from rankconv.evaluation.results.data_sums import NEEDS
from rankconv.evaluation.results.signature_comparison import compare_signatures
from rankconv.metrics.base import METRICS
from rankconv.presets.signature import stated_circumstances
from rankconv.rendering.pages.text import text

LABELS = {"ada": {"a": 1}, "bob": {"b": 2, "c": 1}}
RUN = {"ada": ["x", "a"], "bob": ["b", "y"]}
SIDES: dict[str, Any] = {
    "seen": {"ada": ["x"], "bob": ["y", "b"]},
    "train": {"ada": ["a", "b"], "eve": ["x", "c", "y"]},
    "catalogue": ["a", "b", "c", "x", "y"],
    "item_features": {item: [1.0, float(place)] for place, item in enumerate("abcxy")},
}
OTHER: dict[str, Any] = {
    "seen": {"ada": ["x"], "bob": ["y"]},
    "train": {"ada": ["a", "c"], "eve": ["x", "c", "y"]},
    "catalogue": ["a", "b", "c", "x", "y", "z"],
    "item_features": {item: [1.0, float(place)] for place, item in enumerate("abcyx")},
}
TURNED: dict[str, Any] = {
    "seen": {"bob": ["b", "y"], "ada": ["x"]},
    "train": {"eve": ["y", "x", "c"], "ada": ["b", "a"]},
    "catalogue": ["y", "x", "c", "b", "a"],
    "item_features": dict(reversed(SIDES["item_features"].items())),
}
READ = {
    "ndcg(exclude=seen)@5": {"seen"},
    "novelty@2": {"train"},
    "coverage@2": {"catalogue"},
    "diversity@2": {"features"},
    "ndcg@5": set[str](),
}
GIVEN = {"features": "item_features"}


def circumstances(spec: str, sides: dict[str, Any]) -> dict[str, str]:
    return stated_circumstances(rc.evaluate(LABELS, RUN, spec, **sides)[spec].signature)


PLAIN = {"users", "labels", "grades", "run", "digests", "preset", "rankconv"}


@pytest.mark.parametrize("spec", READ)
def test_a_signature_has_a_digest_of_what_the_definition_reads_and_of_no_more(spec: str) -> None:
    found = circumstances(spec, SIDES)
    assert found.keys() - PLAIN == READ[spec]
    assert circumstances(spec, TURNED) == found  # whatever the order
    for name in READ[spec]:
        given = GIVEN.get(name, name)
        changed = circumstances(spec, SIDES | {given: OTHER[given]})
        assert changed[name] != found[name]
        assert changed["labels"] == found["labels"]


def test_signatures_of_a_result() -> None:
    result = rc.evaluate(LABELS, RUN, ["ndcg@5", "mrr"])
    assert result.signatures == {spec: result[spec].signature for spec in ("ndcg@5", "mrr")}


def test_what_agrees_and_what_is_not_known() -> None:
    here = rc.evaluate(LABELS, RUN, "mrr")["mrr"].signature
    there = here.replace("users:2", "users:3").replace("|rankconv:", "|extra:1|rankconv:9")
    found = compare_signatures(there, here)
    assert {one.name: one.agrees for one in found.statements} == {
        "definition": "yes",
        "users": "no",
        "labels": "yes",
        "grades": "yes",
        "run": "yes",
        "digests": "yes",
        "preset": "yes",
        "extra": "unknown",
        "rankconv": "other version",
    }
    assert not found.ok
    assert compare_signatures(here, here).ok
    assert compare_signatures(here.replace("rankconv:", "rankconv:9"), here).ok


def verdicts(one: str, other: str) -> dict[str, str]:
    return {row.name: row.agrees for row in compare_signatures(one, other).statements if row.agrees != "yes"}


def test_settings_that_differ_are_named() -> None:
    one, other = (rc.evaluate(LABELS, RUN, spec)[spec].signature for spec in ("ndcg@5", "ndcg(gain=binary)@3"))
    assert verdicts(one, other) == {"definition": "no", "gain": "no"}


def test_scores_and_grades_that_no_definition_reads_may_differ() -> None:
    """As those of a matrix of 32 bits and of its decimal text do."""
    run = {"ada": {"x": 0.3, "a": 0.1}, "bob": {"b": 0.7, "y": 0.2}}
    labels = {user: {item: grade / 10 for item, grade in rows.items()} for user, rows in LABELS.items()}

    def narrow(data: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
        return {user: {item: float(np.float32(x)) for item, x in rows.items()} for user, rows in data.items()}

    differ: dict[str, tuple[bool, dict[str, str]]] = {
        "mrr": (True, {"grades": "not read", "scores": "not read"}),
        "ndcg@2": (False, {"grades": "no", "scores": "not read"}),
        "mrr(min-score=positive)": (False, {"grades": "not read", "scores": "no"}),
    }
    for spec, (ok, expected) in differ.items():
        data = (labels, run), (narrow(labels), narrow(run))
        one, other = (rc.evaluate(*sides, spec)[spec].signature for sides in data)
        assert verdicts(one, other) == expected
        assert compare_signatures(one, other).ok == ok


def test_data_that_were_not_read_or_not_digested_agree_with_nothing() -> None:
    without = rc.evaluate(LABELS, RUN, "mrr", digests=False)["mrr"].signature
    assert verdicts(without, without) == {"labels": "unknown", "run": "unknown"}
    assert not compare_signatures(without, without).ok
    scores = np.random.default_rng(0).random((600, 500))
    cut = rc.evaluate({user: [user % 7] for user in range(600)}, scores, "ndcg@3")["ndcg@3"].signature
    assert verdicts(cut, cut) == {"run": "unknown", "scores": "unknown", "ranks": "unknown"}
    old = "mrr||users:2|labels:b2221836|run:a98174fc|preset:rankconv|rankconv:1.0.0"
    assert verdicts(old, rc.evaluate(LABELS, RUN, "mrr")["mrr"].signature)["labels"] == "unknown"
    with pytest.raises(rc.MetricError, match="'mrr' is not a signature"):
        compare_signatures("mrr", without)


def test_an_order_is_stated_where_it_is_read_and_open() -> None:
    tied = {"ada": [("x", 1.0), ("a", 1.0)], "bob": [("b", 2.0), ("y", 1.0)]}
    turned = {user: rows[::-1] if user == "ada" else rows for user, rows in tied.items()}
    for spec, reads in (("mrr(order=score, ties=given)", True), ("mrr(order=score, ties=item-ascending)", False)):
        one, other = (rc.evaluate(LABELS, run, spec)[spec].signature for run in (tied, turned))
        assert ("order" in stated_circumstances(one)) == reads
        assert verdicts(one, other) == ({"order": "no"} if reads else {})
    falls = rc.evaluate(LABELS, {"ada": {"x": 2, "a": 1}, "bob": {"b": 2, "y": 1}}, "mrr(ties=given)")
    assert "order" not in stated_circumstances(falls["mrr(ties=given)"].signature)


def test_large_data_are_digested_while_they_are_evaluated(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are not held for it."""
    specs, train = ["mrr", "ndcg(ties=given)@2", "novelty@2"], SIDES["train"]
    small = rc.evaluate(LABELS, RUN, specs, train=train)
    monkeypatch.setattr("rankconv.evaluation.results.circumstances.HELD_ROWS", 1)
    large = rc.evaluate(LABELS, RUN, specs, train=train)
    assert vars(large.signed)["_joined"] is None
    assert small.signatures == large.signatures


def test_what_the_caller_changes_afterwards_changes_no_signature() -> None:
    labels, run, ids = {"ada": {"a": 1, "b": 2}}, np.array([[3, 1, 2]]), np.array([[1, 2, 9]])
    frame = pd.DataFrame({"user": ["ada"] * 3, "item": ["a", "b", "c"], "score": [1.0, 2.0, 3.0]})
    vectors = {item: [1.0, 2.0] for item in "abc"}

    def numbers() -> list[rc.typing.Number]:
        of_frame = rc.evaluate(labels, frame, "diversity@2", item_features=vectors)["diversity@2"]
        return [of_frame, rc.evaluate(ids, run, "mrr")["mrr"]]

    before, held = [one.signature for one in numbers()], numbers()
    labels["ada"]["a"], run[0, 0], ids[0, 0], vectors["a"][0] = 9, 7, 8, 5.0
    frame.loc[0, "score"] = 9.0
    assert [one.signature for one in held] == before
    assert [one.signature for one in numbers()] != before


def test_the_same_side_data_are_merged_and_others_refused() -> None:
    def part(user: str, train: Any) -> Any:
        evaluator = rc.Evaluator("novelty@2", train=train, per_user=False, repeated_users="unchecked")
        evaluator.update({user: ["a"]}, {user: ["a"]})
        return evaluator.partial()

    part("ada", SIDES["train"]).merge(part("bob", TURNED["train"]))
    with pytest.raises(rc.InputError, match=r"parts of the data do not fit each other \(other train=\)"):
        part("ada", SIDES["train"]).merge(part("bob", OTHER["train"]))


def test_items_that_any_user_has_a_label_for_are_digested() -> None:
    spec = "judged_share(judged-scope=collection)@2"
    here = stated_circumstances(rc.evaluate(LABELS, RUN, spec)[spec].signature)["labelled"]
    for labelled, same in (("cab", True), ("abcd", False)):
        evaluator = rc.Evaluator(spec, labelled=list(labelled))
        for user in LABELS:
            evaluator.update({user: LABELS[user]}, {user: RUN[user]})
        assert (stated_circumstances(evaluator.compute()[spec].signature)["labelled"] == here) == same


def test_code_that_declares_nothing_reads_all() -> None:
    """A function of a notebook has no name that lasts: signatures with it agree with nothing."""
    definition = rc.metric("ndcg@2").replace(aggregate=lambda values: float(values[0]))
    signature = next(iter(rc.evaluate(LABELS, RUN, definition).values())).signature
    stated = stated_circumstances(signature)
    assert "user-order" in stated
    assert stated["plugins"].endswith("@not-read")
    assert verdicts(signature, signature)["plugins"] == "unknown"


def test_a_number_without_values_of_users_has_a_signature() -> None:
    kept, left = (rc.evaluate(LABELS, RUN, "mrr", per_user=each)["mrr"].signature for each in (True, False))
    assert stated_circumstances(kept)["users"] == stated_circumstances(left)["users"] == "2"
    assert kept == left


def declared_needs() -> set[str]:
    """What any setting or any metric reads besides labels and lists."""
    settings = [kind.traits.needs for one in CONVENTIONS.values() for kind in one.setting_types.values()]
    return set[str]().union(*settings, *(metric.needs for metric in METRICS.values()))


GENRES = dict(zip("abcxy", ["jazz", "rock", "rock", "rock", "jazz"], strict=True))
GROUPS: dict[str, Any] = {"ada": {"g": {"a": 1}, "h": {"b": 1}}}
DIFFERENT: dict[str, tuple[str, tuple[Any, Any, dict[str, Any]], tuple[Any, Any, dict[str, Any]]]] = {
    "labels": ("mrr", (LABELS, RUN, {}), ({"ada": {"a": 1}, "bob": {"b": 2}}, RUN, {})),
    "run": ("mrr", (LABELS, RUN, {}), (LABELS, {"ada": ["a", "x"], "bob": ["b", "y"]}, {})),
    "scores": ("mrr(min-score=positive)", (LABELS, {"ada": {"a": 1}}, {}), (LABELS, {"ada": {"a": -1}}, {})),
    "labels in groups": (
        "alpha_ndcg@5",
        (GROUPS, {"ada": ["a", "b"]}, {}),
        ({"ada": {"g": {"a": 1, "b": 1}}}, {"ada": ["a", "b"]}, {}),
    ),
    "weights of groups": (
        "hit_rate(subtopics=separate, subtopic-weight=given)@5",
        (rc.Labels(GROUPS).with_group_weights({"ada": {"g": 0.5, "h": 0.5}}), {"ada": ["a", "b"]}, {}),
        (rc.Labels(GROUPS).with_group_weights({"ada": {"g": 0.9, "h": 0.1}}), {"ada": ["a", "b"]}, {}),
    ),
    "parents": (
        "ndcg(collapse=max)@5",
        ({"ada": {"d": 1}}, {"ada": {"p": 2, "q": 1}}, {"parents": {"p": "e", "q": "d"}}),
        ({"ada": {"d": 1}}, {"ada": {"p": 2, "q": 1}}, {"parents": {"p": "d", "q": "d"}}),
    ),
    "seen": ("ndcg(exclude=seen)@5", (LABELS, RUN, {"seen": SIDES["seen"]}), (LABELS, RUN, {"seen": OTHER["seen"]})),
    "catalogue": ("coverage@2", (LABELS, RUN, {"catalogue": 5}), (LABELS, RUN, {"catalogue": 6})),
    "the items of the catalogue": (
        "coverage(coverage-of=in-catalogue)@2",
        (LABELS, RUN, {"catalogue": SIDES["catalogue"]}),
        (LABELS, RUN, {"catalogue": [*SIDES["catalogue"], "z"]}),
    ),
    "train": ("novelty@2", (LABELS, RUN, {"train": SIDES["train"]}), (LABELS, RUN, {"train": OTHER["train"]})),
    "features": (
        "diversity@2",
        (LABELS, RUN, {"item_features": SIDES["item_features"]}),
        (LABELS, RUN, {"item_features": OTHER["item_features"]}),
    ),
    "propensities": (
        "precision(item-weight=inverse-propensity)@2",
        (LABELS, RUN, {"propensities": {"a": 0.5, "b": 0.25, "c": 1.0}}),
        (LABELS, RUN, {"propensities": {"a": 0.5, "b": 0.2, "c": 1.0}}),
    ),
    "shown": (
        "precision(item-weight=position)@2",
        (LABELS, RUN, {"shown": {"ada": ["x", "a"], "bob": ["b", "c"]}}),
        (LABELS, RUN, {"shown": {"ada": ["a", "x"], "bob": ["b", "c"]}}),
    ),
    "group_target": (
        "awrf(group-target=given)@2",
        (LABELS, RUN, {"item_features": GENRES, "group_target": {"jazz": 0.5, "rock": 0.5}}),
        (LABELS, RUN, {"item_features": GENRES, "group_target": {"jazz": 0.4, "rock": 0.6}}),
    ),
}
OF_THE_RUN = {"item ids that are numbers", "scores from 0 to 1", ARE_SPANS}
"""What is needed of labels and run, whose digests have it."""


def test_whatever_a_definition_can_read_is_in_its_signature() -> None:
    assert declared_needs() - OF_THE_RUN <= DIFFERENT.keys()
    assert DIFFERENT.keys() == {"labels", "run", "scores", *NEEDS}


@pytest.mark.parametrize("need", DIFFERENT)
def test_other_data_that_a_definition_reads_change_the_signature(need: str) -> None:
    spec, *both = DIFFERENT[need]
    one, other = (
        stated_circumstances(rc.evaluate(labels, run, spec, **sides)[spec].signature) for labels, run, sides in both
    )
    name = NEEDS.get(need, need)
    assert one[name] != other[name]


def test_data_that_were_not_given_have_no_digest() -> None:
    specs = ["ndcg(exclude=seen)@5", "ndcg(collapse=max)@5", "novelty@2", "coverage@2", "diversity@2"]
    for signature in rc.evaluate(LABELS, RUN, specs, on_error="collect").signatures.values():
        assert stated_circumstances(signature).keys() - {"ranks"} == PLAIN


def test_listed_users_are_named_by_a_digest_of_their_ids() -> None:
    """In any order and type, each once; other users have another digest, and nobody listed has none."""
    labels, run = {user: ["a"] for user in range(4)}, {user: ["a", "b"] for user in range(4)}

    def stated(users: list[Any] | None, text: bool = False) -> str:
        data = [{str(user) if text else user: rows for user, rows in side.items()} for side in (labels, run)]
        return stated_circumstances(rc.evaluate(*data, "mrr", users=users)["mrr"].signature).get("filter", "")

    assert stated([1, 2]) == stated([2, 1, 1]) == stated(["2", "1"], text=True) != ""
    assert stated([1, 3]) not in ("", stated([1, 2]))
    assert stated(None) == ""
    result = rc.evaluate(labels, run, "mrr", users=iter([1, 2]))
    assert f"filter:{stated([1, 2])}" in result.signatures["mrr"]
    assert pickle.loads(pickle.dumps(result["mrr"])).signature == result["mrr"].signature


def test_a_plugin_is_named_with_the_hash_of_its_file(tmp_path: Path) -> None:
    """Another file of the same name, and of the same setting, gives another signature."""
    file = tmp_path / "cubes.py"
    file.write_text(
        "import rankconv as rc\n"
        "@rc.convention('gain').setting('cube', rule='g^3', says='a grade gains its cube', tex='g^3')\n"
        "def _(grades):\n    return grades**3\n"
    )
    rc.load_plugin(file)
    number = rc.metric("ndcg(gain=cube)@3")(LABELS, RUN)
    expected = f"cubes@{sha256(file.read_bytes()).hexdigest()[:8]}"
    assert stated_circumstances(number.signature)["plugins"] == expected
    assert "plugins" not in stated_circumstances(rc.metric("ndcg@3")(LABELS, RUN).signature)
    assert rc.metric(number.signature) == rc.metric("ndcg(gain=cube)@3")


def test_a_comparison_signs_its_numbers_as_their_evaluations_do() -> None:
    runs = {"one": RUN, "other": {"ada": ["a"], "bob": ["c"]}}
    compared = rc.compare(LABELS, runs, ["ndcg@2", "map"], ["mllib", "trec_eval"], users=["ada", "bob"])
    alone = [
        signature
        for run in runs.values()
        for metric in ("ndcg@2", "map")
        for preset in ("mllib", "trec_eval")
        for signature in rc.evaluate(LABELS, run, metric, preset=preset, users=["ada", "bob"]).signatures.values()
    ]
    assert {*compared.signatures} == {*alone}
    assert pickle.loads(pickle.dumps(compared)).signatures == compared.signatures


def test_signatures_with_nothing_in_common_but_their_circumstances() -> None:
    page = signatures_page(["mrr|ties:given||preset:a", "map|ties:expected||preset:a"], whole=False)
    assert text(page).splitlines()[-1].strip() == "each: || preset:a"


def test_a_function_of_no_module_is_signed_as_code_that_nothing_names() -> None:
    names: dict[str, Any] = {}
    exec("def twice(grades): return 2.0 * grades", names)
    number = rc.metric("dcg@3").replace(gain=names["twice"])({"u": {"a": 1}}, {"u": ["a"]})
    assert "|plugins:no-module@not-read|" in number.signature
