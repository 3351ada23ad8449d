"""MLflow: retriever metrics, where the targets are the relevant items or all judged ones."""

from tests.oracles.identities.base import Identity, Result, at


def identity(r: Result) -> Identity | None:
    name, _, aggregate = r["metric"].partition(".")
    if aggregate:
        return None  # the variance or the 90th percentile over users
    if name == "ndcg_at_k" and r["case"] == "duplicates" and r["k"] < 20:
        return None  # only repetitions within k join the targets; the lists have fewer rows than 20
    return Identity("mlflow-judged" if r["input"] == "judged" else "mlflow", at(name, r["k"]), everyone=True)
