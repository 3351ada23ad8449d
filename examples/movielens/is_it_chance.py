"""Is item_item really better than popularity? Yes, no, or not decidable: it depends on whose NDCG@10 you ask for.

A random fifth of all ratings is held out; both recommenders learn from the others, and are tested user by user under
every preset that rankconv knows. Presets that give every user the same are one definition.

    pip install 'rankconv[examples,stats]'
    python examples/movielens/is_it_chance.py
"""

from compare_presets import labels_of, runs_of
from split import Split, load_ratings, split_at_random

import rankconv as rc
from rankconv.typing import SignificanceResult

SEED = 7
METRIC = "ndcg@10"


def main() -> None:
    """Recommend, test, print."""
    split = split_at_random(load_ratings(), seed=SEED)
    print(about(split))
    print(f"\n{tested(split).to_text(80)}")


def tested(split: Split) -> SignificanceResult:
    """Both recommenders under every definition."""
    return rc.test(labels_of(split), runs_of(split), METRIC, "all")


def about(split: Split) -> str:
    """What is evaluated, in numbers."""
    return (
        f"MovieLens, a random fifth held out (seed {SEED}): {len(split.test):,} ratings by {len(split.test_users)}\n"
        f"users; both recommenders learn from the other {len(split.train):,}."
    )


if __name__ == "__main__":
    main()
