"""rankkit: estimates from clicks on lists that were shown, of these lists themselves or of another policy."""

import re

from tests.oracles.identities.base import Identity, Result, at, with_settings

CALL = re.compile(r"(ips|snips|naive)_(dcg|rr|recall)_(shown|candidate)_eta([\d.]+)_clip([\d.]+)")


def identity(r: Result) -> Identity | None:
    found = CALL.fullmatch(r["metric"])
    if found is None:  # diagnostics of the weights, of no list
        return None
    estimate, credit, who, eta, clip = found.groups()
    weight = "" if estimate == "naive" else f"item-weight=position(eta={eta}, clip={clip})"
    spec, kept = with_settings(f"{estimate}_{credit}", weight), "shown" if who == "shown" else ""
    return Identity("rankkit", at(spec, r["k"]), everyone=True, kept=kept, side=("shown",) if weight else ())
