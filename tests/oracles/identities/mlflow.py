"""MLflow: retriever metrics, where the targets are the relevant items or all judged ones."""

from tests.oracles.identities.base import Identity, Result, at


def identity(r: Result) -> Identity | None:
    name, _, aggregate = r["metric"].partition(".")  # the mean, or the variance or p90 over users
    if name == "ndcg_at_k" and _repeats_below(r):
        return None  # only repetitions within k join the targets
    spec = f"{name.removesuffix('k')}{r['k']}/{aggregate}" if aggregate else at(name, r["k"])
    return Identity("mlflow-judged" if r["input"] == "judged" else "mlflow", spec, everyone=True)


def _repeats_below(r: Result) -> bool:
    """Whether a list of the case has a labelled item again below k."""
    from tests.oracles.harness import cases  # which imports this module

    lists = [(user["ranking"], user["labels"]) for user in cases()[r["case"]]]
    return any(item in labels and item in rows[:rank] for rows, labels in lists for rank, item in _below(rows, r["k"]))


def _below(rows: list[str], k: int) -> list[tuple[int, str]]:
    """The items below k, and how many rows are above each."""
    return list(enumerate(rows))[k:]
