"""Advice that no case follows."""

PROSE = frozenset(
    {
        "array_libraries.py:numpy (do)",  # it says what to install, which no test does
        "ir_measures_provider.py:aggregator (do)",  # it is of ir_measures, which tests may not have
        "first_rows.py:_at_scores (do)",  # scores of an accelerator that has no such floats, which tests do not have
    }
)
"""Reviewed: what they say is not code, and takes what a test does not have."""

NOT_YET: frozenset[str] = frozenset()
"""These are to be followed too: the list may only become shorter."""
