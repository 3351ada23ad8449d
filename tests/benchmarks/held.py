"""The forms in which people hold labels and a run, each made from the same data; peers are handed the same."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tests.benchmarks.data import Data
from tests.benchmarks.peers.dictionaries import Dicts, dictionaries

Held = tuple[Any, Any]
"""Labels and a run."""
TOPICS = 50_000
"""A TREC file has so many topics at most."""


def pandas(data: Data) -> Held:
    """Frames of interactions and of ranked rows, as RecTools takes them."""
    import pandas as pd

    length = data.pred.shape[1]
    ranks = np.tile(np.arange(1, length + 1), data.users)
    run = {"user_id": np.repeat(np.arange(data.users), length), "item_id": data.pred.ravel(), "rank": ranks}
    known = {"user_id": data.label_users, "item_id": data.items}
    return pd.DataFrame(known), pd.DataFrame(run)


def scored_pandas(data: Data) -> Held:
    """Frames of interactions and of scored rows, as recommenders takes them."""
    import pandas as pd

    user = np.repeat(np.arange(data.users), data.pred.shape[1])
    run = {"user": user, "item": data.pred.ravel(), "score": data.score.ravel().astype(np.float64)}
    known = {"user": data.label_users, "item": data.items, "grade": np.ones(len(data.items))}
    return pd.DataFrame(known), pd.DataFrame(run)


def text_frames(data: Data) -> Held:
    """polars frames of text ids, as ranx takes pandas's: grades are integers, scores fall within a user."""
    import polars as pl

    user = np.repeat(np.arange(data.users), data.pred.shape[1])
    score = data.score.ravel().astype(np.float64)
    run = pl.DataFrame({"q_id": user, "doc_id": data.pred.ravel(), "score": score})
    labels = pl.DataFrame({"q_id": data.label_users, "doc_id": data.items, "grade": np.ones(len(data.items), np.int64)})
    named = [pl.format(f"{prefix}{{}}", name).alias(name) for prefix, name in (("u", "q_id"), ("i", "doc_id"))]
    return labels.with_columns(named), run.with_columns(named)


def text_pandas(data: Data) -> Held:
    """The same in pandas, texts as its objects."""
    labels, run = (frame.to_pandas() for frame in text_frames(data))
    return labels.astype({"q_id": object, "doc_id": object}), run.astype({"q_id": object, "doc_id": object})


def text_arrow(data: Data) -> Held:
    """The same in pyarrow."""
    labels, run = (frame.to_arrow() for frame in text_frames(data))
    return labels, run


def dense(data: Data) -> Held:
    """What scikit-learn takes: for each user the grades of their ranked items, and the scores."""
    user = np.arange(data.users)[:, None]
    known = np.sort(data.label_users * data.catalogue + data.items)
    keys = user * data.catalogue + data.pred
    place = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    return (known[place] == keys).astype(np.float64), data.score.astype(np.float64)


def array_and_csr(data: Data) -> Held:
    """Labels as a SciPy matrix, and the items of each list, best first."""
    from scipy import sparse

    shape = (data.users, data.catalogue)
    labels = sparse.csr_matrix((np.ones(len(data.items)), data.items, data.starts), shape)
    labels.sort_indices()
    return labels, data.pred


def shuffled_dicts(data: Data) -> Dicts:
    """Dictionaries whose items stand in no order."""
    labels, run = dictionaries(data)
    random = np.random.default_rng(1)
    for user, items in run.items():
        entries = list(items.items())
        run[user] = {entries[at][0]: entries[at][1] for at in random.permutation(len(entries)).tolist()}
    return labels, run


def trec(data: Data) -> Held:
    """Paths of qrels and of a run, written beside the data once, of the first topics."""
    paths = data.folder / "qrels.trec", data.folder / "run.trec"
    if not paths[1].exists():
        unfinished = paths[1].with_suffix(".part")
        _write(data.first(min(TOPICS, data.users)), paths[0], unfinished)
        unfinished.rename(paths[1])
    return str(paths[0]), str(paths[1])


def _write(data: Data, qrels: Path, run: Path) -> None:
    import polars as pl

    labels, rows = text_frames(data)
    labels.select("q_id", pl.lit("0").alias("zero"), "doc_id", "grade").write_csv(
        qrels, separator=" ", include_header=False
    )
    rank = pl.int_range(1, pl.len() + 1).over("q_id")
    columns = ["q_id", pl.lit("Q0").alias("zero"), "doc_id", rank.alias("rank"), "score", pl.lit("x").alias("tag")]
    rows.select(columns).write_csv(run, separator=" ", include_header=False)


HELD: dict[str, Callable[[Data], Held]] = {
    "pandas": pandas,
    "scored rows in pandas": scored_pandas,
    "text ids in polars": text_frames,
    "text ids in pyarrow": text_arrow,
    "text ids in pandas (objects)": text_pandas,
    "dense arrays": dense,
    "array and CSR labels": array_and_csr,
    "dicts": dictionaries,
    "dicts in any order": shuffled_dicts,
    "TREC files": trec,
}
