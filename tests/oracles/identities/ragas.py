"""ragas: context precision and the id-based metrics; the caller cut the list."""

from tests.oracles.identities.base import COMMON, Identity, Result, with_settings


def identity(r: Result) -> Identity | None:
    name = COMMON.get(r["metric"], r["metric"])
    return Identity("ragas", with_settings(name, f"max-depth={r['k']}" if r["k"] else ""), everyone=True)
