"""ranx 0.3.21: `evaluate` with `Qrels` and `Run`, without waiting for Numba to compile.

    from rankconv.compat.ranx import Qrels, Run, evaluate          # was: from ranx import Qrels, Run, evaluate
    evaluate(Qrels(qrels), Run(run), ["ndcg@10", "map-l2"])

The rankconv way: `rc.evaluate(qrels, run, ["ndcg@10", "map(relevant=at-least(2))"], preset="ranx")`.

What may surprise, and is kept: grades are cut to whole numbers; grades below the level (`-l2`) are dropped before
gains are looked up, also in DCG, NDCG and RBP; `ndcg` has the gain grade and `ndcg_burges` 2^grade - 1; the two sides
must hold the same queries, unless `make_comparable` says that a query which the run lacks counts 0, and changes the
run; `@0` is the whole list.

What differs here: bpref of a query does not depend on the other queries, where judged ones that are not relevant are
lacking and ranx gives NaN or 0 by what else is in the run; tied documents keep the order in which they were added, in
ranx up to 15 of a query alone; no threads are needed, and `threads` is not read. A mean is an `Number`, a float
that knows its definition. `fuse`, `compare` and the hub are not here: `rc.test` and `rc.leaderboard` compare runs.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

import rankconv as rc
from rankconv.compat.queries import Qrels, Run, WrongAssertion, WrongValue, changed, of, refused_as

__all__ = ["Qrels", "Run", "evaluate"]
PRESET = "ranx"
METRICS = (
    *("hits", "hit_rate", "precision", "recall", "f1", "r-precision", "mrr", "map"),
    *("dcg", "dcg_burges", "ndcg", "ndcg_burges", "bpref", "rbp"),
)


def evaluate(
    qrels: Any,
    run: Any,
    metrics: str | Sequence[str],
    return_mean: bool = True,
    return_std: bool = False,
    threads: int = 0,
    save_results_in_run: bool = True,
    make_comparable: bool = False,
) -> Any:
    """Evaluate a run: one float for one metric, else a dict of them.

    `qrels` and `run` are `Qrels` and `Run`, dictionaries of dictionaries, or for each query an array of ids and
    numbers, shape (documents, 2), whose run is in the given order. `return_mean=False` gives each query's value,
    shape (queries,), in the order of their ids; `return_std=True` mean and standard deviation.

    Raises WrongAssertion, an AssertionError, where the two hold other queries, and WrongValue, a ValueError, for a
    metric that there is none of.

    >>> evaluate(Qrels({"q": {"a": 2, "b": 1}}), Run({"q": {"x": 0.9, "a": 0.5}}), "mrr@5")
    0.5
    >>> evaluate({"q": {"a": 2, "b": 1}}, {"q": {"x": 0.9, "a": 0.5}}, ["map", "recall@1-l2"])
    {'map': 0.25, 'recall@1-l2': 0.0}
    """
    if make_comparable and isinstance(qrels, Qrels) and isinstance(run, Run):
        run.make_comparable(qrels)
    names = [metrics] if isinstance(metrics, str) else [*metrics]
    if not all(isinstance(metric, str) for metric in names):
        raise WrongAssertion("Metrics error", allowed="Metrics are text, such as ndcg@10")
    definitions = {metric: _definition(metric) for metric in names}
    labels, lists = _by_query(qrels, scored=False), _by_query(run, scored=True)
    if labels.keys() != lists.keys():
        do = "Let `make_comparable` add empty results for queries missing from the run, and remove others."
        raise WrongAssertion("Qrels and Run query ids do not match", do=do)
    with refused_as(WrongValue):
        result = rc.evaluate(labels, lists, [*definitions.values()])
    order = np.argsort(result.users.astype(str), kind="stable")
    values = {metric: result[one].per_user[order] for metric, one in definitions.items()}
    found = {metric: result[one] for metric, one in definitions.items()}
    if isinstance(run, Run) and save_results_in_run:
        _save(run, found, values, result.users[order].tolist(), return_std and return_mean)
    if not return_mean:
        return _one_or_all(values)
    if return_std:
        return _one_or_all({name: {"mean": mean, "std": float(np.std(values[name]))} for name, mean in found.items()})
    return _one_or_all(found)


def _save(run: Run, found: Mapping[str, float], values: Any, queries: list[str], with_std: bool) -> None:
    for metric, mean in found.items():
        run.mean_scores[metric] = mean
        run.scores[metric] = dict(zip(queries, values[metric].tolist(), strict=True))
        if with_std:
            run.std_scores[metric] = float(np.std(values[metric]))


def _one_or_all(found: dict[str, Any]) -> Any:
    return next(iter(found.values())) if len(found) == 1 else found


def _definition(metric: str) -> rc.Definition:
    """What `ndcg@10`, `map-l2` or `rbp.95` is."""
    named, _, level = metric.partition("-l")
    cutoff = level.partition("@")[2] if "@" in level else ""
    name, _, k = named.partition("@")
    name, _, persistence = name.partition(".")
    name, persistence, k = (name, persistence or k, "") if name == "rbp" else (name, persistence, k or cutoff)
    if name not in METRICS:
        raise WrongValue(f"Metric {name} not supported", allowed=f"Choose one of: {', '.join(METRICS)}")
    if name == "rbp" and not persistence:
        raise WrongValue("RBP requires persistence value", allowed="Write, for instance, rbp.95")
    with refused_as(WrongValue):
        found = of(PRESET, name, int(k) if k.isdigit() and int(k) else None)
        settings = {"rbp-persistence": f"0.{persistence}"} if name == "rbp" else {}
        level = level.partition("@")[0]
        settings |= {"relevant": f"at-least({level})"} if level and level != "1" else {}
        return changed(found, settings)


def _by_query(data: Any, *, scored: bool) -> dict[str, Any]:
    """Numbers by query and document; of arrays of a run the items in their order."""
    if isinstance(data, Mapping):
        kind = Run if scored else Qrels
        return data if isinstance(data, kind) else kind(data)
    pairs = [np.asarray(one) for one in data]
    if scored:
        return {f"{query:09}": one[:, 0].tolist() for query, one in enumerate(pairs)}
    return {f"{query:09}": dict(one.tolist()) for query, one in enumerate(pairs)}
