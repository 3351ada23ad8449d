"""Metrics, preparation and aggregation broken on purpose, one place at a time: do the tests see it?

`python -m tests.mutants --seed 8 --count 200` draws so many mutants, spread evenly over the files. It runs the tests
once with nothing broken, and records which lines each executes; then it runs for each mutant those that execute its
line, the quick ones first, until one fails or they have taken 100 seconds. `--list` only shows the mutants, `--only 7`
runs one, `--file gain.py` takes those of one file, `--tests` takes other tests. Those that cannot change any number
stand in `equivalent.yaml`, each with the reason.
"""
