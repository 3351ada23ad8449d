"""C/W/L against cwl_eval itself, on random lists, and against the metrics of which it is another account."""

import json
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankconv as rc
from tests.metrics.record_cwl_eval import CASES, RECORD, random_case, real
from tests.metrics.worked import neutral

MEASURED = ("utility", "total-utility", "cost", "total-cost", "depth")
RECORDED = json.loads(RECORD.read_text())
WITHOUT_LISTS_TOO = rc.preset("cwl_eval").replace(name="with empty lists", on_no_ranking="as-computed")
"""A results file has no line of an empty list; the functions of the library take it."""


def in_ten_columns(spec: str) -> Iterator[str]:
    """The spec of each column that the program prints."""
    for unjudged in ("nothing", "residual"):
        for one in MEASURED:
            name, at, k = spec.partition("@")
            told = f"cwl-measure=expected-{one}, cwl-unjudged-gain={unjudged})"
            yield (f"{name[:-1]}, {told}" if name.endswith(")") else f"{name}({told}") + at + k


def assert_same(case: dict[str, Any], theirs: dict[str, list[float]]) -> None:
    specs = {spec: list(in_ten_columns(spec)) for spec in theirs}
    asked = [one for columns in specs.values() for one in columns]
    found = rc.evaluate({"t": case["labels"]}, {"t": case["ranking"]}, asked, preset=WITHOUT_LISTS_TOO)
    for spec, columns in specs.items():
        ours = [float(found.per_user[one][0]) for one in columns]
        assert ours == pytest.approx(theirs[spec], rel=1e-9, abs=1e-9), spec


def test_what_the_program_gave() -> None:
    for seed in range(CASES):
        assert_same(random_case(seed), RECORDED[seed])


@pytest.mark.skipif(find_spec("cwl") is None, reason="cwl-eval is not installed")
def test_what_the_program_gives() -> None:
    for case in map(random_case, range(CASES, CASES + 12)):
        assert_same(case, real(case))


# other accounts of the same

NEUTRAL = neutral()
ITEMS = [f"i{number}" for number in range(8)]


@st.composite
def binary(draw: st.DrawFn) -> tuple[dict[str, float], list[str]]:
    """Labels of 0 and 1, one of them a hit, and a list."""
    labels = {item: float(draw(st.integers(0, 1))) for item in ITEMS[:6]}
    return labels | {"i0": 1.0}, draw(st.permutations(ITEMS))[: draw(st.integers(1, 8))]


def values(drawn: tuple[dict[str, float], list[str]], *specs: str) -> list[float]:
    labels, ranking = drawn
    found = rc.evaluate({"u": labels}, {"u": ranking}, list(specs), preset=NEUTRAL)
    return [float(found.per_user[spec][0]) for spec in specs]


@pytest.mark.parametrize(
    ("continuation", "ranking", "expected"),
    [
        ("gain-below-moving(1, moves=1, middle=0.5)", "ax", 1),
        ("cost-below-moving(2, moves=0, middle=1)", "xab", 1 / 2),
    ],
)
def test_a_reader_stops_where_target_or_limit_are_reached(continuation: str, ranking: str, expected: float) -> None:
    spec = f"cwl(cwl-continuation={continuation}, cwl-max-rank=9)"
    assert values(({"a": 1, "b": 1}, [*ranking]), spec) == pytest.approx([expected])


def test_what_happens_at_the_last_rank_is_idle_where_there_is_a_cutoff() -> None:
    assert ["cwl-last-rank" in NEUTRAL.define(spec)[0].idle_rules for spec in ("cwl@3", "cwl")] == [True, False]


@pytest.mark.parametrize("measure", MEASURED)
def test_totals_are_not_divided(measure: str) -> None:
    idle = NEUTRAL.define(f"cwl(cwl-measure=expected-{measure})@3")[0].idle_rules if measure != "depth" else {}
    assert ("cwl-weight-norm" in idle) == measure.startswith("total")


def test_the_weights_of_ranks_are_shown() -> None:
    page = str(
        rc.explain({"u": ["a"]}, {"u": ["x", "a", "y"]}, "cwl(cwl-continuation=0.5)@3", preset=NEUTRAL, user="u")
    )
    weights = [line.split()[7] for line in page.splitlines() if line[:1].isdigit()]
    assert weights == ["4/7", "2/7", "1/7"]


@settings(max_examples=30)
@given(binary())
def test_it_is_what_others_are(drawn: tuple[dict[str, float], list[str]]) -> None:
    pairs = {
        "cwl(cwl-continuation=1)@5": "precision@5",
        "cwl(cwl-continuation=discount)@5": "scaled_dcg@5",
        "cwl(cwl-continuation=0.6)": "rbp(rbp-persistence=0.6)",
        "cwl(cwl-continuation=no-gain-yet)": "mrr",
        "cwl(cwl-continuation=gain-left)": "map(ap-denominator=hits)",
        "cwl(cwl-continuation=precision, cwl-weight-norm=relevant)": "map(ap-denominator=relevant)",
        "cwl(cwl-continuation=1, cwl-measure=expected-total-utility)@5": "hit_count@5",
        "cwl(cwl-continuation=unsatisfied, cwl-measure=expected-total-utility)@5": "hit_rate@5",
    }
    found = values(drawn, *pairs, *pairs.values())
    for spec, ours, theirs in zip(pairs, found[: len(pairs)], found[len(pairs) :], strict=True):
        if theirs == theirs:  # no hit, no AP over the hits
            assert ours == pytest.approx(theirs, rel=1e-12, abs=1e-15), (spec, pairs[spec])


READERS = ["0.7", "inst(1)", "insq(2)", "discount", "all(unsatisfied, 0.9)", "all(gain-below(1), cost-below(3))"]


@settings(max_examples=30)
@given(binary(), st.sampled_from(READERS))
def test_a_total_is_what_is_measured_per_item_times_the_depth(
    drawn: tuple[dict[str, float], list[str]], reader: str
) -> None:
    """Where all stop somewhere: ETU = EU · ED."""
    told = f"cwl-continuation={reader}, cwl-last-rank=stop, cwl-measure=expected"
    measured = [f"cwl({told}-{one})" for one in ("utility", "total-utility", "depth", "total-cost")]
    utility, total, depth, cost = values(drawn, *measured)
    assert total == pytest.approx(utility * depth, rel=1e-12)
    assert cost == pytest.approx(depth, rel=1e-12)


def test_err_is_none_of_them_and_pfound_is_a_gain_in_all() -> None:
    """PFound is the gain of all that are reached, not divided: EU · ED."""
    drawn = {"a": 0.5, "b": 1.0}, ["x", "a", "b"]
    told = "cwl-continuation=all(0.85, unsatisfied)"
    nearest = "cwl(cwl-continuation=all(discount(reciprocal), unsatisfied))"
    utility, depth, found, err, closest = values(
        drawn, f"cwl({told})", f"cwl({told}, cwl-measure=expected-depth)", "pfound", "err", nearest
    )
    assert found == pytest.approx(utility * depth, rel=1e-12)
    assert err != pytest.approx(closest, rel=1e-3)


def test_many_users_are_read_a_few_at_a_time() -> None:
    """Memory does not grow with users: 1,000 ranks of 3,000 users would be 24 MB for each of several arrays."""
    import tracemalloc

    labels = {f"u{user}": {f"i{user % 7}": 1.0} for user in range(3_000)}
    joined = rc.join(labels, dict.fromkeys(labels, ITEMS[:7]))
    rc.evaluate(joined, "cwl(cwl-continuation=inst(1))", preset=NEUTRAL)
    tracemalloc.start()
    rc.evaluate(joined, "cwl(cwl-continuation=inst(2))", preset=NEUTRAL)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 24e6


TIED = {"a": 3.0, "b": 3.0, "c": 1.0, "d": 1.0, "e": 1.0}


@pytest.mark.parametrize(
    "continuation", ["0.8", "discount", "insq(1)", "inst(1)", "no-gain-yet", "all(0.9, unsatisfied)"]
)
def test_tied_rows_have_expected_values_only_where_the_reader_goes_on_by_the_rank_alone(continuation: str) -> None:
    """Else the relevant ones are last, as `ties=expected` says of every metric without a closed form."""
    labels, orders = {"a": 1, "c": 1}, [[*first, *last] for first in permutations("ab") for last in permutations("cde")]
    definition = rc.metric(f"cwl(cwl-continuation={continuation})@5")
    of_orders = definition(dict.fromkeys(map("".join, orders), labels), {"".join(order): order for order in orders})
    by_rank = continuation in ("0.8", "discount", "insq(1)")
    expected = of_orders if by_rank else definition({"u": labels}, {"u": ["b", "a", "d", "e", "c"]})
    assert definition.replace(ties="expected")({"u": labels}, {"u": TIED}) == pytest.approx(expected, rel=1e-12)
