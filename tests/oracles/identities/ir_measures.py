"""ir_measures: calc([measure], qrels, run)."""

import re

from tests.oracles.identities.base import Identity, Result, at, with_answers


def identity(r: Result) -> Identity | None:
    measure = re.search(r"\[(.+)\]", r["call"])[1]  # type: ignore[index]
    name, inside, cutoff = re.fullmatch(r"(\w+)(?:\((.+)\))?(?:@(.+))?", measure).groups()  # type: ignore[union-attr]
    if name not in HAS:
        return None
    if inside in ("relative=True", "dcg='exp-log2'"):  # measures of their own
        return Identity("ir_measures", at(f"{name}({inside})", r["k"]))
    answer = {
        None: "",
        "rel=2": "relevant=at-least(2)",
        "judged_only=True": "unjudged=removed-before-depth",
        "beta=2.0": "beta=2",
    }
    told = answer.get(inside, "gain=table(2=3, 3=7, 4=15)")  # gains={2:3,3:7,4:15}
    return Identity("ir_measures", at(with_answers(name, told), int(cutoff) if cutoff else None))


HAS = set("P R SetR SetF AP RR nDCG Success Rprec SetP".split())
