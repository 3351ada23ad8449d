"""How fast are we, and how fast are the others? `python -m tests.benchmarks --help`; no part of the tests."""
