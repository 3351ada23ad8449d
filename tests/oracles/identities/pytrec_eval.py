"""pytrec_eval: RelevanceEvaluator(qrel, {name}, …).evaluate(run), and compute_aggregated_measure over it."""

import re

from tests.oracles.identities.base import Identity, Result
from tests.oracles.identities.trec_eval_9 import spec


def identity(r: Result) -> Identity:
    if r["metric"] == "any":  # grades that are not whole, whatever is asked
        return Identity("pytrec_eval", "map")
    name = re.search(r"\{'([\w.]+)'\}", r["call"])[1]  # type: ignore[index]
    level = re.search(r"relevance_level=(\d+)", r["call"])
    asked = spec(
        name,
        "unjudged=condensed-before-depth" if "judged_docs_only_flag" in r["call"] else "",
        f"relevant=at-least({level[1]})" if level else "",
    )
    return Identity("pytrec_eval", asked, logarithms=name.startswith("gm_"))
