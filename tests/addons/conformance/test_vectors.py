"""The vectors: true to their definitions, to what was reported and to values worked by hand; small, and readable."""

import json
import math
from collections import defaultdict
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import rankconv as rc
from rankconv.addons.conformance.vectors import NoValue, VectorCase, VectorFile, read_vectors, schema
from rankconv.basics.errors import ConventionError, InputError
from tests.addons.conformance import make
from tests.presets.test_schema import of_new_pydantic

CASES = {case.vector.id: case for case in read_vectors()}
REFRESH = "python -m tests.generate vectors"
LOG3 = math.log2(3)
BY_HAND = {
    ("recall@3/binary", "rankconv:recall@3"): {"u1": 2 / 3, "u2": 1 / 2, "u3": 0, "u4": 2 / 5},
    ("precision@3/short", "rankconv:precision@3"): {"u1": 2 / 3, "u2": 1 / 3, "u3": 1 / 3, "u4": 0},
    ("map@3/short", "trec_eval:map@3"): {"u1": 2 / 5, "u2": 1, "u3": 1 / 3, "u4": 0},
    ("mrr/binary", "rankconv:mrr"): {"u1": 1, "u2": 1 / 3, "u3": 1 / 5, "u4": 1},
    ("ndcg@3/one-user", "rankconv:ndcg@3"): {"u1": 2 / LOG3 / (2 + 1 / LOG3 + 1 / 2)},
    ("dcg@3/graded", "rankconv:dcg@3"): {"u1": 3 + 2 / LOG3 + 2 / 2, "u2": 1 / 2, "u3": 2 + 3 / 2, "u4": 3 / LOG3},
}
"""Worked without this package: hits and grades read off the rows, ranks counted, logarithms of 3 and 4."""


def test_values_are_those_of_the_definitions() -> None:
    for case in CASES.values():
        names = [name for one in case.vector.expected for name in one.definitions]
        made = [one.model_dump(exclude={"role"}) for one in make.expected(case, names)]
        kept = [one.model_dump(exclude={"role"}) for one in case.vector.expected]
        assert made == kept, f"{case.vector.id}: {REFRESH}"


def test_data_are_those_of_the_source() -> None:
    kept = json.loads((make.FOLDER / "data.json").read_text("utf-8"))["data"]
    assert kept == {name: json.loads(one.model_dump_json()) for name, one in make.data().items()}, REFRESH
    for case in CASES.values():
        for _, _, value in (*case.data.labels, *case.data.run):
            assert repr(float(value)).removesuffix(".0") == value


def test_every_metric_of_labels_and_a_run_has_vectors() -> None:
    assert {case.spec for case in CASES.values() if "/" in case.vector.id} == set(make.specs())


def test_signatures_read_back() -> None:
    for file in sorted(make.FOLDER.glob("*.json")):
        if file.name not in ("data.json", "schema.json"):
            for name, stated in VectorFile.model_validate_json(file.read_text("utf-8")).definitions.items():
                assert rc.metric(name).signature == stated.signature
                assert rc.metric(stated.signature).signature == stated.signature


@pytest.mark.parametrize(("place", "values"), BY_HAND.items(), ids=lambda one: str(one)[:40])
def test_values_worked_by_hand(place: tuple[str, str], values: dict[str, float]) -> None:
    [expected] = [one for one in CASES[place[0]].vector.expected if place[1] in one.definitions]
    found = {user: float(value) for user, value in expected.users.items() if isinstance(value, str)}
    assert found == pytest.approx(values)
    assert float(str(expected.mean)) == pytest.approx(sum(values.values()) / len(values))


@pytest.mark.parametrize("report", make.source()["reports"], ids=lambda one: str(one["id"]))
def test_reports_give_the_numbers_that_were_printed(report: dict[str, Any]) -> None:
    both = {one.role: one for one in CASES[report["id"]].vector.expected}
    for role in both:
        printed, value = report[role][1], both[role].mean
        assert isinstance(value, str)
        if printed:
            unit = 10.0 ** -len(printed.partition(".")[2])
            assert abs(float(value) - float(printed)) < unit, role  # rounded or cut off
    if len(both) == 2:
        assert both["reported"].mean != both["corrected"].mean


def test_values_of_scikit_learn() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    for name, function in {"ndcg@3": metrics.ndcg_score, "dcg@3": metrics.dcg_score}.items():
        case = CASES[f"{name}/ties"]
        [expected] = [one for one in case.vector.expected if f"sklearn:{name}" in one.definitions]
        labels, run = (defaultdict[str, dict[str, float]](dict) for _ in "12")
        for side, rows in ((labels, case.data.labels), (run, case.data.run)):
            for user, item, value in rows:
                side[user][item] = float(value)
        for user, scores in run.items():
            value = function([[labels[user].get(item, 0) for item in scores]], [[*scores.values()]], k=3)
            assert float(str(expected.users[user])) == pytest.approx(value, abs=1e-12)


NOT_CAUGHT = {
    "grade-words": "grades are numbers",
    "score-words": "scores are numbers",
    "on-nonzero-over-zero": "what is divided by 0 is 0",
    "on-negative-denominator": "a denominator is a count, or a sum that is not below 0",
    "on-zero-division": "a denominator is a rank, a cutoff or 1",
    "on-above-one": "no list has a value above 1",
    "on-zero-value": "an ideal list is worth more than 0, or a policy decides before",
    "on-not-in-labels": "users whom the labels do not name are left out before",
    "on-short-ranking": "only with a cutoff",
    "on-short-ranking-and-on-no-relevant": "only with a cutoff",
    "on-k-beyond-rankings": "only with a cutoff",
    "policy-order": "the policies that are in conflict are about a cutoff",
    "round-user": "values are whole, or have few decimals",
    "round-mean": "values are whole, or have few decimals",
    "grades": "labels are read as relevant or not",
    "exclude": "the row of score 0 is below the first hit, or is not what is counted",
    "score-dtype": "the ranks of tied rows do not enter, or only behind k",
    "k-applies-to": "both cut the same",
    "judged-scope": "an item that nobody judged is needed at one user, and judged at another",
    "normalization": "the worst list has the value 0 on labels of 0 and more",
    "dcg-denominator": "in NDCG it divides both DCG and the ideal one, and cancels",
    "bpref-none-above": "a ranking without a judged item that is not relevant has the same value",
    "beta-form": "F1 has beta 1, whose square it is",
    "f-zero-division": "a policy decides before",
    "cwl-max-rank": "a reader stops at the cutoff before",
    "recall-rounding": "the levels of these data are exact",
    **dict.fromkeys(("candidates", "ties", "unjudged", "max-depth", "order"), "of the ideal list alone"),
}
"""Why no vector tells the settings of a convention apart for some metrics."""


def test_the_page_names_the_format_that_is_read() -> None:
    page = (Path(__file__).parents[3] / "conventions/vectors/README.md").read_text("utf-8")
    assert f"Format: `{VectorFile.model_fields['format'].default}`" in page


def test_settings_of_core_conventions_are_told_apart() -> None:
    """For 2,766 of 3,202 pairs of a metric and a core convention that acts on it, some vector has two numbers."""
    caught = defaultdict[str, set[str]](set)
    for case in CASES.values():
        caught[case.spec] |= {*case.vector.catches}
    acting = {(spec, name) for spec in make.specs() for name in make.compared(spec)}
    left = {(spec, name) for spec, name in acting if name not in caught[spec]}
    assert (len(acting), len(left)) == (3202, 436)
    assert {name for _, name in left} == NOT_CAUGHT.keys()


@pytest.mark.parametrize("name", ["ndcg@3/ties", "map@3/unsorted", "recall@3/nobody-labelled"])
def test_what_a_vector_catches_is_measured(name: str) -> None:
    assert CASES[name].vector.catches == make.catches(CASES[name], CASES[name].spec)


def test_files_are_small_and_follow_their_schema() -> None:
    assert sum(file.stat().st_size for file in make.FOLDER.glob("*.json")) <= 450_000
    stated = json.loads((make.FOLDER / "schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator(stated).validate(json.loads((make.FOLDER / "ndcg.json").read_text("utf-8")))


@of_new_pydantic
def test_the_schema_is_fresh() -> None:
    assert json.loads((make.FOLDER / "schema.json").read_text("utf-8")) == json.loads(json.dumps(schema())), REFRESH


def test_folders_without_vectors_and_broken_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no data\.json"):
        read_vectors(tmp_path)
    (tmp_path / "data.json").write_text('{"data": {}, "extra": 1}')
    with pytest.raises(ConventionError, match="'extra'"):
        read_vectors(tmp_path)
    (tmp_path / "data.json").write_text('{"data": {}}')
    (tmp_path / "mrr.json").write_text((make.FOLDER / "mrr.json").read_text("utf-8"))
    with pytest.raises(ConventionError, match=r"mrr@3/binary is on data 'binary', which data\.json lacks"):
        read_vectors(tmp_path)


def test_states_and_lines() -> None:
    [expected] = [one for one in CASES["ndcg@3/missing-users"].vector.expected if "rankconv:ndcg@3" in one.definitions]
    assert expected.users["u2"] == NoValue(state="skipped")
    case: VectorCase = CASES["mrr@3/one-user"]
    assert json.loads(case.line)["labels"][0] == ["u1", "a", "1"]
    assert json.loads(case.line)["k"] == 3
