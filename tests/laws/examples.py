"""How many examples the dearest laws look at: few with the other tests, more each night."""

import os

REQUESTED = os.environ.get("RANKCONV_LAWS", "quick")
"""`quick`, `ci`, or `long`."""


def of(quick: int, ci: int, long: int | None = None) -> int:
    """As many as were asked for."""
    return {"quick": quick, "ci": ci, "long": ci if long is None else long}[REQUESTED]
