"""Links among the files that are read and written."""

import errno
from pathlib import Path


def leads_in_a_circle(link: Path) -> bool:
    """Whether following this link never ends."""
    try:
        link.stat()
    except OSError as problem:
        return problem.errno == errno.ELOOP
    return False
