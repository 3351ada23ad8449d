"""trec_eval 10, with its options."""

import re

from tests.oracles.identities.base import Identity, Result
from tests.oracles.identities.trec_eval_9 import spec


def identity(r: Result) -> Identity:
    if r["metric"] == "any":  # the program stops, whatever is asked
        return Identity("trec_eval", "map")
    name = re.search(r"-m (\S+)$", r["call"])[1]  # type: ignore[index]
    depth, level = re.search(r"-M (\d+)", r["call"]), re.search(r"-l (\d+)", r["call"])
    ignored = name == "num_rel" and " -c " in r["call"]  # -l has no effect there
    asked = spec(
        name,
        "unjudged=condensed-after-depth" if " -J " in r["call"] else "",
        f"max-depth={depth[1]}" if depth else "",
        f"relevant=at-least({level[1]})" if level and not ignored else "",
    )
    return Identity("trec_eval-c" if " -c " in r["call"] else "trec_eval", asked)
