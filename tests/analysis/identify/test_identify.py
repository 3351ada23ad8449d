"""A printed number leads to its definition, whatever was done to its last digit."""

import json
import re
from functools import cache
from typing import Any

import pytest

import rankconv as rc
from rankconv.analysis.identify.candidate_search import Search
from rankconv.analysis.identify.printed_value import sought
from rankconv.cli.five_users import LABELS, RUN
from rankconv.presets.preset_registry import list_presets
from rankconv.typing import IdentifyResult
from tests.laws import examples

DATA = rc.join(
    {"ada": {"a": 3, "b": 1}, "bob": {"c": 1}, "cem": {"a": 2, "d": 1, "e": 1}},
    {"ada": ["b", "x", "a"], "bob": ["y", "c"], "cem": ["e", "f", "d", "z"]},
)


@cache
def search(metric: str) -> Search:
    """Measured once for all tests."""
    return Search(DATA, metric, None)


@cache
def identify(metric: str, value: str, tolerance: int = 0) -> IdentifyResult:
    """As `rc.identify` does, on the same data every time."""
    return search(metric).result(sought(value, tolerance))


def number(spec: str, preset: str) -> float:
    return rc.evaluate(DATA, spec, preset)[spec]


@pytest.mark.parametrize(
    ("metric", "value", "how", "preset"),
    [
        ("map@3", "0.6296", "rounded", "mllib"),  # 17/27
        ("map@3", "0.629", "truncated", "mllib"),
        ("map@3", "62.96", "rounded, per cent", "mllib"),
        ("map@3", "0.722222", "rounded", "blog"),
        ("map@3", "0.629630", "rounded", "trec_eval"),
        ("precision@3", "0.555556", "rounded", "trec_eval"),
        ("mrr", "0.833333", "rounded", "trec_eval"),
    ],
)
def test_the_preset_is_in_the_first_row(metric: str, value: str, how: str, preset: str) -> None:
    row = identify(metric, value).rows[0]
    assert (row.how, f"{preset}:{metric}" in row.presets) == (how, True)
    if metric == "map@3" and preset == "mllib":
        assert row.value == pytest.approx(17 / 27)


def test_loosely_one_unit_in_the_last_digit() -> None:
    assert sought("0.6297").how(17 / 27) is None
    assert any("mllib:map@3" in row.presets for row in identify("map@3", "0.6297", 1).rows)


@pytest.mark.parametrize(("metric", "value"), [("map@3", "0.7222"), ("ndcg@2", "0.619"), ("ndcg@2", "0.458374")])
def test_every_row_gives_the_number_and_reads_back(metric: str, value: str) -> None:
    found = identify(metric, value)
    values = set()
    for row in found.rows:
        [again] = rc.preset(row.definition.preset).define(row.definition.spec)
        assert sought(value).how(row.value) == row.how
        if not row.exchanged:
            result = rc.evaluate(DATA, row.spec)
            values.add(tuple(result.per_user[row.spec].round(9)))
            assert result[row.spec] == row.value
            assert again.setting_sets == row.definition.setting_sets
    assert len(values) == sum(not row.exchanged for row in found.rows)
    of_presets = [bool(row.presets) for row in found.rows if not row.exchanged]
    assert of_presets == sorted(of_presets, reverse=True)
    distances = [row.distance for row in found.rows if not row.presets and row.how == "rounded"]
    assert distances == sorted(distances)


@pytest.mark.parametrize(
    "spec",
    [
        "ndcg(discount=log(base=2, shift=2))@2",
        "ndcg(ideal-cutoff=none)@2",
        "ndcg(aggregate=sum)@2",
        "precision(on-no-hits=skip)@1",
    ],
)
def test_slips_of_papers_are_found(spec: str) -> None:
    [(name, setting)] = (definition := rc.preset("trec_eval").define(spec)[0]).changed
    found = identify(f"{definition.key}@{definition.k}", f"{number(spec, 'trec_eval'):.6f}")
    own = [row.definition.settings.get(name) == setting for row in found.rows]
    assert any(own) or any("shift=2)" in row.spec for row in found.rows)  # in a ratio the base of a logarithm is free


def test_labels_and_run_exchanged() -> None:
    labels, run = {"u": ["a", "b"], "v": ["c"]}, {"u": ["a", "x", "y"], "v": ["z", "c", "d", "e", "f"]}
    row = next(row for row in rc.identify(labels, run, "recall", "0.266667").rows if row.exchanged)
    assert row.value == pytest.approx((1 / 3 + 1 / 5) / 2)
    assert "trec_eval:recall" in row.presets


def test_several_numbers_narrow_it_down() -> None:
    both = rc.identify(DATA, {"precision@3": "0.5556", "map@3": "0.6296"})
    assert "mllib" in both.rows[0].presets
    assert any("blog" in one for row in both.each["precision@3"].rows for one in row.presets)
    mixed = {"precision@3": "0.5556", "map@3": "0.5741"}  # of mllib, and of elliot
    rows = rc.identify(DATA, mixed).rows
    assert rows
    assert not any("mllib" in row.presets for row in rows)
    for row in rows:
        for metric, definition in row.definitions.items():
            assert sought(mixed[metric]).how(rc.evaluate(DATA, definition.text)[definition.text])


def test_a_metric_of_unknown_name() -> None:
    assert "mllib:map@3" in rc.identify(DATA, "any@3", "0.629630").rows[0].presets
    lost = rc.identify(DATA, "any@3", "0.987654")
    assert (lost.found, len(lost.nearest)) == (False, 5)


def test_nothing_found_says_what_is_near() -> None:
    lost = identify("map@3", "0.987654")
    assert not lost.found
    assert len(lost.nearest) == 5
    gaps = [lost.sought.gap(row.value) for row in lost.nearest]
    assert gaps == sorted(gaps)


@pytest.mark.parametrize(
    ("metric", "value", "said"),
    [
        ("ndcg@3", "abc", "'abc' is not a number as one prints it"),
        ("ndcg@3", "NaN", "'NaN' is not a number"),
        ("ndcg@3", "", "is not a number"),
        ("ndcg@3", "1e400", "'1e400' is not a number as one prints it"),
        ("ndcg@3", "1" + "0" * 30, "is beyond every metric"),
        ("mllib:ndcg@3", "0.5", "leave the prefix out"),
        ("ndcg@3,5", "0.5", "several cutoffs"),
        ("ndgc@3", "0.5", "Did you mean 'ndcg'?"),
        ("ndcg(gain=expo)@3", "0.5", "expo"),
    ],
)
def test_bad_input_is_said(metric: str, value: str, said: str) -> None:
    with pytest.raises(rc.MetricError if "expo" not in said else rc.RankconvError, match=re.escape(said)):
        rc.identify(DATA, metric, value)


@pytest.mark.parametrize("given", [(), ("ndcg@3",), ({},), ({"any": "0.3", "map": "0.2"},)])
def test_a_metric_without_its_number(given: tuple[Any, ...]) -> None:
    with pytest.raises(rc.MetricError):
        rc.identify(DATA, *given)


def test_empty_data() -> None:
    assert not rc.identify({"u": []}, {"u": []}, "hit_rate@3", "0.3").found
    assert not rc.identify({"u": ["a"], "v": ["b"]}, {"v": []}, "hit_rate@3", "0.29").found


def test_settings_that_are_sure_restrict_the_search() -> None:
    found = identify("map(ap-denominator=hits)@3", "0.7222")
    assert found.rows
    assert all(row.definition.metric.given("ap-denominator") == "hits" for row in found.rows)


RATINGS = {f"u{u}": {f"i{i}": 1 + (3 * u + 7 * i + u * i) % 5 for i in range(3 + u % 7)} for u in range(40)}
LISTS = {user: [f"i{(u + 4 * rank) % 23}" for rank in range(15)] for u, user in enumerate(RATINGS)}
RATED = rc.join(RATINGS, LISTS)


@pytest.mark.parametrize("metric", ["map@10", "precision@10", "recall@10", "ndcg@10"][: examples.of(quick=2, ci=4)])
def test_a_preset_at_another_level_of_relevance_is_printed(metric: str) -> None:
    """A law: where a preset gives the number at a level of relevance of the data, a printed row has its value."""
    of_metric = Search(RATED, metric, None)
    for preset, level in (("mllib", 3), ("mllib", 4), ("trec_eval", 5)):
        spec = metric.replace("@", f"(relevant=at-least({level}))@")
        value = float(rc.evaluate(RATED, spec, preset)[spec])
        found = of_metric.result(sought(f"{value:.4f}"))
        row = next(row for row in found.listed if row.value == pytest.approx(value, abs=1e-9))
        assert row.spec in found.to_text(200)
        assert found.fitting or all(f"(relevant=at-least({level}))" in text for text in row.presets)


@pytest.mark.parametrize(
    ("metric", "other"), [("P_10", "precision@5"), ("ndcg@10", "ndcg@3"), ("recall@5", "recall@20")]
)
def test_a_preset_at_another_cutoff_is_printed(metric: str, other: str) -> None:
    """A law: where a preset gives the number at a usual cutoff, a printed row has its value."""
    value = float(rc.evaluate(RATED, other, "trec_eval")[other])
    found = rc.identify(RATED, metric, f"{value:.6f}")
    row = next(row for row in found.listed if row.value == pytest.approx(value, abs=1e-9))
    assert row.spec in found.to_text(200)
    assert found.fitting or other.partition("@")[2] == row.spec.rpartition("@")[2]


def test_several_numbers_at_one_level_of_relevance() -> None:
    specs = {metric: metric.replace("@", "(relevant=at-least(4))@") for metric in ("precision@10", "map@10")}
    values = rc.evaluate(RATED, [*specs.values()], "mllib")
    found = rc.identify(RATED, {metric: f"{values[spec]:.4f}" for metric, spec in specs.items()})
    (row,) = [row for row in found.rows if row.variant == "relevant=at-least(4)"]
    assert [one.spec for one in row.definitions.values()] == [*specs.values()]
    assert (row.distance, row.presets) == (2, [])
    mixed = {"precision@10": values[specs["precision@10"]], "map@10": rc.evaluate(RATED, "map@10", "mllib")["map@10"]}
    assert not any(row.variant for row in rc.identify(RATED, {k: f"{v:.4f}" for k, v in mixed.items()}).rows)


def test_the_plain_data_hold_everything() -> None:
    found = rc.identify(LABELS, RUN, "map@3", "0.5")
    plain = json.loads(json.dumps(found.to_dict()))
    assert plain["rows"][0]["value"] == 0.5
    assert "blog:map@3" in plain["rows"][0]["presets"]
    assert plain["tried"] == found.tried > 1000
    assert {name.partition(":")[0] for row in plain["rows"] for name in row["presets"]} <= set(list_presets(eras=True))
