"""The command line: each command calls one public function and prints what it gives.

May import everything; nothing imports it.
"""

import sys

from rankconv.basics.errors import LibraryError
from rankconv.basics.optional import require


def main() -> None:
    """Run a command; without typer, one line says what to install, and the exit code is 2."""
    try:
        require("typer", "rankconv[cli]", "The command line")
    except LibraryError as error:
        print(f"rankconv: {error}", file=sys.stderr)
        sys.exit(2)
    from rankconv.cli import process

    process.main()
