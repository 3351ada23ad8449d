"""ranx from the frames it takes: text ids, a column of grades and one of scores, in pandas."""

from typing import Any

import numpy as np

from tests.benchmarks.data import Data
from tests.benchmarks.peers.peer import Peer, main
from tests.benchmarks.peers.ranx import evaluate


def prepare(data: Data) -> tuple[Any, Any]:
    """The frames."""
    import pandas as pd

    def frame(user: Any, item: Any, name: str, number: Any) -> Any:
        texts = {"q_id": [f"u{one}" for one in user.tolist()], "doc_id": [f"i{one}" for one in item.tolist()]}
        return pd.DataFrame({**texts, name: number}).astype({"q_id": object, "doc_id": object})

    user = np.repeat(np.arange(data.users), data.pred.shape[1])
    run = frame(user, data.pred.ravel(), "score", data.score.ravel().astype(np.float64))
    return frame(data.label_users, data.items, "score", np.ones(len(data.items), np.int64)), run


def convert(given: tuple[Any, Any]) -> tuple[Any, Any]:
    """Its own structures, sorted."""
    from ranx import Qrels, Run

    return Qrels.from_df(given[0]), Run.from_df(given[1])


PEER = Peer(
    "ranx",
    "ranx",
    evaluate,
    convert,
    prepare,
    requirements=("ranx==0.3.21", "pandas"),
    held="text ids in pandas (objects)",
    goal=8,
)

if __name__ == "__main__":
    main(PEER)
