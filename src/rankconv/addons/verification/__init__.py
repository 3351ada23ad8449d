"""Verifying a preset: the real library, if it is installed, is run on the same data, and every difference shown.

May import `evaluate` and what is below it; a library is imported in its adapter alone.
"""

from rankconv.addons.verification.adapter import (
    DOUBLE,
    FOUR_DECIMALS,
    SINGLE,
    Adapter,
    LibraryResult,
    NotGiven,
    Takes,
    one_by_one,
)

__all__ = ["DOUBLE", "FOUR_DECIMALS", "SINGLE", "Adapter", "LibraryResult", "NotGiven", "Takes", "one_by_one"]
