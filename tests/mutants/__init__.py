"""Metrics, preparation and aggregation broken on purpose, one place at a time: do the tests see it?

`python -m tests.mutants --seed 8 --count 200` draws so many mutants, spread evenly over the files, and runs for each
the tests that belong to it until one fails. `--list` only shows them, `--only 7` runs one, `--file gain.py` takes the
mutants of one file. Those that cannot change any number stand in `equivalent.yaml`, each with the reason.
"""
