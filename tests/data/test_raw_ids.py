"""The law: texts are coded by first appearance, whatever their hashes are."""

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankconv.data.ids import code_each_text, coded_texts

texts = st.lists(
    st.sampled_from(["", "a", "b", "item 1", "item 10", "a text of more than twelve bytes", "é"]) | st.text()
)


def hashed_to(values: list[int]) -> object:
    """A hash by the length of a text, so that texts collide at will."""
    return lambda series, *seeds: pl.Series([values[len(text) % len(values)] for text in series], dtype=pl.UInt64)


@settings(max_examples=50, deadline=None)
@given(values=texts, longer=st.integers(1, 3), hashes=st.none() | st.sampled_from([[7], [7, 2**63], [0, 1, 2**64 - 1]]))
def test_texts_are_coded_by_first_appearance(values: list[str], longer: int, hashes: list[int] | None) -> None:
    given = [value for value in values for _ in range(longer)]
    distinct = list(dict.fromkeys(given))
    with pytest.MonkeyPatch.context() as patch:
        if hashes is not None:
            patch.setattr(pl.Series, "hash", hashed_to(hashes))
        for code in (coded_texts, code_each_text):
            ids, codes = code(pl.Series(given, dtype=pl.String))
            assert ids.values.tolist() == distinct
            assert ids.kind == ("text" if given else "none")
            assert codes.tolist() == [distinct.index(value) for value in given]
