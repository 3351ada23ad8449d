"""Rax: functions of padded arrays, on the items returned or with the missed ones appended."""

import rankconv as rc
from tests.oracles.identities.base import Identity, Result, at, given, with_settings


def identity(r: Result) -> Identity | None:
    preset = given(r, "rax")
    name = r["call"].partition("(")[0]
    if not rc.preset(preset).offers(at(name, r["k"])):
        return None
    gain = "gain=linear" if "identity" in r["call"] else ""
    alone = at(with_settings(name, gain, "on-empty-ranking=0"), r["k"])  # a masked list has a value of its own
    return Identity(preset, at(with_settings(name, gain), r["k"]), everyone=True, per_user_spec=alone)
