"""The recorded calls of the oracles name metrics in the words of their systems: each is the definition that they show.

What the identities state is held against the recorded values, so an equal definition has equal values.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest

import rankconv as rc
from tests.oracles.harness import results
from tests.oracles.identities import IDENTITIES

Named = Callable[[Mapping[str, Any]], tuple[str, str] | None]
"""The preset and the native name of a recorded call; None for one that holds more than a name."""


def found(pattern: str, r: Mapping[str, Any]) -> str:
    return re.search(pattern, r["call"])[1]  # type: ignore[index]


def trec_eval(r: Mapping[str, Any]) -> tuple[str, str] | None:
    options = r["call"].removeprefix("trec_eval ")
    if r["metric"] == "any" or "num_rel" in options:  # of which -c ignores -l
        return None
    return ("trec_eval-c" if "-c " in options else "trec_eval"), options.replace("-c ", "")


def torchmetrics(r: Mapping[str, Any]) -> tuple[str, str] | None:
    if "binarised" in r["call"] or not r["call"].startswith("Retrieval"):
        return None
    preset = "torchmetrics+unretrieved" if r["input"].startswith("union") else "torchmetrics"
    return preset, found(r"^(Retrieval\w+\(.*?\))\(", r)


def sentence_transformers(r: Mapping[str, Any]) -> tuple[str, str]:
    name, k = re.search(r"\['(\w+)@k'\]\[(\d+)\]", r["call"]).groups()  # type: ignore[union-attr]
    return "sentence_transformers", f"cosine_{name}@{k}"


def mteb(r: Mapping[str, Any]) -> tuple[str, str] | None:
    return None if "removed by the caller" in r["note"] else ("mteb", found(r"\['([\w@]+)'\]", r))


def pytrec_eval(r: Mapping[str, Any]) -> tuple[str, str] | None:
    plain = r["metric"] != "any" and "flag" not in r["call"] and "level" not in r["call"]
    return ("pytrec_eval", found(r"\{'([\w.]+)'\}", r)) if plain else None


NAMED: dict[str, Named] = {
    "ir_measures": lambda r: ("ir_measures", found(r"\[(.+)\]", r)),
    "mteb": mteb,
    "pytrec_eval": pytrec_eval,
    "ranx": lambda r: ("ranx", found(r"'([^']+)'", r)),
    "sentence_transformers": sentence_transformers,
    "torchmetrics": torchmetrics,
    "trec_eval": trec_eval,
}
LEAST = {"torchmetrics": 40, "pytrec_eval": 30, "trec_eval": 40, "ir_measures": 45, "ranx": 30, "mteb": 9}
"""So many names of a system are there at least, so that the test compares something."""


@pytest.mark.parametrize("system", NAMED)
def test_a_recorded_name_is_the_definition_that_its_values_show(system: str) -> None:
    compared = dict[tuple[str, str], str]()
    for r in results(system):
        identity, named = IDENTITIES[system](r), NAMED[system](r)
        if identity is None or named is None or not identity.offered:
            continue
        preset, name = named
        if (preset, name) not in compared:
            expected = rc.metric(identity.spec, preset=identity.preset)
            (native,) = rc.preset(preset).define(name)
            assert native.signature == expected.signature, (preset, name)
            compared[preset, name] = native.signature
    assert len(compared) >= LEAST.get(system, 6)
