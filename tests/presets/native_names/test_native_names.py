"""Names of metrics as systems write them, held against what the real libraries gave for each of them."""

import json
import math
import re
from pathlib import Path

import pytest

import rankconv as rc
from tests.presets.native_names.record import HIGHEST, tables

RECORDED = json.loads((Path(__file__).parent / "recorded.json").read_text())
"""By system the version, and of each name the value, None for NaN, or the error as text."""
LEFT_OUT = {
    "cwl_eval": {"NPVCWLMetric", "SETCWLMetric"},
    "ir_measures": {
        *"BPM NERR8 NERR9 NERR10 NERR11 INST INSQ".split(),  # of cwl_eval
        *"alpha_nDCG alpha_DCG ERR_IA nERR_IA NRBP nNRBP AP_IA MAP_IA P_IA StRecall".split(),  # of ndeval
        "Compat(normalize=False)",
        "SDCG(max_rel=4,min_rel=1)@3",
    },
    "ranx": {"r-precision@5", "bpref@5", "ndcg@0", "rbp@95"},  # ranx does not read these as cutoffs
    "trec_eval": {
        "-m G.1=3",
        "-m ndcg.1=3.5,2=9.0,4=7.0",  # gains that differ by less than 1 are not sorted: gain_init.c, lines 65 and 76
    },
}
"""Names, or measures, that the library gives a value and the preset refuses."""
OF_RANKCONV = {
    "ir_measures": {"P", "R", "SDCG@3"},
    "ranx": {"rbp", "NDCG@10", "average_precision@5", "reciprocal_rank"},
}
"""Names that the library does not have, and that rankconv reads as its own under every preset."""
BROKEN = {"ir_measures": {"nDCG(dcg='exp-log2')"}}
"""Names for which the recording environment raised for a reason that is not the name: ranx 0.3.21 under pandas 3."""
NAMES = [
    (system, name, value)
    for system, one in RECORDED.items()
    for name, value in one["values"].items()
    if name not in BROKEN.get(system, set()) | OF_RANKCONV.get(system, set())
]


def is_left_out(system: str, name: str) -> bool:
    return bool({name, name.partition("(")[0].partition("@")[0]} & LEFT_OUT.get(system, set()))


@pytest.mark.parametrize(("system", "name", "value"), NAMES, ids=[f"{system}:{name}" for system, name, _ in NAMES])
def test_a_name_gives_the_values_of_the_library_or_is_refused(
    system: str, name: str, value: float | list[float] | str | None
) -> None:
    labels, run = tables(HIGHEST.get(system, 0))
    if isinstance(value, str) or is_left_out(system, name):
        with pytest.raises(rc.RankconvError) as refused:
            rc.evaluate(labels, run, name, preset=system)
        typed = name.rpartition(" ")[2].partition("(")[0].partition("@")[0]
        assert typed.casefold() in str(refused.value).casefold()
        return
    printed = isinstance(value, list)  # to four decimals, in an order of the program's own
    expected = value if isinstance(value, list) else [math.nan if value is None else value]
    for texts in (rc.evaluate(labels, run, name, preset=system), rc.evaluate(labels, run, f"{system}:{name}")):
        found = sorted(texts.values())
        assert found == pytest.approx(expected, abs=5.01e-5 if printed else 1e-9, nan_ok=True)


@pytest.mark.parametrize(
    ("system", "name"), [(system, name) for system, name, value in NAMES if type(value) is not str]
)
def test_the_name_of_each_number_asks_for_it_again(system: str, name: str) -> None:
    preset = rc.preset(system)
    if preset.offers(name):
        for text in preset.members(name):
            assert preset.members(text) == [text]
            assert len(preset.define(text)) == 1


def test_several_names_are_in_one_text() -> None:
    labels, run = tables()
    names = ["P@5", "AP(rel=2)", "nDCG(judged_only=True)@10"]
    assert list(rc.evaluate(labels, run, " ".join(names), preset="ir_measures")) == names
    prefixed = rc.evaluate(labels, run, "ir_measures:" + " ".join(names))
    assert list(prefixed) == [f"ir_measures:{name}" for name in names]
    assert list(rc.evaluate(labels, run, ", ".join(names), preset="ir_measures")) == names


@pytest.mark.parametrize(
    ("name", "spec"),
    [
        ("utility.2,-1,0,0", "trec_eval:utility(utility-weights=weights(2, -1))"),
        ("utility_2,-1,-0.5,0", "trec_eval:utility(utility-weights=weights(2, -1, -0.5))"),
        ("11pt_avg..25,.5,.75", "trec_eval:11pt_avg(recall-levels=at(0.25, 0.5, 0.75))"),
        ("11pt_avg_.25,.5,.75", "trec_eval:11pt_avg(recall-levels=at(0.25, 0.5, 0.75))"),
        ("--level_for_rel=2 --measure=map", "trec_eval:map(relevant=at-least(2))"),
    ],
)
def test_parameters_of_trec_eval_are_read_as_typed_and_as_printed(name: str, spec: str) -> None:
    labels, run = tables()
    assert [*rc.evaluate(labels, run, f"trec_eval:{name}").values()] == [*rc.evaluate(labels, run, spec).values()]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("utility.1,-1,0,1", "Write 0 as the fourth number"),
        ("utility.1,-1", "Write, for instance, utility.2,-1,0,0"),
        ("11pt_avg.x", "Write, for instance, 11pt_avg.0.2,0.5,0.8"),
    ],
)
def test_parameters_that_no_preset_has_are_refused(name: str, said: str) -> None:
    with pytest.raises(rc.MetricError, match=re.escape(said)):
        rc.metric(f"trec_eval:{name}")
