"""Tests and intervals over users, on arrays alone; and what callers may choose of an interval."""

from typing import Literal

How = Literal["t", "percentile", "bca"]
DRAWS = 2_000
