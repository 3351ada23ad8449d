"""Notes on what was assumed of the columns of an input and on what ordered its lists."""

from collections.abc import Iterable

import numpy as np

from rankconv.data.joined import Joined
from rankconv.data.labels_and_rankings import Run
from rankconv.data.ordering import is_sorted
from rankconv.presets.definition import Definition

RANKS_DECIDE = "Rows of equal score are ordered by the ranks of the run, which agree with its scores."


def input_notes(joined: Joined, definitions: Iterable[Definition]) -> tuple[str, ...]:
    """Return sentences on what is assumed of the columns and on what ordered the lists."""
    return joined.assumed + _order_notes(joined, definitions)


def _order_notes(joined: Joined, definitions: Iterable[Definition]) -> tuple[str, ...]:
    """Return sentences on ranks that order rows of equal score, and on an order that contradicts the scores."""
    run = joined.rankings
    if run.by_score or not run.scored:
        return ()
    orders = {one.preparation.given("order"): one.preparation for one in definitions}
    notes = [RANKS_DECIDE] if any(one.compared.ranked for one in orders.values()) and _ranks_decide(run) else []
    assert run.score is not None
    if not is_sorted(run.starts, run.score, falling=True):
        given, verb = ("the order of the rows", "contradicts") if run.rank is None else ("the ranks", "contradict")
        used = [f"{'the scores' if one.by_score else given} (order={name})" for name, one in sorted(orders.items())]
        notes.append(f"{given.capitalize()} of the run {verb} its scores. Used: {', '.join(used)}.")
    return tuple(notes)


def _ranks_decide(run: Run) -> bool:
    """Whether rows of equal score of some user have different ranks."""
    if run.rank is None or run.score is None:
        return False
    tied = (run.score[1:] == run.score[:-1]) & (run.rank[1:] != run.rank[:-1])
    rows = np.flatnonzero(tied) + 1
    return bool((run.starts[np.searchsorted(run.starts, rows)] != rows).any())
