"""The registry: what its files state of numbers, and that they name inputs, files and definitions that exist."""

import json
from collections import Counter
from collections.abc import Iterator

import jsonschema
import pytest
import yaml

from rankconv.analysis.reproduce.listing import KINDS, list_sources
from rankconv.analysis.reproduce.number_row import RECORDED
from rankconv.analysis.reproduce.printed_numbers import PrintedNumber, printed_numbers
from rankconv.analysis.reproduce.source_inputs import Inputs
from rankconv.analysis.reproduce.sources import Source, published, published_schema, registry, source
from tests.presets.test_schema import of_new_pydantic

STATED = {
    "beyond-accuracy-chatgpt": ("publication", 270, 0, 0, 0),
    "checkthat-scorer": ("tool", 27, 0, 0, 0),
    "clef-tar": ("publication", 233, 163, 2, 0),
    "codec": ("publication", 33, 3, 0, 0),
    "cwl_eval": ("tool", 173, 0, 12, 0),
    "lecard": ("publication", 13, 12, 12, 5),
    "lenskit-java": ("tool", 200, 0, 0, 0),
    "lod-personalized-recommender": ("publication", 480, 0, 0, 0),
    "recommender-chatgpt": ("publication", 567, 0, 0, 0),
    "rankllm": ("publication", 120, 0, 40, 0),
    "trec-dl-2019-passage": ("publication", 962, 0, 0, 0),
    "trec-robust-2003": ("publication", 68, 17, 0, 0),
    "trec_eval-quicktest": ("tool", 117, 0, 0, 0),
    "trectools": ("tool", 34, 0, 0, 0),
}
"""The kind of each source, and how many numbers are as claimed, of another definition, contradicted, unexplained."""


@pytest.fixture(scope="module")
def sources() -> dict[str, Source]:
    return {name: source(name) for name in registry()}


@pytest.fixture(scope="module")
def numbers(sources: dict[str, Source]) -> dict[str, list[PrintedNumber]]:
    return {name: list(printed_numbers(one)) for name, one in sources.items()}


def test_every_source_has_its_numbers_and_verdicts(numbers: dict[str, list[PrintedNumber]]) -> None:
    assert set(numbers) == set(STATED)
    for name, (_, *counts) in STATED.items():
        stated = Counter(one.recorded for one in numbers[name])
        assert [stated[one] for one in RECORDED] == counts, name


def test_names_of_sources_are_names_of_one_source() -> None:
    assert not published().keys() & registry().keys()


def test_almost_all_numbers_about_runs_are_explained_and_checked_from_data() -> None:
    about_runs = [one for one in list_sources().sources if one.kind == "publication"]
    total = sum(one.stated.total() for one in about_runs)
    assert total == 3000
    assert sum(one.stated["unexplained"] for one in about_runs) <= 0.01 * total
    assert sum(one.from_data for one in about_runs) >= 1000


def test_each_kind_is_counted_apart() -> None:
    listed = list_sources()
    assert {name: one.kind for name in STATED for one in listed.sources if one.name == name} == {
        name: stated[0] for name, stated in STATED.items()
    }
    lines = list(listed.totals())
    assert [line.partition(",")[0] for line in lines] == list(KINDS)
    assert "3,000 numbers, 2,746 as claimed, 195 other definition, 54 contradiction, 5 unexplained" in lines[0]


def test_inputs_are_files_of_the_data_and_each_file_is_an_input(sources: dict[str, Source]) -> None:
    for name, one in sources.items():
        files = [file for repository in one.file.data for file in repository.files]
        assert len(set(files)) == len(files)
        used = {file for inputs in one.file.inputs.values() for file in _files_of(inputs)}
        assert used == set(files), name


def _files_of(inputs: Inputs) -> Iterator[str]:
    """The files of the data that these inputs are read from."""
    yield from filter(None, (inputs.qrels, inputs.run, inputs.seen, inputs.train))


def test_a_number_without_its_files_is_called_recorded(sources: dict[str, Source]) -> None:
    recorded = {name for name, one in sources.items() if any(one.recorded(inputs) for inputs in one.file.inputs)}
    assert recorded == {"checkthat-scorer"}


def test_what_is_fetched_is_of_one_commit_and_has_a_digest(sources: dict[str, Source]) -> None:
    for name in sources.keys() - {"checkthat-scorer"}:
        for repository in sources[name].file.data:
            assert len(repository.revision) == 40
            assert all(file.sha256 for file in repository.files.values()), name


def test_every_definition_and_every_claim_is_one(numbers: dict[str, list[PrintedNumber]]) -> None:
    every = [one for of in numbers.values() for number in of for one in (number, number.claimed) if one is not None]
    distinct = {(one.preset, one.settings, one.spec): one for one in every}
    assert len(distinct) > 150
    assert all(one.definition.fingerprint for one in distinct.values())


def test_a_claim_differs_from_what_gives_the_number(numbers: dict[str, list[PrintedNumber]]) -> None:
    claims = [(one, one.claimed) for of in numbers.values() for one in of if one.claimed is not None]
    assert len(claims) == 195 + 16
    assert all(one.entry.claim and one.entry.claim.gives for one, _ in claims)
    for number, claimed in claims:
        assert claimed.inputs != number.inputs or claimed.definition.diff(number.definition), number.line


@of_new_pydantic
def test_the_schema_takes_every_file() -> None:
    validator = jsonschema.Draft202012Validator(published_schema())
    for file in registry().values():
        plain = json.loads(json.dumps(yaml.safe_load(file.read_text(encoding="utf-8"))))
        assert [error.message for error in validator.iter_errors(plain)] == []
