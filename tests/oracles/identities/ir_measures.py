"""ir_measures: calc([measure], qrels, run)."""

import re

from tests.oracles.identities.base import Identity, Result, at, with_settings

NAMES = ("relative=True", "dcg='exp-log2'", "rel=1")
"""Parameters that make a measure of its own."""


def identity(r: Result) -> Identity:
    measure = re.search(r"\[(.+)\]", r["call"])[1]  # type: ignore[index]
    name, inside, cutoff = re.fullmatch(r"(\w+)(?:\((.+)\))?(?:@(.+))?", measure).groups()  # type: ignore[union-attr]
    if measure == "RBP":  # graded RBP has no provider
        return Identity("ir_measures", "RBP", offered=False)
    if name == "IPrec":
        return Identity("ir_measures", f"iprec(recall-level={cutoff})")
    if inside in NAMES:
        return Identity("ir_measures", at(f"{name}({inside})", r["k"]))
    told = SETTINGS.get(inside, "gain=table(2=3, 3=7, 4=15)")  # gains={2:3,3:7,4:15}
    return Identity("ir_measures", at(with_settings("binary_rbp" if name == "RBP" else name, told), r["k"]))


SETTINGS = {
    None: "",
    "rel=2": "relevant=at-least(2)",
    "judged_only=True": "unjudged=condensed-before-depth",
    "beta=2.0": "beta=2",
    "rel=1,p=0.5": "rbp-persistence=0.5",
    "max_rel=4": "",
}
