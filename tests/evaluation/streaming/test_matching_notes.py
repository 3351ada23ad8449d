"""Users and items that do not match: said once of all batches, as of data that come at once."""

import pickle
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rankconv as rc
from rankconv.basics.errors import RespelledIds
from rankconv.evaluation.notes import LOOKED_AT
from rankconv.typing import Partial
from tests.laws import examples

Rows = dict[str, Any]
USERS = [f"u{number:03}" for number in range(60)]


def lists(item: Callable[[int], Any], *, users: int = len(USERS), shift: int = 0) -> Rows:
    """Three items for each of so many users."""
    return {user: [item((7 * at + shift + place) % 180) for place in range(3)] for at, user in enumerate(USERS[:users])}


CASES: dict[str, tuple[Rows, Rows, str]] = {
    "other names": (lists("d{}".format), lists("p{}".format), "no item of the labels ('d0', 'd1', 'd10')"),
    "a prefix": (lists("item_{}".format), lists(str), "but for 'item_' before them"),
    "numbers": (lists(int), lists(lambda item: 1000 + item), "no item of the labels (0, 1, 2)"),
    "few lists": (lists(str), lists(str, users=4), "4 of the 60 users with labels have a list. "),
    "few lists that are no lists": (
        lists(str),
        lists(str, users=4) | {user: [] for user in USERS[4:]},
        "4 of the 60 users with labels have a list. ",
    ),
    "a poor run": (lists(str), lists(str, shift=90), ""),
    "a good run": (lists(str), lists(str), ""),
}


def split(labels: Rows, run: Rows, size: int) -> list[tuple[Rows, Rows]]:
    """Batches of so many users, the last ones first."""
    starts = range(0, len(USERS), size)
    cut = [USERS[start : start + size] for start in reversed(starts)]
    return [tuple({user: side[user] for user in some if user in side} for side in (labels, run)) for some in cut]  # type: ignore[misc]


def in_one_evaluator(batches: list[tuple[Rows, Rows]]) -> rc.Result:
    evaluator = rc.Evaluator("mrr")
    for batch in batches:
        evaluator.update(*batch)
    return pickle.loads(pickle.dumps(evaluator)).compute()  # type: ignore[no-any-return]


def in_two_evaluators(batches: list[tuple[Rows, Rows]]) -> rc.Result:
    evaluators = [rc.Evaluator("mrr"), rc.Evaluator("mrr")]
    for at, batch in enumerate(batches):
        evaluators[at % 2].update(*batch)
    evaluators[0].merge(evaluators[1])
    return evaluators[0].compute()


def partials(batches: list[tuple[Rows, Rows]]) -> list[Partial]:
    parts = []
    for batch in batches:
        evaluator = rc.Evaluator("mrr", per_user=False, repeated_users="unchecked")
        evaluator.update(*batch)
        parts.append(evaluator.partial())
    return parts


def in_bytes(batches: list[tuple[Rows, Rows]]) -> rc.Result:
    return Partial.merged(Partial.from_bytes(part.to_bytes()) for part in partials(batches)).compute()


def pickled(batches: list[tuple[Rows, Rows]]) -> rc.Result:
    return Partial.merged(pickle.loads(pickle.dumps(partials(batches)))).compute()


def of_matching(result: rc.Result) -> list[str]:
    return [note for note in result.notes if " no item " in f" {note}" or "have a list" in note or "alone" in note]


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("size", [7, 1, 60][: examples.of(quick=1, ci=3)])
@pytest.mark.parametrize("way", [in_one_evaluator, in_two_evaluators, in_bytes, pickled])
def test_any_split_says_what_one_call_says(name: str, size: int, way: Callable[..., rc.Result]) -> None:
    labels, run, said = CASES[name]
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        whole = rc.evaluate(labels, run, "mrr")
        first = len(warned)
        found = way(split(labels, run, size))
    assert found["mrr"] == whole["mrr"] or name.startswith("few")
    expected = of_matching(whole)
    assert len(expected) == bool(said)
    assert all(said in one for one in expected)
    notes = of_matching(found)
    assert notes == expected
    texts = [str(one.message) for one in warned[first:] if one.category is RespelledIds]
    assert {*notes} <= {*texts}
    assert len(texts) == len({*texts})


@pytest.mark.parametrize("size", [7, 1, 60][: examples.of(quick=1, ci=3)])
@pytest.mark.parametrize("way", [in_one_evaluator, in_two_evaluators, in_bytes, pickled])
@pytest.mark.filterwarnings("ignore::rankconv.basics.errors.RespelledIds")
def test_any_split_refuses_what_one_call_refuses(size: int, way: Callable[..., rc.Result]) -> None:
    labels, run = lists("d{}".format), lists("D{}".format)
    for evaluated in (lambda: rc.evaluate(labels, run, "mrr"), lambda: way(split(labels, run, size))):
        with pytest.raises(rc.InputError, match="146 would be but for capital letters"):
            evaluated()


def test_a_partial_with_a_hit_keeps_no_items() -> None:
    labels, run, _ = CASES["a good run"]
    [hit] = partials([(labels, run)])
    [none] = partials([(labels, CASES["other names"][1])])
    assert hit.part.counted.least_items == ((), ())
    assert hit.merge(none).part.counted == none.merge(hit).part.counted
    assert none.part.counted.listed_label is False
    assert len(none.part.counted.least_items[0]) == 146


def test_what_is_kept_of_many_items_is_bounded() -> None:
    many = range(3 * LOOKED_AT)
    labels = {f"u{at}": [f"d{at}"] for at in many}
    run = {f"u{at}": [f"p{at}"] for at in many}
    [part] = partials([(labels, run)])
    assert [len(side) for side in part.part.counted.least_items] == [LOOKED_AT, LOOKED_AT]
    with pytest.warns(RespelledIds, match=r"^Of the 2,048 first ids of either side, no item of the labels \('d0'"):
        assert part.compute().notes[0].endswith("Check that both name items in the same way.")


def test_files_in_batches_say_it_in_the_result(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    for name, rows in zip(("labels.csv", "run.csv"), CASES["other names"][:2], strict=True):
        text = "".join(f"{user},{item}\n" for user, items in rows.items() for item in items)
        (tmp_path / name).write_text("user,item\n" + text)
    with pytest.warns(RespelledIds, match="no item of the labels"):
        found = rc.evaluate(str(tmp_path / "labels.csv"), str(tmp_path / "run.csv"), "mrr", memory="4GB")
    assert len(of_matching(found)) == 1
