"""Advice that no case follows."""

PROSE = frozenset[str](())
"""Reviewed: words about what lies outside of the data, which no test can do."""

NOT_YET = frozenset[str](())
"""These are to be followed too: the list may only become shorter."""
