"""Writes labels and two runs of 150 queries: python make_data.py. The second run changes a few lists of the first."""

import csv
from pathlib import Path

import numpy as np

FOLDER, QUERIES, ITEMS, LENGTH = Path(__file__).parent, 150, 40, 6


def main() -> None:
    """Draw relevant items, a run that finds many of them, and one with small changes."""
    generator = np.random.default_rng(0)
    labels, runs = list[list[object]](), {"main.csv": list[list[object]](), "branch.csv": list[list[object]]()}
    for query in range(QUERIES):
        grades = np.where(generator.random(ITEMS) < 0.08, generator.integers(1, 4, ITEMS), 0)
        grades[generator.integers(ITEMS)] = 3
        labels += [[f"q{query}", f"d{item}", grades[item]] for item in np.flatnonzero(grades)]
        scores = generator.random(ITEMS) + 0.3 * grades
        changed = scores + (generator.random() < 0.3) * generator.normal(0, 0.05, ITEMS)
        for name, of in (("main.csv", scores), ("branch.csv", changed)):
            best = np.argsort(-of)[:LENGTH]
            runs[name] += [[f"q{query}", f"d{item}", f"{of[item]:.3f}"] for item in best]
    for name, heads, rows in (("labels.csv", "grade", labels), *((name, "score", rows) for name, rows in runs.items())):
        with (FOLDER / name).open("w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([["query", "document", heads], *rows])


if __name__ == "__main__":
    main()
