"""PyTorch Metric Learning: AccuracyCalculator, on references of each query (`faiss`) or of all (`union`)."""

from tests.oracles.identities.base import Identity, Result, at, with_settings

PRESET = "pytorch_metric_learning+unretrieved"
AT_R = "mean_average_precision_at_r"
NO_REFERENCES = "on-no-ranking-and-on-no-labels"


def identity(r: Result) -> Identity | None:
    name, faiss, greatest = r["metric"], r["input"] == "faiss", "max_bin_count" in r["call"]
    if r["input"] == "alone":
        return Identity(PRESET, "mrr_alone", offered=False)  # without another metric it always fails
    if faiss and name == "mean_average_precision" and _fills(r):
        return None
    float32, alone, spec = name == "mean_reciprocal_rank", "", at(name, r["k"])
    if faiss and greatest:  # k is the R of the one query, and FAISS refuses 0
        refused = (f"{NO_REFERENCES}=skip", "on-no-relevant=refuse-user")
        name = AT_R if name == "mean_average_precision" else name
        spec = with_settings(name, "max-depth=relevant" if float32 else "", *refused)
    elif greatest and name not in ("r_precision", AT_R):  # k is the greatest R of any query; of one alone, its own
        spec = with_settings(name, "max-depth=most-relevant")
        own = ("max-depth=relevant", f"{NO_REFERENCES}=refuse-user", "on-no-rows-at-all=as-computed")
        alone = with_settings(name if float32 else AT_R, *own)
    elif name == AT_R:  # lists that are cut at R do not tell a query without references from one without hits
        alone = at(with_settings(name, f"{NO_REFERENCES}=refuse-user"), r["k"])
    return Identity(PRESET, spec, everyone=True, alone=True, per_user_spec=alone, float32=float32)


def _fills(r: Result) -> bool:
    """Whether FAISS fills a result with -1, as k exceeds the number of references of some query."""
    from tests.oracles.harness import cases  # which imports this module

    users = cases()[r["case"]]
    return any(len(user["ranking"]) + len({*user["labels"]} - {*user["ranking"]}) < (r["k"] or 0) for user in users)
