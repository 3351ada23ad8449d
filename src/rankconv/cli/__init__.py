"""The command line: each command calls one public function and prints what it gives.

May import everything; nothing imports it.
"""

from rankconv.cli.app import app
from rankconv.cli.process import main

__all__ = ["app", "main"]
