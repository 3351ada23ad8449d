"""How wide the terminal is."""

import os
import shutil
import sys


def terminal_width() -> int | None:
    """Columns of the terminal, or as many as the variable COLUMNS says; None where output goes to a file or a pipe."""
    told = os.environ.get("COLUMNS", "")
    if told.isdecimal() and int(told) > 0:
        return int(told)
    if sys.stdout is None or not sys.stdout.isatty():
        return None
    return shutil.get_terminal_size().columns
