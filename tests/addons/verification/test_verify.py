"""What a verification says of a library that is right, wrong, refuses, crashes, or leaves ties open."""

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import rankconv as rc
from rankconv import plugin
from rankconv.addons.verification import NotGiven
from rankconv.addons.verification.adapter import User
from tests.addons.verification.conftest import best_first, call, precision

LABELS = {"ada": {"a": 1, "b": 1}, "bob": {"c": 1}}
RUN = {"ada": [("a", 3.0), ("x", 2.0)], "bob": [("y", 2.0), ("c", 1.0)]}


def test_equal(toy: Path) -> None:
    call(precision, "precision@k")
    found = rc.verify(toy)
    assert found.ok
    assert [row.metric for row in found] == ["precision@1", "precision@3", "precision@10"]
    assert [row.call for row in found] == ["precision at 1", "precision at 3", "precision at 10"]
    assert {row.compared for row in found} == {found.cases} == {20}
    assert found["precision@3"].counts == {"equal": 20}
    assert found["precision@3"].largest < 1e-12


def test_a_difference_is_shown_with_its_user(toy: Path) -> None:
    def wrong(users: Sequence[User], asked: str, k: int) -> plugin.LibraryResult:
        right = precision(users, asked, k)
        return plugin.LibraryResult(
            right.mean, {user: value + (user == "bob") / 4 for user, value in right.per_user.items()}
        )

    call(wrong, "precision@k")
    found = rc.verify(toy, LABELS, RUN, "precision@2")
    assert not found.ok
    [row] = found
    assert (row.counts, row.largest) == ({"different": 1}, 0.25)
    assert json.loads(json.dumps(row.to_dict()))["first_difference"] == {
        "case": "your data",
        "user": "bob",
        "ranking": ["y", "c"],
        "scores": [2.0, 1.0],
        "labels": {"c": 1.0},
        "ours": "0.5",
        "theirs": "0.75",
    }


def alone(users: Sequence[User], asked: str, k: int) -> float:
    """Refuse one user, for a reason of its own; that is not why the numbers of the case differ."""
    if len(users) == 1:
        raise ValueError("one user is not enough")
    return 0.9


@pytest.mark.parametrize(
    ("wrong", "user", "theirs"),
    [
        (lambda users, asked, k: precision(users, asked, k).mean + any(u.name == "bob" for u in users), "bob", "1.5"),  # type: ignore[operator]
        (lambda users, asked, k: (precision(users, asked, k).mean or 0) + (len(users) > 1), None, "1.5"),
        (alone, None, "0.9"),
    ],
    ids=["of a user", "of no user", "alone"],
)
def test_where_only_a_mean_is_given_the_user_who_differs_is_found(
    toy: Path, wrong: Any, user: str | None, theirs: str
) -> None:
    call(wrong, "precision@k")
    first = rc.verify(toy, LABELS, RUN, "precision@2")["precision@2"].first
    assert first is not None
    assert (first.user and first.user.name, first.ours, first.theirs) == (user, "0.5", theirs)


def recall(users: Sequence[User], asked: str, k: int) -> float:
    return sum(len(user.relevant.keys() & set(best_first(user)[:k])) / len(user.relevant) for user in users) / len(
        users
    )


def test_both_refuse(toy: Path) -> None:
    call(recall, "recall@k")
    found = rc.verify(toy, {"ada": {"a": 0}}, {"ada": ["a"]}, "recall@1")
    assert found.ok
    assert found["recall@1"].counts == {"refused by both": 1}
    assert rc.verify(toy, metrics="recall@1").ok


def test_one_refuses_alone(toy: Path) -> None:
    def refuses(users: Sequence[User], asked: str, k: int) -> Any:
        raise ValueError("no")

    call(refuses, "precision@k", "recall@k")
    first = rc.verify(toy, LABELS, RUN, "precision@2")["precision@2"].first
    assert first is not None
    assert (first.ours, first.theirs) == ("0.5", "refused (ValueError: no)")
    call_again = rc.verify(toy, {"ada": {"a": 0}}, {"ada": ["a"]}, "recall@1")
    assert call_again["recall@1"].counts == {"refused by both": 1}


def test_a_crash_of_one_metric_leaves_the_others(toy: Path) -> None:
    def crashes(users: Sequence[User], asked: str, k: int) -> Any:
        return precision(users, asked, k) if k != 3 else {}["gone"]

    call(crashes, "precision@k")
    found = rc.verify(toy, random=4)
    assert {row.metric: row.counts for row in found} == {
        "precision@1": {"equal": 4},
        "precision@3": {"different": 4},
        "precision@10": {"equal": 4},
    }


def test_what_cannot_be_given_is_not_compared(toy: Path) -> None:
    def not_given(users: Sequence[User], asked: str, k: int) -> Any:
        raise NotGiven("it would end the process")

    call(not_given, "precision@k")
    found = rc.verify(toy, LABELS, RUN, "precision@2")
    assert (found.ok, found.cases, found["precision@2"].compared) == (True, 1, 0)


TIED, UNTIED = {"ada": [("x", 1.0), ("a", 1.0), ("y", 1.0)]}, {"ada": ["x", "a"]}


@pytest.mark.parametrize(
    ("form", "metric", "given", "run", "status"),
    [
        ("precision@k", "precision@2", math.nan, UNTIED, "different"),  # NaN equals only NaN
        ("mrr", "mrr", 1.0, TIED, "within ties"),
        ("mrr", "mrr", 1 / 3, TIED, "within ties"),
        ("mrr", "mrr", 0.2, TIED, "different"),  # no order of the ties gives that
        ("mrr", "mrr", 1.0, UNTIED, "different"),
        ("map@k", "map@3", 0.2, TIED, "within ties"),  # a better order may lower the value: no bounds hold
        ("map@k", "map@3", 0.2, UNTIED, "different"),
        ("precision@k", "precision@1", 1.0, TIED, "different"),  # the system orders ties
    ],
)
def test_a_value_is_excused_where_some_order_of_open_ties_gives_it(
    toy: Path, form: str, metric: str, given: float, run: Any, status: str
) -> None:
    call(lambda users, asked, k: given, form)
    assert rc.verify(toy, {"ada": ["a"]}, run, metric)[metric].counts == {status: 1}


def test_a_library_that_is_not_installed_is_named_with_its_command(toy: Path) -> None:
    call(precision, "precision@k", package="nor-this-one")
    with pytest.raises(rc.LibraryError, match="no-such-package or nor-this-one is not installed") as error:
        rc.verify(toy)
    assert "`pip install toy==1.0.0`. It needs an environment of its own: it is picky." in str(error.value)


def test_another_version_is_told(toy: Path) -> None:
    call(precision, "precision@k")
    found = rc.verify(toy, LABELS, RUN)
    assert (found.package, found.described, found.other_version) == ("numpy", "1.0.0", True)


def test_a_version_that_the_preset_covers_is_no_other_one(toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    call(precision, "precision@k")
    monkeypatch.setenv("RANKCONV_PRESETS", str(toy.parent))
    text = toy.read_text()
    for since, covered in (("0.1", True), ("98.0", False)):
        toy.write_text(text.replace("version: 1.0.0", f'version: "99.0"\nsince: "{since}"'))
        found = rc.verify("toy", LABELS, RUN)
        assert (found.described, found.other_version) == ("99.0", not covered)


def test_a_metric_that_the_adapter_does_not_know(toy: Path) -> None:
    call(precision, "precision@k")
    with pytest.raises(rc.MetricError, match="'recall@3' is not available in no-such-package"):
        rc.verify(toy, LABELS, RUN, "recall@3")
    with pytest.raises(rc.MetricError, match=r"'precision\(ties=given\)@3' is not available"):
        rc.verify(toy, LABELS, RUN, "precision(ties=given)@3")


def test_a_changed_preset_is_held_against_the_library_of_the_original(toy: Path) -> None:
    call(precision, "precision@k")
    changed = rc.preset(toy).replace(precision_denominator="min(k, length)")
    assert rc.verify(changed, LABELS, RUN, "precision@1").ok
    assert not rc.verify(rc.preset(toy).replace(relevant="at-least(2)"), LABELS, RUN, "precision@1").ok


def test_labels_and_a_run_belong_together(toy: Path) -> None:
    call(precision, "precision@k")
    with pytest.raises(rc.MetricError, match="labels and a run belong together"):
        rc.verify(toy, LABELS)


def test_random_cases_may_come_on_top_of_own_data(toy: Path) -> None:
    call(precision, "precision@k")
    assert rc.verify(toy, LABELS, RUN, random=2, seed=5).cases == 3


def test_two_adapters_for_one_preset_are_one_too_many(toy: Path) -> None:
    call(precision, "precision@k")
    with pytest.raises(rc.ConventionError, match="the preset 'toy' is verified already"):

        class Other(plugin.Adapter):
            preset = "toy"
