"""The notebook of Liang et al. 2018."""

from tests.oracles.identities.base import Identity, Result, at


def identity(r: Result) -> Identity | None:
    spec, every = at(r["call"].partition("(")[0], r["k"]), r["metric"].endswith("_all_users")
    return Identity("vae_cf-all-users" if every else "vae_cf", spec, everyone=every)
