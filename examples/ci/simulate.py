"""How often a gate passes wrongly, and how often it is undecided, by population and users: python simulate.py.

A population says how many users of a branch change, and by how much; a branch that is worse by the margin must pass in
at most 5 % of the samples of any number of users.
"""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from scipy.stats import binom

from rankconv.addons.gate.decisions import Excess

MARGIN, ALPHA, TIMES = 0.01, 0.05, 2_000
USERS = (2, 6, 20, 50, 100, 300, 3_000)
Draw = Callable[[np.random.Generator, int], np.ndarray]


def verdict(changes: np.ndarray, margin: float = MARGIN) -> str:
    """Decide by the changes of a metric from 0 to 1, shape (users,)."""
    return Excess(margin, changes, (-1, 1)).verdict(ALPHA)


def some_change(share: float, mean: float, spread: float, kind: str = "normal") -> Draw:
    """Draw changes of which this share is not 0: normal, or Laplace; the mean over all users is `mean`."""

    def draw(generator: np.random.Generator, users: int) -> np.ndarray:
        changed = generator.random(users) < share
        sizes = getattr(generator, kind)(mean / share, spread, users)
        return np.where(changed, np.clip(sizes, -1, 1), 0.0)

    return draw


def shares(draw: Draw, users: int, times: int = TIMES, margin: float = MARGIN, seed: int = 0) -> dict[str, float]:
    """Return how often each verdict is given."""
    generator = np.random.default_rng(seed)
    verdicts = [verdict(draw(generator, users), margin) for _ in range(times)]
    return {name: verdicts.count(name) / times for name in ("pass", "undecided", "fail")}


def passes_of_losers(size: float, worse: float, users: int, margin: float = MARGIN) -> float:
    """Return how often a branch passes in which a share of users loses `size`: exactly, by binomial sums."""
    share, found = worse / size, 0.0
    for losers in range(users + 1):
        chance = float(binom.pmf(losers, users, share))
        if chance > 1e-9:
            changes = np.where(np.arange(users) < losers, -size, 0.0)
            found += chance * (verdict(changes, margin) == "pass")
        elif losers > share * users:
            break
    return found


WORSE = (1, 2, 5)
"""True differences, in margins."""


def populations() -> Iterator[tuple[str, Callable[[int, int], float]]]:
    """Yield each population, and how often its branches pass, by the true difference and the number of users."""
    for size in (0.05, 0.2, 1.0):
        yield f"a share of users loses {size:g}, the others nothing", partial(_of_losers, size)
    for share in (0.1, 0.4, 1.0):
        for spread in (0.03, 0.1, 0.3):
            yield f"{share:.0%} of users change, standard deviation {spread:g}", partial(_of_changes, share, spread)


def _of_losers(size: float, worse: int, users: int) -> float:
    return passes_of_losers(size, worse * MARGIN, users)


def _of_changes(share: float, spread: float, worse: int, users: int, times: int = 4_000) -> float:
    return shares(some_change(share, -worse * MARGIN, spread), users, times)["pass"]


if __name__ == "__main__":
    print("| users | true difference | pass | undecided | fail |")
    print("|------:|-----------------|-----:|----------:|-----:|")
    for users in (20, 50, 200, 2_700):
        for name, mean in (("at the margin", 1), ("none", 0), ("worse by two margins", 2)):
            if users >= 200 or mean < 2:
                given = shares(some_change(0.4, -mean * MARGIN, 0.12, "laplace"), users)
                each = " | ".join(f"{100 * one:.1f} %" for one in given.values())
                print(f"| {users:,} | {name} | {each} |")
    print(f"\n| population | {' | '.join(f'{users:,}' for users in USERS)} | most at 2 margins | most at 5 margins |")
    print(f"|---|{'--:|' * (len(USERS) + 2)}")
    for name, passes in populations():
        found = [[passes(worse, users) for users in USERS] for worse in WORSE]
        print(f"| {name} | {' | '.join(f'{100 * one:.1f} %' for one in (*found[0], max(found[1]), max(found[2])))} |")
