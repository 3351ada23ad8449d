"""The metrics at each rank of one list, as textbooks print them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rankconv.analysis.explain.explain import code_of
from rankconv.analysis.explain.explanation import columns_table, facts_of_rows
from rankconv.analysis.explain.judged_list import Row, judged_list
from rankconv.data.ids import quoted
from rankconv.data.joined import Joined
from rankconv.evaluation.evaluate import evaluate
from rankconv.evaluation.joining import join_one_run, takes_joined
from rankconv.pages.cells import finite, number, short
from rankconv.pages.display import Shown
from rankconv.pages.page import Page
from rankconv.pages.table import Table
from rankconv.preparation.row_block import judge
from rankconv.preparation.rows import working_block
from rankconv.presets.arguments import Metrics, define
from rankconv.presets.definition import Definition
from rankconv.presets.registry import HOUSE
from rankconv.presets.registry import preset as find_preset
from rankconv.presets.resolved import Preset


@dataclass(frozen=True, eq=False, repr=False)
class ByRank(Shown):
    """One user's judged list, and what each metric is at each rank of it.

    `values` has a list per metric, whose place k - 1 is the metric at k; NaN where it has no value.
    """

    user: Any
    values: dict[str, list[float]]
    rows: tuple[Row, ...] = field(repr=False)
    scored: bool = field(repr=False)
    """Whether the list came with scores."""

    @property
    def depth(self) -> int:
        """How many ranks there are: those of the list, and those down to a cutoff below it."""
        return max(len(self.rows), *map(len, self.values.values()))

    def table(self, digits: int = 4) -> Table:
        """A row per rank: k, the item with its score, grade and relevance, and the metrics at k."""
        facts = {"k": [str(k) for k in range(1, self.depth + 1)], "item": [short(row.item) for row in self.rows]}
        facts |= facts_of_rows(self.rows, scores=self.scored, ties=False)
        shown = {f"{name}@k": [number(one, digits) for one in column] for name, column in self.values.items()}
        return columns_table(facts | shown, self.depth)

    def _page(self) -> Page:
        """The table alone."""
        return Page([[self.table()]])

    def __repr__(self) -> str:
        return f"ByRank(user {quoted(self.user)}: {', '.join(self.values)})"

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data; NaN is None, as JSON has it."""
        return {
            "user": self.user,
            "items": [row.item for row in self.rows],
            "relevant": [row.hit for row in self.rows],
            "metrics": {name: [finite(one) for one in column] for name, column in self.values.items()},
        }


@takes_joined
def by_rank(
    labels: Any,
    run: Any = None,
    metrics: Metrics | None = None,
    preset: str | Preset | None = None,
    *,
    user: Any = None,
    seen: Any = None,
    catalogue: Any = None,
    train: Any = None,
    item_features: Any = None,
    parents: Any = None,
) -> ByRank:
    """Compute metrics at each rank of one user's list.

    Parameters
    ----------
    labels, run
        As in `rc.evaluate`; arrays of shape (users, k) or (users, items).
    metrics : MetricLike
        With a cutoff, the ranks 1 to k, also where the list is shorter; without one, all ranks of the list.
    preset : str, path or Preset, optional
        The preset of metrics that name none.
    user : id
        The user.
    seen, catalogue, train, item_features, parents
        As in `rc.evaluate`.

    Returns
    -------
    ByRank
        A row for each rank: item, grade, relevance, and the metrics there. The items are those of the first metric.

    Raises
    ------
    InputError
        If the user is unknown.
    MetricError
        If a metric has no cutoff in its preset.

    Examples
    --------
    >>> import rankconv as rc
    >>> print(rc.by_rank({"ada": ["a", "b"]}, {"ada": ["a", "x", "b"]}, "precision, recall", user="ada").to_text())
    k  item  grade  relevant  precision@k  recall@k
    ─  ────  ─────  ────────  ───────────  ────────
    1  a         1       yes       1.0000    0.5000
    2  x         –        no       0.5000    0.5000
    3  b         1       yes       0.6667    1.0000
    """
    by_name = _deepest(define(metrics, find_preset(HOUSE if preset is None else preset)))
    given = {"seen": seen, "catalogue": catalogue, "train": train, "item_features": item_features, "parents": parents}
    joined = join_one_run(labels, run, "the table is that of one list", **given)
    code = code_of(user, joined.users)
    first = next(iter(by_name.values()))
    k = first.k if first.preparation.reads_cutoff else None
    rows = judged_list(judge(working_block(joined, np.array([code])).copy(k), first.applied)).rows
    known = joined.users.id(code)
    values = {name: _at_each_rank(joined, one, known, len(rows)) for name, one in by_name.items()}
    return ByRank(known, values, rows, joined.rankings.scored)


def _deepest(definitions: dict[str, Definition]) -> dict[str, Definition]:
    """Of one metric at several cutoffs the deepest, by its name without a cutoff."""
    found: dict[str, Definition] = {}
    for text, one in definitions.items():
        name = text if one.requested_k is None else text.rpartition("@")[0]
        known = found.setdefault(name, one)
        if known.requested_k is not None and (one.requested_k is None or one.requested_k > known.requested_k):
            found[name] = one
    return found


def _at_each_rank(joined: Joined, definition: Definition, user: Any, rows: int) -> list[float]:
    """The user's value at the ranks 1 to the cutoff, or to the end of the list."""
    each: Sequence[Definition] = [definition.replace(k=k) for k in range(1, (definition.requested_k or rows) + 1)]
    if not each:
        return []
    result = evaluate(joined, each, users=[user], on_error="collect")
    at = result.users.tolist().index(user)
    return [float(result.per_user[spec][at]) for spec in result]
