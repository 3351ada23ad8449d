"""Data made to hurt: scores that rounding makes equal, fractions that sum to other bits in another order."""

from collections.abc import Callable
from random import Random

import numpy as np

Labels = dict[str, list[tuple[str, float]]]
Run = dict[str, list[tuple[str, float]]]

ITEMS = [str(number) for number in range(1, 41)]
GRADES = [[0, 1], [0, 1, 1, 2, 3], [0, 0.1, 0.3, 0.7, 1.7], [-1, 0, 0.1, 1, 2.3]]
FAR_APART = [1e-40, 3e-40, 1e-20, 2e-20, 0.5, 1.0, 2.0, 2.0**53, 2.0**53 + 2, 1e17, 1e300]
NEIGHBOURS = [0.3, float(np.nextafter(0.3, 1)), float(np.nextafter(np.float32(0.3), np.float32(1))), 0.1 + 0.2]
SIGNED = [0.0, -0.0, -1e-20, -0.1, -1.0, -1e17, -1e300]
SCORES: dict[str, Callable[[Random], float]] = {
    "any": lambda random: random.choice([*FAR_APART, *NEIGHBOURS, *SIGNED]),
    "few levels": lambda random: random.choice([0.1, 0.2, 0.3]),
    "all different": lambda random: random.random(),
    "tiny": lambda random: random.choice([1e-20, 1e-17, 1e-10, 1e-5]) * random.random(),
    "single precision": lambda random: float(np.float32(random.random() ** 20)),
}


def hurting(seed: int) -> tuple[Labels, Run]:
    """Labels and lists of one to twenty users; scores rise and fall, or fall strictly, so that nothing is sorted."""
    random = Random(seed)
    kind = list(SCORES)[seed % len(SCORES)]
    grades, score, distinct = random.choice(GRADES), SCORES[kind], kind != "few levels" and random.random() < 0.6
    labels: Labels = {}
    run: Run = {}
    for number in range(random.choice([1, 2, 5, 20])):
        judged = random.sample(ITEMS, random.choice([1, 3, 12, 25]))
        labels[f"u{number}"] = [(item, random.choice(grades)) for item in judged]
        returned = random.sample(ITEMS, random.choice([1, 3, 10, 17, 30] if distinct else [17, 25, 30]))
        scores = [score(random) for _ in returned]
        if distinct:
            scores = sorted(set(scores), reverse=True)
        run[f"u{number}"] = list(zip(returned, scores, strict=False))
    if len(run) > 1 and random.random() < 0.3:
        del run[random.choice(list(run))]
    return labels, run
