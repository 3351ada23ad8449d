"""PyTorch Metric Learning: AccuracyCalculator, on references of each query (`faiss`) or of all (`union`)."""

from tests.oracles.identities.base import Identity, Result, at, with_settings

PRESET = "pytorch_metric_learning+unretrieved"


def identity(r: Result) -> Identity | None:
    name, faiss, greatest = r["metric"], r["input"] == "faiss", "max_bin_count" in r["call"]
    if r["input"] == "alone" or name == "mean_average_precision_at_r":
        return None  # MRR without another metric always fails; AP down to rank R is no metric here
    if greatest and name != "r_precision":
        return None  # a cutoff that is the greatest R of any query
    if faiss and name == "mean_average_precision" and (r["k"] or 0) > 1:
        return None  # -1 of FAISS, where k exceeds the number of references
    if faiss and greatest:  # k is 0 for a query without a relevant reference, which FAISS refuses
        name = with_settings(name, "on-empty-ranking=skip", "on-no-relevant=refuse-user")
    float32 = name == "mean_reciprocal_rank"
    return Identity(PRESET, at(name, r["k"]), everyone=True, alone=True, float32=float32)
