"""recsys_metrics: functions of one user's tensors, and the report of all, on targets of 0 and 1 or on grades."""

from tests.oracles.identities.base import Identity, Result, at, given, with_settings


def identity(r: Result) -> Identity:
    form, name = ("-report", r["metric"][7:]) if r["metric"].startswith("report.") else ("", r["metric"])
    spec = "ndcg" if name == "normalized_dcg_grades" else with_settings(name, "grades=binary")
    return Identity(given(r, f"recsys_metrics{form}"), at(spec, r["k"]), everyone=True, float32=True)
