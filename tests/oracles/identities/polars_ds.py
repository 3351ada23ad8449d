"""polars_ds: the items returned, or the missed ones below them too; ties averaged or as sorted."""

from tests.oracles.identities.base import Identity, Result, at


def identity(r: Result) -> Identity:
    preset = "polars_ds+unretrieved" if r["metric"].endswith("_union") else "polars_ds"
    name = r["metric"].removesuffix("_union")
    return Identity(preset, at(name, r["k"]), everyone=True, mean=r["mean"] is not None)
