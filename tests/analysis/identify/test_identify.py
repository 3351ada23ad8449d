"""A printed number leads to its definition, whatever was done to its last digit."""

import json
import math
import re
from functools import cache
from typing import Any

import pytest

import rankconv as rc
from rankconv.analysis.identify.printed_value import sought
from rankconv.analysis.identify.search import Search
from rankconv.five_users import LABELS, RUN
from rankconv.presets.registry import list_presets
from rankconv.typing import IdentifyResult

DATA = rc.join(
    {"ada": {"a": 3, "b": 1}, "bob": {"c": 1}, "cem": {"a": 2, "d": 1, "e": 1}},
    {"ada": ["b", "x", "a"], "bob": ["y", "c"], "cem": ["e", "f", "d", "z"]},
)


@cache
def search(metric: str) -> Search:
    """Measured once for all tests."""
    return Search(DATA, metric, None)


def identify(metric: str, value: str, tolerance: int = 0) -> IdentifyResult:
    """As `rc.identify` does, on the same data every time."""
    return search(metric).result(sought(value, tolerance))


def number(spec: str, preset: str) -> float:
    return rc.evaluate(DATA, spec, preset)[spec]


@pytest.mark.parametrize("spec", ["ndcg@3", "map@3", "precision@3", "mrr"])
@pytest.mark.parametrize("preset", ["mllib", "trec_eval", "blog"])
def test_the_preset_is_in_the_first_row(spec: str, preset: str) -> None:
    if not rc.preset(preset).offers(spec):
        pytest.skip("not offered")
    found = identify(spec, f"{number(spec, preset):.6f}")
    assert f"{preset}:{spec}" in found.rows[0].presets


@pytest.mark.parametrize(
    ("shown", "how"), [("0.6296", "rounded"), ("0.629", "truncated"), ("62.96", "rounded, per cent")]
)
def test_what_was_done_to_the_digits(shown: str, how: str) -> None:
    row = identify("map@3", shown).rows[0]
    assert (row.how, "mllib:map@3" in row.presets) == (how, True)
    assert row.value == pytest.approx(17 / 27)


def test_loosely_one_unit_in_the_last_digit() -> None:
    def specs(tolerance: int) -> list[str]:
        return [spec for row in identify("map@3", "0.6297", tolerance=tolerance).rows for spec in row.presets]

    assert "mllib:map@3" in specs(1)
    assert "mllib:map@3" not in specs(0)


@pytest.mark.parametrize("value", ["0.75", "0.8462", "0.63", "1.7", "2.2"])
def test_every_row_gives_the_number_and_reads_back(value: str) -> None:
    found = identify("ndcg@3", value)
    for row in found.rows:
        [again] = rc.preset(row.definition.preset).define(row.definition.spec)
        assert sought(value).how(row.value) == row.how
        if not row.exchanged:
            assert rc.evaluate(DATA, row.spec)[row.spec] == row.value
            assert again.parts == row.definition.parts


def test_rows_differ_for_some_user_and_presets_stand_first() -> None:
    rows = identify("ndcg@3", "1.7").rows + identify("ndcg@3", "0.75").rows
    assert len({tuple(rc.evaluate(DATA, row.spec).per_user[row.spec].round(9)) for row in rows}) == len(rows)
    found = identify("ndcg@3", "0.8")
    holding = [bool(row.presets) for row in found.rows if not row.exchanged]
    assert holding == sorted(holding, reverse=True)
    distances = [row.distance for row in found.rows if not row.presets and row.how == "rounded"]
    assert distances == sorted(distances)


SLIPS = {
    "ranks shifted twice": ("ndcg(discount=log(base=2, shift=2))@3", "shift=2)"),
    "the ideal not cut": ("ndcg(ideal-cutoff=none)@1", "ideal-cutoff=none"),
    "a sum for a mean": ("ndcg(aggregate=sum)@3", "aggregate=sum"),
    "users with hits only": ("precision(on-no-hits=skip)@1", "on-no-hits=skip"),
}


@pytest.mark.parametrize("name", SLIPS)
def test_slips_of_papers_are_found(name: str) -> None:
    spec, setting = SLIPS[name]
    metric = rc.preset("trec_eval").define(spec)[0]
    found = identify(f"{metric.key}@{metric.k}", f"{number(spec, 'trec_eval'):.6f}")
    name, _, value = setting.partition("=")
    own = [row.definition.settings.get(name) == value for row in found.rows]
    assert any(own) or any(setting in row.spec for row in found.rows)  # in a ratio the base of a logarithm is free


def test_labels_and_run_exchanged() -> None:
    labels, run = {"u": ["a", "b"], "v": ["c"]}, {"u": ["a", "x", "y"], "v": ["z", "c", "d", "e", "f"]}
    row = next(row for row in rc.identify(labels, run, "recall", "0.266667").rows if row.exchanged)
    assert row.value == pytest.approx((1 / 3 + 1 / 5) / 2)
    assert "trec_eval:recall" in row.presets


def test_several_numbers_narrow_it_down() -> None:
    both = {spec: f"{number(spec, 'mllib'):.4f}" for spec in ("ndcg@3", "map@3")}
    found = rc.identify(DATA, both)
    assert "mllib" in found.rows[0].presets
    alone = {row.definition.preset for row in found.each["map@3"].rows}
    assert found.found
    assert alone
    mixed = {"ndcg@3": both["ndcg@3"], "map@3": f"{number('map@3', 'blog'):.4f}"}
    rows = rc.identify(DATA, mixed).rows
    assert not any("mllib" in row.presets for row in rows)
    for row in rows:
        for metric, definition in row.definitions.items():
            assert sought(mixed[metric]).how(rc.evaluate(DATA, definition.text)[definition.text])


def test_a_metric_of_unknown_name() -> None:
    direct = rc.identify(DATA, "any@3", f"{number('map@3', 'mllib'):.6f}")
    assert "mllib:map@3" in direct.rows[0].presets
    times = rc.identify(DATA, "any@3", f"{3 * number('map@3', 'mllib'):.6f}")
    assert any(row.times == 3 and "mllib:map@3" in row.presets for row in times.rows)


def test_nothing_found_says_what_is_near_and_where_it_is_found_instead() -> None:
    found = identify("map@3", f"{number('map@1', 'trec_eval'):.6f}")
    instead = [*found.rows, *found.elsewhere]
    assert any("map@1" in row.spec or "@3" in row.spec for row in instead)
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
        ("hit_rate@3", "-0.3", "hit_rate@3 cannot be -0.3: it is between 0 and 1"),
        ("hit_rate@3", "900", "cannot be 900"),
        ("mllib:ndcg@3", "0.5", "leave the prefix out"),
        ("ndcg@3,5", "0.5", "several cutoffs"),
        ("ndgc@3", "0.5", "Did you mean 'ndcg'?"),
        ("ndcg(gain=expo)@3", "0.5", "expo"),
    ],
)
def test_bad_input_is_said(metric: str, value: str, said: str) -> None:
    with pytest.raises(rc.RankconvError, match=re.escape(said)):
        rc.identify(DATA, metric, value)


def test_a_metric_without_its_number() -> None:
    given: list[tuple[Any, ...]] = [(), ("ndcg@3",), ({},), ({"any": "0.3", "map": "0.2"},)]
    for some in given:
        with pytest.raises(rc.MetricError):
            rc.identify(DATA, *some)


def test_empty_and_lonely_data() -> None:
    assert not rc.identify({"u": []}, {"u": []}, "hit_rate@3", "0.3").found
    assert rc.identify({"u": ["a"]}, {"u": ["a"]}, "hit_rate@3", "1.0").found
    assert not rc.identify({"u": ["a"], "v": ["b"]}, {"v": []}, "hit_rate@3", "0.3").found


def test_settings_that_are_sure_restrict_the_search() -> None:
    found = rc.identify(DATA, "ndcg(gain=exponential)@3", f"{number('ndcg(gain=exponential)@3', 'mllib'):.6f}")
    assert found.rows
    assert all(row.definition.metric.given("gain") == "exponential" for row in found.rows)


def test_the_plain_data_hold_everything() -> None:
    found = rc.identify(LABELS, RUN, "map@3", "0.5")
    told = json.loads(json.dumps(found.to_dict()))
    assert told["rows"][0]["value"] == 0.5
    assert "blog:map@3" in told["rows"][0]["presets"]
    assert math.isfinite(told["tried"])
    assert {name.partition(":")[0] for row in told["rows"] for name in row["presets"]} <= set(list_presets())
