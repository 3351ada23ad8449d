"""Which tests belong to a file: the quick ones first, which catch most, and the slow ones for what is left."""

from pathlib import Path

SYSTEMS = (
    *("trec_eval", "recommenders", "sklearn", "rax", "cornac", "evidently", "rs_metrics", "lenskit", "llama_index"),
    *("elliot", "lightfm", "replay_rec", "ranx", "cute_ranking", "recpack", "rectools", "mllib", "recbole", "ragas"),
)
"""Whose numbers are compared in a moment."""
QUICK = {
    "metrics": ["tests/metrics", "tests/preparation/test_pipeline.py"],
    "preparation": ["tests/preparation", "tests/metrics", "tests/aggregation/test_special_cases.py"],
    "aggregation": ["tests/aggregation", "tests/metrics"],
}
SECOND_OPINION, LAWS = (
    "tests/analysis/explain/test_law.py",
    [f"tests/laws/test_{law}.py" for law in ("pooled", "laws", "company")],
)
SAID = ["tests/presets/test_schema.py", "tests/evaluation/citing", "tests/conventions"]
"""What answers say of themselves to others: their words, and whether they matter."""


def quick(file: str) -> list[str]:
    """Tests of some seconds: the examples of the module, those of its room, and systems."""
    module = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    systems = [f"tests/oracles/test_oracles.py::test_system[{system}]" for system in SYSTEMS]
    return [f"tests/test_doctests.py::test_docstrings[rankconv.{module}]", *QUICK[Path(file).parts[0]], *systems]


def slow(file: str) -> list[str]:
    """Tests of a minute and more: the second opinion of `explain`, all systems, the laws, and the other rooms."""
    rooms = [f"tests/{room}" for room in ("aggregation", "preparation", "metrics")]
    first = [*LAWS, SECOND_OPINION] if file.startswith("preparation") else [SECOND_OPINION, "tests/oracles", *LAWS]
    return list(dict.fromkeys([*first, "tests/oracles", *rooms, *SAID, "tests/evaluation/streaming/test_partial.py"]))
