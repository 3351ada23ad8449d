"""Phoenix: metrics of the evaluations of one retrieval, where a missing evaluation is 0 or NaN."""

from tests.oracles.identities.base import Identity, Result, at, with_settings

NAMES = {"reciprocal_rank": "mrr", "hit": "hit_rate"}


def identity(r: Result) -> Identity:
    preset = "phoenix-nan" if r["input"] == "nan" else "phoenix"
    name = NAMES.get(r["metric"], r["metric"])
    alone = with_settings(name, "on-no-ranking=0")  # an empty list has a value, and no mean has it
    return Identity(preset, at(name, r["k"]), everyone=True, per_user_spec=at(alone, r["k"]))
