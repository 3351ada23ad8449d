"""pyxclib: matrices of scores and of truth, and weights that are inverse propensities, given or of Jain's model."""

from tests.oracles.identities.base import Identity, Result, at, with_settings

JAIN = "_jain"


def identity(r: Result) -> Identity:
    metric, weighed = r["metric"].removesuffix(JAIN), r["metric"].startswith("ps")
    model = "item-weight=jain" if r["metric"].endswith(JAIN) else ""
    side = (("train",) if model else ("propensities",)) if weighed else ()
    single = metric.endswith("ndcg")
    return Identity("pyxclib", at(with_settings(metric, model), r["k"]), everyone=True, side=side, float32=single)
