"""A policy of your own for the data as a whole: a preset may say what all users count as then."""

import numpy as np
from numpy.typing import NDArray

from rankconv import plugin


@plugin.data_case("short-lists-only", "no list has more than four rows")
def long_list(situation: plugin.Situation) -> NDArray[np.bool_]:
    """Whether a user's list has more; the situation holds where it has for none of the users."""
    return situation.block.lengths > 4
