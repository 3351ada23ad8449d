"""DocArray: evaluate of all queries or of those with both matches and ground truth, and functions of sorted grades."""

from tests.oracles.identities.base import Identity, Result, at, given, with_settings


def identity(r: Result) -> Identity | None:
    if r["metric"] == "f1_score_at_k" and "relevant Documents retrieved >" in (r["error"] or ""):
        return None  # F1 looks at the hits, which may exceed the relevant labels where F1 itself is not above 1
    discount = "discount=log(base=2)" if "method=1" in r["call"] else ""
    if r["metric"].endswith("_grades"):
        name = r["metric"].replace("_at_k", "")
        spec = with_settings(name, "order=score", discount)  # the caller sorted the grades
        return Identity(given(r, "docarray"), at(spec, r["k"]), everyone=True)
    if r["input"] == "both_sides":  # the caller left out the others
        spec = with_settings(r["metric"], "on-empty-ranking=skip", "on-no-relevant=skip", discount)
        return Identity("docarray", at(spec, r["k"]), everyone=True)
    return Identity("docarray", at(with_settings(r["metric"], discount), r["k"]), everyone=True, alone=True)
