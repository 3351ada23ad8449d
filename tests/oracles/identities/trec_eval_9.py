"""trec_eval 9, with its options; single topics that the run lacks are not printed."""

import re

from tests.oracles.identities.base import Identity, Result, at, with_settings


def identity(r: Result) -> Identity:
    if r["metric"] == "any":  # the program stops, whatever is asked
        return Identity("trec_eval@9.0.8", "map")
    name = re.search(r"-m (\S+)$", r["call"])[1]  # type: ignore[index]
    depth, level = re.search(r"-M (\d+)", r["call"]), re.search(r"-l (\d+)", r["call"])
    asked = spec(
        name,
        "unjudged=condensed-after-depth" if " -J " in r["call"] else "",
        f"max-depth={depth[1]}" if depth else "",
        f"relevant=at-least({level[1]})" if level else "",
    )
    preset = "trec_eval-c@9.0.8" if " -c " in r["call"] else "trec_eval@9.0.8"
    return Identity(preset, asked, scored_only=True)


def spec(name: str, *settings: str) -> str:
    """The spec of a measure as the program prints it: with a cutoff, or another parameter, at its end."""
    family, parameter = re.fullmatch(r"(\w+?)(?:[._](\d+(?:\.\d+)?))?", name).groups()  # type: ignore[union-attr]
    if family in PARAMETERS:
        return with_settings(family, PARAMETERS[family].format(parameter), *settings)
    return at(with_settings(family, *settings), int(parameter) if parameter else None)


PARAMETERS = {"iprec_at_recall": "recall-level={}", "Rprec_mult": "r-precision-at=multiple({})"}
