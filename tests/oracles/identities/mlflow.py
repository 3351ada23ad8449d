"""MLflow: retriever metrics, where the targets are the relevant items or all judged ones."""

from tests.oracles.identities.base import Identity, Result, at


def identity(r: Result) -> Identity | None:
    name, _, aggregate = r["metric"].partition(".")
    if aggregate or (name == "ndcg_at_k" and _repeats_below(r)):
        return None  # the variance or the 90th percentile over users; only repetitions within k join the targets
    return Identity("mlflow-judged" if r["input"] == "judged" else "mlflow", at(name, r["k"]), everyone=True)


def _repeats_below(r: Result) -> bool:
    """Whether a list of the case has a labelled item again below k."""
    from tests.oracles.harness import cases  # which imports this module

    lists = [(user["ranking"], user["labels"]) for user in cases()[r["case"]]]
    return any(item in labels and item in rows[:rank] for rows, labels in lists for rank, item in _below(rows, r["k"]))


def _below(rows: list[str], k: int) -> list[tuple[int, str]]:
    """The items below k, and how many rows are above each."""
    return list(enumerate(rows))[k:]
