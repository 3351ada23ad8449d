"""How many categories a list touches, and how evenly."""

from typing import Annotated, ClassVar

import numpy as np

from rankconv.data.arrays import Numbers
from rankconv.data.train import Known
from rankconv.metrics.base import Metric, Ratio
from rankconv.preparation.block import Block
from rankconv.specs.convention import Convention

CATEGORY_DIVISOR = Convention(
    "category-denominator",
    "Divisor of the number of categories",
    reads=("k", "rows", "all"),
    phrase=True,
    tells="a list shorter than k",
)
"""A setting gives each user's divisor, shape (users,); `rows` are those read, and `all` is the number of categories."""


@CATEGORY_DIVISOR.setting("k", rule="k; the rows read where there is no k", says="{k}", tex="«k»")
def _(rows: Numbers, k: int | None) -> Numbers:
    """1 where every row is of another category."""
    return rows if k is None else np.full(len(rows), float(k))


@CATEGORY_DIVISOR.setting("all", rule="all categories", says="the number of all categories", tex="C")
def _(rows: Numbers, all: float) -> Numbers:
    """1 where the list has something of everything."""
    return np.full(len(rows), all)


class CategoryShare(Metric):
    """Compute the share of categories in the list.

    The categories (features other than 0) of the first k items, each counted once, divided by k or by the number of
    categories. Range 0 to 1 where an item has one category. No end is the better one. Needs `features=`.
    Source: RePlay 0.22.0, replay/metrics/categorical_diversity.py.

    >>> import rankconv as rc
    >>> known = {"a": "jazz", "b": "jazz", "c": "rock"}
    >>> rc.evaluate({"u": ["a"]}, {"u": ["a", "b"]}, "category_share@2", item_features=known)["category_share@2"]
    0.5
    """

    name = "category_share"
    formula = "different categories / category-denominator"
    called = "category diversity"
    says = "the number of different categories of the items {here} divided by {category-denominator}"
    tex = r"\frac{1}{«category-denominator»} \left| \bigcup_{j=1}^{«rows»} C_j \right|"
    signs: ClassVar[dict[str, str]] = {"C_j": "the categories of the item at rank j", "C": "the number of categories"}
    reads_below_cutoff: ClassVar[bool] = False
    directed: ClassVar[bool] = False
    reads_labels: ClassVar[bool] = False
    range: ClassVar[tuple[float, float]] = (0.0, np.inf)
    needs: ClassVar[tuple[str, ...]] = ("features",)
    category_denominator: Annotated[str, CATEGORY_DIVISOR]

    def per_user(self, block: Block) -> Ratio:
        known = block.joined.once(Known).vectors
        first = block.sum(**{"new categories": _first_of_category(block, known)}).at(self.scope)
        given = {"k": self.k, "rows": block.length_at(self.scope), "all": float(known.shape[1])}
        by = block.numbers(self.settings["category-denominator"](**given))
        block.says(lambda: "divided by", by)
        return Ratio(first, by)


def _first_of_category(block: Block, known: Numbers) -> Numbers:
    """How many categories of each row no row above it has, shape (K, users)."""
    items = block.items_by_rank
    met, found = np.zeros((block.size, known.shape[1]), bool), np.zeros(items.shape)
    for row, codes in enumerate(items):
        has = (np.nan_to_num(known[codes]) != 0) & (codes >= 0)[:, None]
        found[row] = (has & ~met).sum(axis=1)
        met |= has
    return found
