"""RePlay: dictionaries, and pandas or polars frames."""

import rankconv as rc
from tests.oracles.identities.base import Identity, Result, at


def identity(r: Result) -> Identity | None:
    frames = "dict input" not in r["call"]
    preset = "replay_rec-frames" if frames else "replay_rec"
    spec = at(r["call"].partition("(")[0], r["k"])
    if preset not in rc.list_presets() or not rc.preset(preset).offers(spec):
        return None
    return Identity(preset, spec, everyone=not frames)
