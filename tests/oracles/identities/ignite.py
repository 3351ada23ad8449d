"""PyTorch-Ignite: HitRate and NDCG, updated user by user, on the items returned or with the missed ones appended."""

from tests.oracles.identities.base import Identity, Result, at, given, with_settings


def identity(r: Result) -> Identity:
    everyone = "-all-users" if "ignore_zero_hits=False" in r["call"] else ""
    preset = given(r, f"ignite{everyone}")
    name = "ndcg_linear" if "linear_rank" in r["call"] else r["metric"]
    spec = with_settings(name, "relevant=at-least(2)" if "threshold=2" in r["call"] else "")
    return Identity(preset, at(spec, r["k"]), everyone=True)
