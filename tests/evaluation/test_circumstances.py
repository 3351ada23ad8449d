"""What a signature says of the data: digests of what the definition reads, and their comparison."""

from typing import Any

import pytest

import rankconv as rc
from rankconv.evaluation.circumstances import agreement
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
