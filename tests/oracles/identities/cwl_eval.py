"""cwl_eval: a measure's expected utility, total utility and depth; the caller divided grades above 1 by the highest."""

import re
from collections.abc import Mapping

from tests.oracles.identities.base import Identity, Result, at, with_settings

READERS: Mapping[str, str] = {
    "RBP": "{}",
    "INST": "inst({})",
    "INSQ": "insq({})",
    "NERR-EQ10": "all(unsatisfied, {})",
    "NERR-EQ11": "all(unsatisfied, insq({}))",
    "TBG": "half-life({})",
    "U": "line({})",
    "BPM": "all(gain-below({}), cost-below({}))",
}
"""The continuation of a measure with parameters."""


def identity(r: Result) -> Identity:
    divided = re.search(r"grade / ([\d.]+)", r["note"])
    highest = divided[1] if divided else "1"
    arguments = re.findall(r"[\d.]+", r["call"].partition("(")[2])
    reader = READERS.get(r["metric"].partition(".")[0], "").format(*arguments)
    settings = [f"cwl-continuation={reader}" if reader else ""]
    if highest != "1":
        settings += [f"gain=linear-over({highest})", "grades-allowed=any"]
    return Identity("cwl_eval", at(with_settings(r["metric"], *settings), r["k"]))
