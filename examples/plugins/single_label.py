"""A policy of your own for users: a preset may say what such a user counts as; all others leave it to the formula."""

import numpy as np
from numpy.typing import NDArray

from rankconv import plugin


@plugin.special_case("single-label", "has a single label", after="on-no-labels")
def single_label(situation: plugin.Situation) -> NDArray[np.bool_]:
    """For such a user recall can only be 0 or 1."""
    return np.asarray(situation.block.label_count == 1)
