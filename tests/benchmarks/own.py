"""Ours against ours: what one more wish costs."""

import inspect
import itertools
import tracemalloc
from dataclasses import replace
from typing import Any

import rankconv as rc
from rankconv.presets.preset_registry import expand
from tests.benchmarks.data import CUTOFFS
from tests.benchmarks.ours import PLAIN, SIX, evaluation, read
from tests.benchmarks.rows import Row
from tests.benchmarks.setting import Setting
from tests.benchmarks.timing import median_of

AT = f"@{','.join(map(str, CUTOFFS))}"


def variants() -> list[str]:
    """32 definitions of seven metrics."""
    precision = ("k", "min(k, length)")
    recall = ("relevant", "min(k, relevant)", "k")
    ap = ("min(k, relevant)", "relevant", "hits", "k", "one")
    discounts, ideals = ("log(base=2)", "reciprocal"), ("all-labels", "retrieved-at-k", "all-ones")
    ndcg = itertools.product(("linear", "exponential"), discounts, ideals)
    return [
        *(f"map(ap-denominator={one})" for one in ap),
        *(f"ndcg(gain={gain}, discount={discount}, ideal={ideal})" for gain, discount, ideal in ndcg),
        *(f"recall(recall-denominator={one})" for one in recall),
        *(f"precision(precision-denominator={one})" for one in precision),
        *(f"f1(precision-denominator={p}, recall-denominator={r})" for p in precision for r in recall),
        *(f"mrr(rr-hits={over})" for over in ("first-hit", "sum")),
        *(f"hit_rate(hit-rule={by})" for by in ("hits", "grade-sum")),
    ]


def family() -> list[str]:
    """32 definitions of NDCG."""
    discounts = ("log(base=2)", "log(base=e)", "reciprocal", "log-from-rank(base=2)")
    ideals = ("all-labels", "all-labels-unsorted", "retrieved-at-k", "all-ones")
    each = itertools.product(("linear", "exponential"), discounts, ideals)
    return [f"ndcg(gain={gain}, discount={discount}, ideal={ideal})" for gain, discount, ideal in each]


def definitions(setting: Setting) -> list[Row]:
    """Many definitions in one call, against one definition, and against as many calls."""
    specs = [f"{one}{AT}" for one in variants()]
    tasks = (specs, [f"{one}{AT}" for one in family()], [f"ndcg{AT}"], list(SIX))
    many, ndcg, one, six = (median_of(evaluation(task), setting.pair.fresh, setting.repetitions) for task in tasks)
    alone = [evaluation([spec]) for spec in specs]
    calls = median_of(lambda pair: [call(pair.fresh()) for call in alone], setting.pair.fresh, setting.repetitions)
    row = ("definitions", setting.size)
    return [
        Row(*row, "cost", "32 definitions in one call", many, "one definition", one, goal=4),
        Row(*row, "cost", "32 definitions of NDCG in one call", ndcg, "one definition", one, goal=4),
        Row(*row, "cost", "32 definitions in one call", many, "six metrics", six),
        Row(*row, "race", "32 definitions in one call", many, "32 calls", calls, goal=5),
    ]


def presets(setting: Setting) -> list[Row]:
    """Two metrics under every preset that there is."""
    asked = {"all": expand("all"), "one": ["mllib"]}
    call = lambda names: lambda pair: list(rc.compare(pair.labels, pair.run, ["ndcg@10", "map@10"], names).to_dict())
    times = {what: median_of(call(names), setting.pair.fresh, setting.repetitions) for what, names in asked.items()}
    what = f"compare under {len(asked['all'])} presets"
    return [Row("presets", setting.size, "cost", what, times["all"], "compare under one", times["one"], goal=12)]


def memory(setting: Setting) -> list[Row]:
    """Beyond what was given, where only means are asked for."""
    row = Row("memory", setting.size, "alone", "means only, at the peak beyond the data", unit="MB")
    if "per_user" not in inspect.signature(rc.evaluate).parameters:
        return [replace(row, note="left out: evaluate has no per_user=False")]
    pair = setting.pair.fresh()
    tracemalloc.start()
    evaluate: Any = rc.evaluate
    evaluate(pair.labels, pair.run, list(SIX), PLAIN, per_user=False)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return [replace(row, ours=peak / 2**20, note="goal: at most 50 MB")]


def fixed(setting: Setting) -> list[Row]:
    """What a call costs before it meets any data to speak of."""
    given = ({"u": ["a"]}, {"u": ["b", "a"]})
    time = median_of(lambda pair: read(rc.evaluate(pair[0], pair[1], list(SIX))), lambda: given, setting.repetitions)
    return [Row("fixed", "–", "alone", "six metrics for one user, from dicts", time)]
