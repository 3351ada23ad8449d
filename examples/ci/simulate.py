"""How often a gate passes wrongly, and how often it is undecided, by number of users: python simulate.py."""

import numpy as np

from rankconv.addons.gate import Excess

MARGIN, TIMES = 0.01, 2_000
WITHIN = (MARGIN - 1, MARGIN + 1)


def differences(generator: np.random.Generator, users: int, mean: float) -> np.ndarray:
    """Differences of NDCG of two versions of one model, shape (users,): most are 0, a few are large."""
    changed = generator.random(users) < 0.4
    size = np.clip(generator.laplace(mean / 0.4, 0.12, users), -1, 1)
    return np.where(changed, size, 0.0)


def shares(users: int, mean: float) -> dict[str, float]:
    """How often each verdict is given, where the mean difference of all users is `mean`."""
    generator = np.random.default_rng(0)
    verdicts = [Excess(differences(generator, users, mean) + MARGIN, WITHIN).verdict(0.05) for _ in range(TIMES)]
    return {verdict: verdicts.count(verdict) / TIMES for verdict in ("pass", "undecided", "fail")}


if __name__ == "__main__":
    print("users  true difference  pass  undecided  fail")
    for users in (20, 50, 200, 2_700):
        for name, mean in (("-margin", -MARGIN), ("0", 0.0), ("+margin", MARGIN), ("-2 margins", -2 * MARGIN)):
            found = shares(users, mean)
            print(f"{users:5,}  {name:15}  {found['pass']:4.1%}  {found['undecided']:9.1%}  {found['fail']:4.1%}")
