"""The command line: each command calls one public function and prints what it gives."""

from rankconv.cli.app import app, main

__all__ = ["app", "main"]
