"""TorchRec: metrics of sessions, on the rows returned or with the missed ones appended."""

from tests.oracles.identities.base import Identity, Result, at, given, with_settings

NAMES = {"recall_session": "recall", "precision_session": "precision"}


def identity(r: Result) -> Identity:
    preset = given(r, "torchrec")
    name = NAMES.get(r["metric"], r["metric"])
    alone = with_settings(name, "on-zero-division=0.5", "on-equal-or-zero-scores=0.5") if name == "gauc" else ""
    return Identity(preset, at(name, r["k"]), everyone=True, per_user_spec=alone and at(alone, r["k"]))
