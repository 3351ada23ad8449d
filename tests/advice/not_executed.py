"""Advice that no case follows."""

PROSE = frozenset({"array_libraries.py:numpy (do)"})
"""Reviewed: it says what to install, which no test does."""

NOT_YET = frozenset(
    {
        "clusters.py:_of_parts:2 (shell)",
        "compare.py:requested_presets (shell)",
        "first_rows.py:_at_scores (do)",
        "partial.py:bytes_of_part (do)",
        "training.py:_of_groups (do)",
        "training.py:_routed (do)",
        "training.py:scorer (do)",
    }
)
"""These are to be followed too: the list may only become shorter."""
