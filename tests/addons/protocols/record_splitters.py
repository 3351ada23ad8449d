"""The splits of other libraries: `python -m tests.addons.protocols.record_splitters` writes them anew.

The five libraries do not install side by side: whatever imports where it runs is recorded, what does not is left as it
is, and said so. Recorded with lenskit 2025.8.1, rectools 0.19.0, recommenders 1.2.1 with scikit-learn 1.9.1, and
recbole 1.2.1, each in an environment of its own.
"""

import json
from collections.abc import Callable, Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

RECORD = Path(__file__).parent / "splitters.json"
COUNTS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 5, 4, 2)
"""How many ratings each user has."""
Rows = list[tuple[int, int, int, int]]


def ratings() -> Rows:
    """User, item, rating and second of a month, in no order."""
    draw = np.random.default_rng(11)
    rows = [
        (user, int(item) + 100, int(draw.integers(1, 6)), 1_600_000_000 + int(draw.integers(0, 30 * 86400)))
        for user, count in enumerate(COUNTS, 1)
        for item in draw.choice(20, count, replace=False)
    ]
    draw.shuffle(rows)
    return [(int(user), int(item), int(rating), int(time)) for user, item, rating, time in rows]


def lenskit(rows: Rows) -> dict[str, Any]:
    import pandas as pd
    from lenskit.data import from_interactions_df
    from lenskit.splitting import (
        LastFrac,
        LastN,
        SampleFrac,
        SampleN,
        crossfold_users,
        split_global_time,
        split_temporal_fraction,
    )

    data = from_interactions_df(pd.DataFrame(rows, columns=["user_id", "item_id", "rating", "timestamp"]))

    def parts(made: Any) -> dict[str, Any]:
        train = made.train.interaction_matrix(format="pandas", original_ids=True)
        test = [(key.user_id, item) for key, items in made.test for item in items.ids()]
        return {"train": pairs(zip(train["user_id"], train["item_id"], strict=True)), "test": pairs(test)}

    held_out = {
        "SampleN(5)": SampleN(5, rng=6),
        "SampleFrac(0.25)": SampleFrac(0.25, rng=6),
        "LastN(2)": LastN(2),
        "LastFrac(0.3)": LastFrac(0.3),
    }
    users = [int(user) for user in data.users.ids()]
    return {
        "version": version("lenskit"),
        "users in their order": users,
        "items of each user in their order": {
            user: [int(item) for item in data.user_row(user).ids()] for user in users
        },
        **{
            f"crossfold_users(5, {name})": [parts(made) for made in crossfold_users(data, 5, method, rng=5)]
            for name, method in held_out.items()
        },
        "split_global_time(1601500000)": parts(split_global_time(data, 1601500000)),
        "split_temporal_fraction(0.2)": parts(split_temporal_fraction(data, 0.2)),
    }


def rectools(rows: Rows) -> dict[str, Any]:
    import pandas as pd
    from rectools.dataset import Interactions
    from rectools.model_selection import LastNSplitter, TimeRangeSplitter

    frame = pd.DataFrame(rows, columns=["user_id", "item_id", "weight", "datetime"])
    data = Interactions(frame.assign(datetime=pd.to_datetime(frame["datetime"], unit="s")))
    splitters = {
        "TimeRangeSplitter('7D')": TimeRangeSplitter("7D"),
        "TimeRangeSplitter('7D', filter none)": TimeRangeSplitter("7D", 1, False, False, False),
        "LastNSplitter(2)": LastNSplitter(2),
        "LastNSplitter(2, filter none)": LastNSplitter(2, 1, False, False, False),
    }
    found = {name: next(iter(splitter.split(data))) for name, splitter in splitters.items()}
    return {"version": version("rectools")} | {
        name: {"train": pairs(rows[at][:2] for at in train), "test": pairs(rows[at][:2] for at in test)}
        for name, (train, test, _) in found.items()
    }


def recommenders(rows: Rows) -> dict[str, Any]:
    import pandas as pd
    from recommenders.datasets.python_splitters import python_chrono_split, python_stratified_split
    from sklearn.model_selection import GroupKFold

    data = pd.DataFrame(rows, columns=["userID", "itemID", "rating", "timestamp"])
    users = data["userID"].to_numpy()

    def parts(made: Iterable[Any]) -> dict[str, Any]:
        told = (pairs(zip(part["userID"], part["itemID"], strict=True)) for part in made)
        return dict(zip(("train", "test"), told, strict=True))

    def folds(splitter: Any) -> list[list[int]]:
        return [np.unique(users[test]).tolist() for _, test in splitter.split(data, groups=users)]

    return {
        "version": version("recommenders"),
        "sklearn": version("scikit-learn"),
        "python_stratified_split(0.75, seed=42)": parts(python_stratified_split(data.copy(), ratio=0.75, seed=42)),
        "python_chrono_split(0.75)": parts(python_chrono_split(data.copy(), ratio=0.75)),
        "GroupKFold(5, shuffle=True, random_state=3)": folds(GroupKFold(5, shuffle=True, random_state=3)),
        "GroupKFold(5)": folds(GroupKFold(5)),
    }


def recbole(rows: Rows) -> dict[str, Any]:
    """Where the parts of a user with so many ratings end, the last of them excepted."""
    from recbole.data.dataset.dataset import Dataset

    ends = {n: [int(end) for end in Dataset._calcu_split_ids(None, n, [0.8, 0.1, 0.1])] for n in range(1, 40)}
    return {"version": version("recbole"), "split ids": ends}


def pairs(told: Iterable[Any]) -> list[tuple[int, int]]:
    return sorted((int(user), int(item)) for user, item in told)


LIBRARIES: tuple[Callable[[Rows], dict[str, Any]], ...] = (lenskit, rectools, recommenders, recbole)


def main() -> None:
    """Record what can be, keep what cannot."""
    kept, rows = json.loads(RECORD.read_text()), ratings()
    for library in LIBRARIES:
        name = library.__name__
        try:
            kept[name] = library(rows)
            print(f"{name} {kept[name]['version']}: recorded")
        except ImportError as error:
            print(f"{name}: left as it is, version {kept[name]['version']} ({error})")
    RECORD.write_text(json.dumps({**kept, "ratings": rows}, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
