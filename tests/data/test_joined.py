"""Labels and rankings under common codes: users in groups that are small enough to be looked at together."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankconv as rc
from rankconv.data import joined

CELLS = 64


@given(
    counts=st.lists(st.tuples(st.integers(0, 20), st.integers(1, 20)), min_size=1, max_size=30),
    rows=st.none() | st.integers(1, 8),
)
def test_groups_hold_all_users_in_order_and_few_rows_and_labels(
    counts: list[tuple[int, int]], rows: int | None
) -> None:
    labels = {str(user): dict.fromkeys(map(str, range(labels)), 1) for user, (labels, _) in enumerate(counts)}
    run = {str(user): list(map(str, range(length))) for user, (_, length) in enumerate(counts)}
    both = rc.join(labels, run)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(joined, "CELLS", CELLS)
        groups = list(both.groups(np.arange(len(counts)), rows))
    assert np.concatenate(groups).tolist() == list(range(len(counts)))
    for group in groups:
        listed, labelled = both.list_counts[group], both.label_counts[group]
        widest = int(np.minimum(np.maximum(listed, labelled), rows or CELLS**2).max())
        assert len(group) == 1 or (len(group) * max(1, widest) <= CELLS and labelled.sum() <= CELLS)
