"""How often a gate passes wrongly, and how often it is undecided, by population and users: python simulate.py.

A population says how many users of a branch change, and by how much; a branch that is worse by the margin must pass in
at most 5 % of the samples of any number of users.
"""

from collections.abc import Callable, Iterator

import numpy as np
from scipy.stats import binom

from rankconv.addons.gate.decisions import Excess

MARGIN, ALPHA, TIMES = 0.01, 0.05, 2_000
USERS = (2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 30, 49, 50, 80, 150, 300, 1_000, 3_000)
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


def worst(passes: Callable[[int], float]) -> str:
    """Return the largest share of passes over the numbers of users, and at how many users it is."""
    found = {users: passes(users) for users in USERS}
    users = max(found, key=found.__getitem__)
    return f"{found[users]:.1%}" + (f" ({users:,} users)" if found[users] >= 0.0005 else "")


def rows() -> Iterator[tuple[str, list[str]]]:
    """Yield each population, with the worst passes at differences of 1, 2 and 5 margins."""
    worse = [MARGIN, 2 * MARGIN, 5 * MARGIN]
    for size in (0.05, 0.2, 1.0):
        passes = [worst(lambda users, one=one: passes_of_losers(size, one, users)) for one in worse]  # noqa: B023
        yield f"a share of users loses {size:g}, the others nothing (exact)", passes
    for share in (0.1, 0.4, 1.0):
        for spread in (0.03, 0.1, 0.3):
            draws = [some_change(share, -one, spread) for one in worse]
            passes = [worst(lambda users, draw=draw: shares(draw, users)["pass"]) for draw in draws]
            yield f"{share:.0%} of users change, normal, sd {spread:g}", passes


if __name__ == "__main__":
    print(
        "| users | true difference | pass | undecided | fail |\n|------:|-----------------|-----:|----------:|-----:|"
    )
    for users in (20, 50, 200, 2_700):
        for name, mean in (("at the margin", 1), ("none", 0), ("worse by two margins", 2)):
            if users >= 200 or mean < 2:
                found = shares(some_change(0.4, -mean * MARGIN, 0.12, "laplace"), users)
                print(f"| {users:,} | {name} | {found['pass']:.1%} | {found['undecided']:.1%} | {found['fail']:.1%} |")
    print("\n| population | 1 margin | 2 margins | 5 margins |\n|---|--:|--:|--:|")
    for name, passes in rows():
        print(f"| {name} | {' | '.join(passes)} |")
