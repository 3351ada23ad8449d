"""ranx: evaluate(qrels, run, name, make_comparable=True), where a name may end in a cutoff and a level."""

import re

from tests.oracles.identities.base import Identity, Result, at, with_settings


def identity(r: Result) -> Identity:
    name, level = re.search(r"'([\w.-]+?)(?:@\d+)?(?:-l(\d+))?'", r["call"]).groups()  # type: ignore[union-attr]
    name, _, persistence = name.partition(".")
    settings = [
        f"rbp-persistence=0.{persistence}" if persistence else "",
        f"relevant=at-least({level})" if level else "",
    ]
    return Identity("ranx", at(with_settings(name, *settings), r["k"]))
