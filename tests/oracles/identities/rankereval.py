"""RankerEval: NaN makes the mean NaN, is left out, or counts 0 while the user's own value stays NaN."""

import re

from tests.oracles.identities.base import Identity, Result, at, with_settings

POLICIES = {"precision_truncated": ["on-empty-ranking"], "hit_rate": ["on-several-relevant"]}
MEANS = {"propagate": "", "drop": "skip", "zerofill": "nan-as(0)"}


def identity(r: Result) -> Identity:
    how = re.search(r"nan_handling='(\w+)'", r["call"])
    assert how is not None, r["call"]
    counts = MEANS[how[1]]
    preset = "rankereval-grades" if r["input"] == "grades" else "rankereval"
    name, base = (r["metric"].removesuffix("_log2"), "discount=log(base=2)" if "log_base='2'" in r["call"] else "")
    settings = [f"{policy}={counts}" for policy in ("on-no-relevant", *POLICIES.get(name, ()))] if counts else []
    nobody = ["on-no-users=0"] if how[1] == "zerofill" else []
    return Identity(preset, at(with_settings(name, base, *settings, *nobody), r["k"]), everyone=True)
