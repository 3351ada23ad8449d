"""KerasRS: metric classes, on the items returned or with the missed ones appended."""

from tests.oracles.identities.base import Identity, Result, at, given, with_settings


def identity(r: Result) -> Identity:
    preset = given(r, "keras_rs")
    alone = with_settings(r["metric"], "on-empty-ranking=0")  # of masks alone, with nothing beside it to be left out of
    return Identity(preset, at(r["metric"], r["k"]), everyone=True, per_user_spec=at(alone, r["k"]))
