"""A small shop that is made up: what users bought, and what they buy next, which is to be foretold."""

import numpy as np
from numpy.typing import NDArray

USERS, ITEMS, KINDS = 200, 60, 6
"""Items come in kinds, and each user likes two of them."""


def shop() -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """What was bought before and what is bought next, both of shape (users, items)."""
    draw = np.random.default_rng(14)
    likes = np.array([draw.permutation(KINDS) < 2 for _ in range(USERS)])
    often = np.where(likes[:, np.arange(ITEMS) % KINDS], 0.4, 0.02)
    before = draw.random((USERS, ITEMS)) < often
    after = ~before & (draw.random((USERS, ITEMS)) < often)
    return before, after
