"""Which ratings are used at all: a convention of protocols, with the filter that many papers apply before they divide.

rankconv split ratings.csv --plugin five_core.py --protocol "leave-one-out(core=least(5))" -o folder/
"""

from typing import Annotated, Any

import numpy as np

from rankconv import plugin, protocols
from rankconv.conventions.parameters import Within

CORE = plugin.Convention(
    "core",
    "Are ratings of rare users and items used?",
    reads=("rating", "count", "item_count"),
    neutral="all",
    registry=protocols.protocol_conventions,
)


@CORE.setting("all", rule="yes", no="filter of rare users and items")
def _(rating: Any) -> Any:
    """Nothing is left out."""
    return np.ones(len(rating), bool)


@CORE.setting(
    "least",
    rule="no: of users and items with so many ratings at least",
    says="ratings of users and of items with fewer than {n} ratings are left out, once",
)
def _(count: Any, item_count: Any, n: Annotated[int, Within(1, 1_000_000)]) -> Any:
    """Once: what is left may have fewer, which a k-core has not."""
    return (count >= n) & (item_count >= n)


plugin.rating_step(CORE)
