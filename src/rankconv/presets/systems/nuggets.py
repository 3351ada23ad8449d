"""Settings that one system needs of metrics of nuggets."""

from typing import Annotated

import numpy as np

from rankconv.conventions.parameters import Within
from rankconv.data.arrays import Numbers
from rankconv.metrics.credit import CREDIT, FROM_0_TO_1, NUGGET_DENOMINATOR


@CREDIT.setting(
    "partial-with-full",
    rule="1 for a score of 1; for a lower one above 0 share if the list has a score of 1, else 0",
    needs=(FROM_0_TO_1,),
    reads_data=("scores",),
    cite="open_nuggetizer-measures",
    says=(
        "a row has a credit of 1 if its score is 1, and of {share} if it is lower and above 0; but none in a list "
        "without a score of 1"
    ),
    tex=" c_j",
    signs={"c_j": "the credit of the item at rank j"},
)
def _(scores: Numbers, share: Annotated[float, Within(0, 1)]) -> Numbers:
    """As where a program ends at once if nothing is supported in full; each column of scores is a list."""
    full = scores >= 1
    return np.where(full, 1.0, np.where((scores > 0) & full.any(axis=0), share, 0.0))


@NUGGET_DENOMINATOR.setting(
    "found-squared",
    rule="the square of what it divides",
    cite="open_nuggetizer-measures",
    says="its own square",
    tex=r"\left(\sum_{j=1}^{«K»} r_j «gain»«credit»\right)^2",
)
def _(found: Numbers) -> Numbers:
    """As where a share of 1 is divided by the number of nuggets once more: the more is found, the lower the value."""
    return found * found
