"""MLflow: retriever metrics, where the targets are the relevant items or all judged ones."""

from tests.oracles.identities.base import Identity, Result, at


def identity(r: Result) -> Identity | None:
    name, _, aggregate = r["metric"].partition(".")  # the mean, or the variance or p90 over users
    spec = f"{name.removesuffix('k')}{r['k']}/{aggregate}" if aggregate else at(name, r["k"])
    return Identity("mlflow-judged" if r["input"] == "judged" else "mlflow", spec, everyone=True)
