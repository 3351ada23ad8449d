"""napkinXC: lists of labels. Weights are inverse propensities, given by item or as the grades of labels."""

from tests.oracles.identities.base import Identity, Result, at

RAW = "_not_normalized"


def identity(r: Result) -> Identity:
    if r["case"].startswith("weights_"):
        return of_weights(r)
    kept = "propensities" if r["metric"].startswith("ps") else ""
    shown = "micro_f1(on-zero-division=refuse-user)" if r["metric"] == "micro_f1" else ""
    return Identity("napkinxc", at(r["metric"], r["k"]), everyone=True, kept=kept, per_user_spec=shown)


def of_weights(r: Result) -> Identity:
    """Weights of items were given next to labels without grades."""
    metric = r["metric"].removesuffix(RAW)
    if not metric.startswith("ps"):
        return Identity("napkinxc", at(metric, r["k"]), everyone=True)
    spec = f"weighted_{metric}{'_raw' if r['metric'].endswith(RAW) else ''}"
    return Identity("napkinxc", at(spec, r["k"]), everyone=True, side=("propensities",))
