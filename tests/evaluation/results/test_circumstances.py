"""What a signature says of the data: digests of what the definition reads, and their comparison."""

import pickle
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import rankconv as rc
from rankconv.conventions.convention import CONVENTIONS
from rankconv.evaluation.results.circumstances import DIGESTS, agreement
from rankconv.metrics.base import METRICS
from rankconv.presets.signature import stated_circumstances

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


@pytest.mark.parametrize("spec", READ)
def test_a_signature_has_a_digest_of_what_the_definition_reads_and_of_no_more(spec: str) -> None:
    plain = {"users", "labels", "run", "preset", "rankconv"}
    found = circumstances(spec, SIDES)
    assert found.keys() - plain == READ[spec]
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
    there = here.replace("users:2", "users:3").replace("|rankconv:", "|extra:1|rankconv:")
    agrees = {row[0]: row[-1] for row in agreement(there, here).rows}
    assert agrees == {
        "users": "no",
        "labels": "yes",
        "run": "yes",
        "preset": "yes",
        "rankconv": "yes",
        "extra": "unknown",
    }


def test_a_number_without_values_of_users_has_a_signature() -> None:
    kept, left = (rc.evaluate(LABELS, RUN, "mrr", per_user=each)["mrr"].signature for each in (True, False))
    assert stated_circumstances(kept)["users"] == stated_circumstances(left)["users"] == "2"
    assert not stated_circumstances(left).keys() & {"labels", "run"}


def declared_needs() -> set[str]:
    """What any setting or any metric reads besides labels and lists."""
    settings = [kind.traits.needs for one in CONVENTIONS.values() for kind in one.setting_types.values()]
    return set[str]().union(*settings, *(metric.needs for metric in METRICS.values()))


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
}
OF_THE_RUN = {"item ids that are numbers"}
"""What is needed of labels and run, whose digests have it."""


def test_whatever_a_definition_can_read_is_in_its_signature() -> None:
    assert declared_needs() - OF_THE_RUN <= DIFFERENT.keys()
    assert DIFFERENT.keys() == DIGESTS.keys() | {"catalogue"}


@pytest.mark.parametrize("need", DIFFERENT)
def test_other_data_that_a_definition_reads_change_the_signature(need: str) -> None:
    spec, *both = DIFFERENT[need]
    one, other = (
        stated_circumstances(rc.evaluate(labels, run, spec, **sides)[spec].signature) for labels, run, sides in both
    )
    name = DIGESTS[need][0] if need in DIGESTS else need
    assert one[name] != other[name]


def test_data_that_were_not_given_have_no_digest() -> None:
    specs = ["ndcg(exclude=seen)@5", "ndcg(collapse=max)@5", "novelty@2", "coverage@2", "diversity@2"]
    for signature in rc.evaluate(LABELS, RUN, specs, on_error="collect").signatures.values():
        assert stated_circumstances(signature).keys() == {"users", "labels", "run", "preset", "rankconv"}


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
