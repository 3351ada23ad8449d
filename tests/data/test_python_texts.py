"""Texts in a list of Python's are what a column of them is."""

import pickle

import numpy as np
import polars as pl

from rankconv.data.ids import RawIds

LISTED = ["b", "ä", "b", "", "c"]


def test_a_list_of_texts_is_what_their_column_is() -> None:
    ours, column = RawIds(LISTED), RawIds(pl.Series(LISTED, dtype=pl.String))
    for one, other in ((ours, column), (ours[np.array([4, 1])], column[np.array([4, 1])])):
        assert one.numbers.tolist() == other.numbers.tolist()
        (ids, codes), (other_ids, other_codes) = one.coded(), other.coded()
        assert (ids.values.tolist(), codes.tolist()) == (other_ids.values.tolist(), other_codes.tolist())
    assert (len(ours), ours.some(2)) == (5, {"b", "ä"})


def test_it_is_pickled_as_a_column() -> None:
    assert pickle.loads(pickle.dumps(RawIds(LISTED))).values.to_list() == LISTED
