"""Ids of two sides that never meet."""

from typing import Any

import pytest

import rankconv as rc

ACCENTS = "letters with accents (NFC)"


@pytest.mark.parametrize(
    ("ours", "theirs", "differs"),
    [
        (["u1 ", "u2 ", "u3 "], ["u1", "u2", "u3", "u4"], "blanks"),
        (["D1", "D2", "D3"], ["d1", "d2", "d3"], "capital letters"),
        (["001", "002", "003"], ["1", "2", "3"], "zeros before numbers"),
        (["1.0", "2.0", "3.0"], ["1", "2", "3"], "'.0' after numbers"),
        (["\u00e9", "\u00e8", "\u00f6"], ["e\u0301", "e\u0300", "o\u0308"], f"the Unicode form of {ACCENTS}"),
    ],
)
def test_other_spellings_are_told(ours: list[str], theirs: list[str], differs: str) -> None:
    with pytest.raises(rc.InputError) as error:
        rc.join({"u": ours}, {"u": theirs})
    told = ", …" if len(theirs) > 3 else ""
    assert str(error.value) == (
        f"no item id of the labels ({', '.join(map(repr, ours))}) is one of the rankings "
        f"({', '.join(map(repr, theirs[:3]))}{told}), and 3 would be but for {differs}. "
        "Spell the item ids of both sides the same way."
    )
    with pytest.raises(
        rc.InputError, match=r"^no user id of the labels .* Spell the user ids of both sides the same way"
    ):
        rc.join({user: ["a"] for user in ours}, {user: ["a"] for user in theirs})


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [(["A"], ["a"]), (["A", "b", "c", "d"], ["a", "x"]), (["A", "B", "C", "x"], ["a", "b", "c", "x"])],
)
def test_a_few_that_look_alike_by_chance_are_left_alone(ours: list[str], theirs: list[str]) -> None:
    assert len(rc.join({"u": ours}, {"u": theirs}).users) == 1


@pytest.mark.parametrize(("ours", "theirs", "side"), [([1], ["1"], "labels"), (["1"], [1], "rankings")])
def test_numbers_against_text(ours: list[Any], theirs: list[Any], side: str) -> None:
    with pytest.raises(rc.InputError) as error:
        rc.join({"u": ours}, {"u": theirs})
    assert str(error.value).endswith(
        f"so nothing can match. Make those of the {side} text too: "
        "str(item) in dicts, .astype(str) in pandas, .cast(str) in polars."
    )
