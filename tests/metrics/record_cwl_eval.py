"""Random lists with what cwl_eval 1.0.12 gives for them: `python -m tests.metrics.record_cwl_eval` writes them anew.

Of each measure all that it prints: EU, ETU, EC, ETC, ED, and the residuals of the five.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np

RECORD = Path(__file__).parent / "data" / "cwl_eval.json"
CASES = 24
COLUMNS = ("utility", "total_utility", "cost", "total_cost", "items")
LENGTHS = (0, 1, 2, 5, 12, 25, 60, 1200)
GRADES = ([0, 1], [0, 0.25, 0.5, 1], [0, 0.1, 0.3, 0.7, 1])


def random_case(seed: int) -> dict[str, Any]:
    """Labels, a list that may be empty, repeat items or be longer than 1,000 rows, and parameters of the measures."""
    draw = np.random.default_rng([15, seed])
    length, pool = LENGTHS[seed % len(LENGTHS)], draw.permutation(1500 if seed % len(LENGTHS) > 5 else 40).tolist()
    judged = [f"d{item}" for item in sorted(pool)[: draw.integers(0, 30)]]
    labels = dict(zip(judged, draw.choice(GRADES[seed % 3], len(judged)).tolist(), strict=True))
    ranking = [f"d{item}" for item in (draw.choice(pool, length) if seed % 5 == 3 else pool[:length])]
    told = {
        "k": draw.integers(1, 40),
        "t": draw.choice([0.3, 1, 2, 3.5]),
        "p": draw.choice([0.1, 0.5, 0.8]),
        "b": draw.choice([0.2, 0.9]),
        "r": draw.choice([0, 1, 10]),
        "a": draw.choice([0.1, 0.5]),
        "h": draw.choice([3, 22, 224]),
        "l": draw.choice([5, 50, 1000, 3000]),
        "c": draw.choice([1, 4, 10, 100]),
        "m": draw.choice([0.25, 0.5]),
    }
    return {"labels": labels, "ranking": ranking, "told": {name: value.item() for name, value in told.items()}}


MEASURES = {
    "P.EU@{k}": ("PrecisionCWLMetric", "k"),
    "NDCG-k.EU@{k}": ("NDCGCWLMetric", "k"),
    "RBP.EU(cwl-continuation={p})": ("RBPCWLMetric", "p"),
    "RR.EU": ("RRCWLMetric", ""),
    "AP.EU": ("APCWLMetric", ""),
    "TrAP.EU": ("TrAPCWLMetric", ""),
    "INST.EU(cwl-continuation=inst({t}))": ("INSTCWLMetric", "t"),
    "INSQ.EU(cwl-continuation=insq({t}))": ("INSQCWLMetric", "t"),
    "IFT-C1.EU(cwl-continuation=ift-goal(target={t}, b={b}, r={r}))": ("IFTGoalCWLMetric", "tbr"),
    "IFT-C2.EU(cwl-continuation=ift-rate(rate={a}, b={b}, r={r}))": ("IFTRateCWLMetric", "abr"),
    "IFT-C1-C2.EU(cwl-continuation=all(ift-goal(target={t}, b={b}, r={r}), ift-rate(rate={a}, b={b}, r={r})))": (
        "IFTGoalRateCWLMetric",
        "tbrabr",
    ),
    "BPM.EU(cwl-continuation=all(gain-below({t}), cost-below({c})))": ("BPMCWLMetric", "tc"),
    "BPM-Dynamic.EU(cwl-continuation=all(gain-below-moving({t}, {b}, {m}), cost-below({c})))": (
        "BPMDCWLMetric",
        "tcbpm",
    ),
    "NERR-EQ8.EU@{k}": ("NERReq8CWLMetric", "k"),
    "NERR-EQ9.EU@{k}": ("NERReq9CWLMetric", "k"),
    "NERR-EQ10.EU(cwl-continuation=all(unsatisfied, {p}))": ("NERReq10CWLMetric", "p"),
    "NERR-EQ11.EU(cwl-continuation=all(unsatisfied, insq({t})))": ("NERReq11CWLMetric", "t"),
    "TBG.EU(cwl-continuation=half-life({h}))": ("TBGCWLMetric", "h"),
    "U.EU(cwl-continuation=line({l}))": ("UMeasureCWLMetric", "l"),
}
"""Spec of the preset, and class and arguments there: the scaling of cost (hc) is read, and changes nothing."""


def real(case: dict[str, Any]) -> dict[str, list[float]]:
    """What the real library gives for a case, by spec."""
    from cwl.ruler import cwl_ruler
    from cwl.ruler.ranking import RankingMaker
    from cwl.seeker.trec_qrel_handler import TrecQrelHandler

    qrels = TrecQrelHandler()
    for item, grade in case["labels"].items():
        qrels.put_value("t", item, grade)
    maker, found = RankingMaker("t", qrels), {}
    for item in case["ranking"]:
        maker.add(item, "Q0")
    for spec, (name, arguments) in MEASURES.items():
        measure = getattr(cwl_ruler, name)(*(case["told"][one] for one in arguments))
        measure.residuals = True
        measure.measure(maker.get_ranking())
        columns = [f"{kind}expected_{one}" for kind in ("", "residual_") for one in COLUMNS]
        found[spec.format(**case["told"])] = [float(getattr(measure, column)) for column in columns]
    return found


if __name__ == "__main__":
    made = [(seed, real(random_case(seed))) for seed in range(CASES)]
    text = json.dumps([{spec: [float(f"{x:.12g}") for x in row] for spec, row in one.items()} for _, one in made])
    RECORD.parent.mkdir(exist_ok=True)
    RECORD.write_text(text.replace("], ", "],\n") + "\n")
