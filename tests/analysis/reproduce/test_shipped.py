"""The shipped sources: all numbers come out, and all that is known is there."""

import json

import jsonschema
import pytest
import yaml

import rankconv as rc
from rankconv.analysis.reproduce.reproduction import closing_lines
from rankconv.analysis.reproduce.sources import left_out, published, published_schema, source
from rankconv.presets.folders import conventions
from rankconv.typing import Reproduction
from tests.presets.test_schema import of_new_pydantic

FOLDER = conventions() / "published"
COUNTS = {
    "bellei2017": (213, 2, 0, 2),
    "catalyst": (14, 0, 1, 1),
    "croft2009": (30, 1, 0, 1),
    "fastml": (35, 0, 0, 0),
    "ir-book": (12, 0, 0, 5),
    "ir_measures": (15, 0, 0, 0),
    "jarvelin2002": (30, 2, 0, 0),
    "kaggle": (4, 0, 0, 0),
    "lenskit": (5, 1, 0, 0),
    "ml_metrics": (7, 0, 0, 0),
    "music-post": (40, 0, 0, 0),
    "ndcg-video": (3, 0, 0, 1),
    "opensearch": (21, 0, 0, 0),
    "pyg": (2, 0, 0, 0),
    "pyspark": (11, 0, 0, 0),
    "pytrec_eval": (12, 0, 0, 0),
    "queirozf": (78, 7, 0, 2),
    "rank_metrics": (14, 0, 0, 0),
    "ranx": (3, 1, 0, 0),
    "recommenders": (8, 6, 0, 0),
    "rectools": (32, 0, 0, 0),
    "replay": (20, 0, 0, 0),
    "scholar": (8, 0, 0, 0),
    "sklearn": (18, 0, 0, 0),
    "spark": (30, 3, 0, 1),
    "tensorflow_ranking": (2, 0, 0, 0),
    "torchmetrics": (21, 0, 0, 0),
    "trec_eval": (29 + 98 + 4 * 383 + 2, 0, 0, 0),
    "weaviate-benchmarking": (9, 0, 0, 0),
    "wikipedia": (15, 0, 0, 0),
    "wikipedia-2010": (8, 1, 0, 0),
}
"""Numbers, and how many of them are truncated, float32, errata; all others are exact."""


@pytest.fixture(scope="module")
def found() -> Reproduction:
    return rc.reproduce()


def test_all_numbers_come_out_and_little_is_left_out(found: Reproduction) -> None:
    assert found.ok
    assert found.failures == []
    assert found.left_out_count == 51
    assert all(one.reason for one in left_out())
    assert set(published()) == set(COUNTS)
    for name, counts in COUNTS.items():
        verdicts = [row.verdict for row in found if row.source == name]
        assert (len(verdicts), *map(verdicts.count, ("truncated", "float32", "erratum"))) == counts, name
        assert len(verdicts) - sum(counts[1:]) == verdicts.count("exact"), name


KNOWN = [
    ("bellei2017", "mrr@3", "0.333", "0.500", "erratum"),
    ("bellei2017", "precision@3", "0.666", "0.667", "truncated"),
    ("ndcg-video", "ndcg@3", "0.94", "0.9501", "erratum"),
    ("queirozf", "f1@3", "0.62", "0.5714", "erratum"),
    ("music-post", "map@5", "0.325", "0.325", "exact"),
    ("music-post", "recall@5", "division by zero", "refused", "exact"),
    ("croft2009", "ndcg@4", "0.76", "0.7751", "erratum"),
    ("sklearn", "map", "0.79...", "0.79", "exact"),
    ("ranx", "map@5", "0.6416", "0.6417", "truncated"),
    ("ir-book", "r_precision", "0.57", "0.25", "erratum"),
]


def test_numbers_that_are_known(found: Reproduction) -> None:
    rows = {(row.source, row.metric, row.printed, row.shown, row.verdict) for row in found}
    assert rows >= set(KNOWN)
    assert len({row for row in rows if row[:3] in {one[:3] for one in KNOWN}}) == len(KNOWN)


LABELS_OF_ROWS = "ndcg(ideal=all-labels, labels-used=aligned-arrays, on-empty-ranking=0)@3"


@pytest.mark.parametrize(
    ("name", "inputs", "says", "table", "users", "remark"),
    [
        ("bellei2017", "with-labels", LABELS_OF_ROWS, "ndcg@3", None, "ndcg@3 is {:.3f}"),
        ("bellei2017", "with-labels", "map(ap-denominator=min(k, relevant))@3", "map@3", None, "map@3 is {:.3f}"),
        ("music-post", "systems", "map(ap-denominator=hits-in-ranking)@4", "map@4", ["B"], "map@4 of B is {:.2f}"),
        ("queirozf", "", "map(ap-denominator=relevant)@4", "map@4", None, "map@4 is {:.2f}"),
    ],
)
def test_numbers_of_remarks(
    name: str, inputs: str, says: str, table: str, users: list[str] | None, remark: str
) -> None:
    of_source = source(name)
    joined = of_source.joined(inputs or next(iter(of_source.file.inputs)))
    numbers = rc.evaluate(joined, [says, table], of_source.file.preset, users=users).values()
    digits = remark.partition("{")[2]
    text = f"{remark} so, and the table has {{{digits}".format(*numbers)
    assert text in "\n".join(of_source.file.remarks)


def test_remarks_and_the_reasons_of_errata_are_printed(found: Reproduction) -> None:
    printed = "\n".join(closing_lines(found))
    assert "bellei2017, section 2, formula of recall: TP / (TP + TN); meant is TP / (TP + FN)" in printed
    assert (
        "ndcg-video, worked example, ndcg@3: 0.94, ours 0.9501; all else of its table comes out; of 7.02/7.4" in printed
    )
    told = [row.note for row in found if row.verdict == "erratum"]
    assert all(note.rstrip("; ") for note in told)


@of_new_pydantic
def test_the_schema_is_fresh_and_takes_every_file() -> None:
    schema = json.loads((FOLDER / "schema.json").read_text())
    assert published_schema() == schema, "run: python -m tests.generate schemas"
    validator = jsonschema.Draft202012Validator(schema)
    for file in published().values():
        plain = json.loads(json.dumps(yaml.safe_load(file.read_text(encoding="utf-8"))))
        assert [error.message for error in validator.iter_errors(plain)] == []
    assert not validator.is_valid({"name": "mine", "title": "Mine", "tables": [{"where": "1", "colour": "blue"}]})
