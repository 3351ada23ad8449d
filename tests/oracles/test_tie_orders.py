"""The bounds of all orders of ties, by hand."""

import numpy as np
import pytest

from tests.oracles.identities.base import Identity
from tests.oracles.tie_orders import bounds


def test_a_hit_in_the_top_k_may_lower_ap_over_the_hits() -> None:
    """h and i are relevant; x or i comes second, below k = 1 or not at all."""
    user = {"user": "u", "labels": {"h": 1, "i": 1}, "ranking": ["h", "x", "i", "y"], "scores": [3.0, 2.0, 2.0, 1.0]}
    assert bounds(Identity("torchmetrics", "map@3"), [user], np.float32) == pytest.approx(((1 + 2 / 3) / 2, 1.0))
    assert bounds(Identity("torchmetrics", "map@2"), [user], np.float32) == pytest.approx((1.0, 1.0))


def test_scores_that_differ_beyond_single_precision_are_tied_in_it_alone() -> None:
    user = {"user": "u", "labels": {"a": 1}, "ranking": ["x", "a"], "scores": [1.0 + 1e-12, 1.0]}
    assert bounds(Identity("torchmetrics", "map@2"), [user], np.float32) == pytest.approx((0.5, 1.0))
    assert bounds(Identity("torchmetrics", "map@2"), [user], np.float64) == pytest.approx((0.5, 0.5))


def test_too_many_orders_are_not_tried() -> None:
    items = [f"i{place}" for place in range(30)]
    user = {"user": "u", "labels": dict.fromkeys(items[:15], 1), "ranking": items, "scores": [1.0] * 30}
    assert bounds(Identity("torchmetrics", "map@2"), [user], np.float32) is None
