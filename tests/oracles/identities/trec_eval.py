"""trec_eval 10, with its options."""

import re

from tests.oracles.identities.base import Identity, Result


def identity(r: Result) -> Identity | None:
    name = re.search(r"-m (\S+)$", r["call"])[1]  # type: ignore[index]
    if r["metric"] == "any":
        return Identity("trec_eval", "map")
    family, _, cutoff = name.partition(".")
    if family not in TREC_EVAL_HAS:
        return None
    preset = "trec_eval-c" if " -c " in r["call"] else "trec_eval"
    depth, level = re.search(r"-M (\d+)", r["call"]), re.search(r"-l (\d+)", r["call"])
    answers = [
        "unjudged=removed-after-depth" if " -J " in r["call"] else "",
        f"depth={depth[1]}" if depth else "",
        f"relevant=at-least({level[1]})" if level else "",
    ]
    told = ", ".join(filter(None, answers))
    spec = f"{family}({told})" if told else family
    return Identity(preset, f"{spec}@{cutoff}" if cutoff else spec)


TREC_EVAL_HAS = set(
    "P recall set_recall set_F map map_cut recip_rank ndcg ndcg_cut success Rprec dcg ideal_dcg set_P relative_P "
    "set_relative_P gm_map".split()
)
