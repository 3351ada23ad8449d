"""napkinXC: lists of labels; grades of propensity-scored metrics are the inverse propensities that the caller gave."""

from tests.oracles.identities.base import Identity, Result, at


def identity(r: Result) -> Identity:
    kept = "propensities" if r["metric"].startswith("ps") else ""
    shown = "micro_f1(on-zero-division=refuse-user)" if r["metric"] == "micro_f1" else ""
    return Identity("napkinxc", at(r["metric"], r["k"]), everyone=True, kept=kept, per_user_spec=shown)
