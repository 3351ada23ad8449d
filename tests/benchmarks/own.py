"""Ours against ours: what one more wish costs."""

import inspect
import itertools
import tracemalloc
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

import rankconv as rc
from rankconv.presets.registry import expand
from tests.benchmarks.data import CUTOFFS
from tests.benchmarks.ours import PLAIN, SIX, Pair, coded, coded_labels, evaluation, read
from tests.benchmarks.rows import Row
from tests.benchmarks.setting import Setting
from tests.benchmarks.timing import median_of
from tests.specs.long_texts import STARTS, long_texts

AT = f"@{','.join(map(str, CUTOFFS))}"


def duplicates(setting: Setting) -> list[Row]:
    """The default preset as it stands, which looks for repeated items."""
    times = [
        median_of(evaluation(SIX, preset), setting.pair.fresh, setting.repetitions) for preset in ("rankconv", PLAIN)
    ]
    return [Row("duplicates", setting.size, "cost", "duplicates=once", times[0], "duplicates=each", times[1])]


def coding(setting: Setting) -> list[Row]:
    """Ids to codes, which every race from coded data leaves out."""
    data = setting.data
    tasks = {"labels from a frame": coded_labels, "lists from an array": lambda data: rc.Run(data.pred)}
    six = median_of(evaluation(SIX), setting.pair.fresh, setting.repetitions)
    times = {what: median_of(call, lambda: data, setting.repetitions) for what, call in tasks.items()}
    return [Row("coding", setting.size, "cost", what, time, "six metrics", six) for what, time in times.items()]


def scores(setting: Setting) -> list[Row]:
    """Rows in any order, which scores put right: few levels tie, and ties ask for more."""
    return [of_ties(setting, preset) for preset in ("rankconv", "trec_eval-c", "sklearn")]


def of_ties(setting: Setting, preset: str) -> Row:
    """Twenty levels against as many as there are rows."""
    found = rc.preset(preset)
    specs = [f"{metric}{AT}" for metric in ("precision", "recall", "map", "ndcg") if found.offers(f"{metric}@5")]
    different, tied = shuffled(setting)
    call = evaluation(specs, preset)
    times = [median_of(call, pair.fresh, setting.repetitions) for pair in (tied, different)]
    return Row(
        "scores", setting.size, "cost", f"{preset}: 20 levels", times[0], "all scores different", times[1], goal=2
    )


def shuffled(setting: Setting) -> tuple[Pair, Pair]:
    """The rows of each user in any order: with scores all different, and on 20 levels."""
    data, run = setting.data, setting.pair.run
    order = np.argsort(np.random.default_rng(1).random(data.pred.shape), axis=1)
    order = (order + np.arange(data.users)[:, None] * data.pred.shape[1]).ravel()
    score = data.score.ravel()[order].astype(np.float64)
    levels = np.floor(score * 20 / (data.pred.shape[1] + 1))
    plain, tied = (run.replace(item=run.item[order], score=each) for each in (score, levels))
    return Pair(setting.pair.labels, plain), Pair(setting.pair.labels, tied)


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


def growth(setting: Setting) -> list[Row]:
    """A user among many should cost what a user among few does."""
    counts = [max(1, setting.data.users // part) for part in (100, 10, 1)]
    pairs = [coded(setting.data.first(users)) for users in counts]
    each = [
        median_of(evaluation(SIX), pair.fresh, setting.repetitions) / n for pair, n in zip(pairs, counts, strict=True)
    ]
    last = f"a user among {counts[-1]:,}"
    others = zip(counts[:-1], each[:-1], strict=True)
    return [Row("growth", setting.size, "cost", last, each[-1], f"among {n:,}", time) for n, time in others]


def texts(setting: Setting) -> list[Row]:
    """Twice the text of a metric should take twice the time, however nasty it is."""
    found = rc.preset("trec_eval")

    def read_all(long: list[str]) -> None:
        for text in long:
            with suppress(rc.RankconvError):
                found.define(text)

    given = {signs: [text for start in STARTS for text in long_texts(start, signs)] for signs in (10_000, 20_000)}
    short, long = (median_of(read_all, lambda one=one: one, setting.repetitions) for one in given.values())
    return [Row("texts", "–", "cost", "metrics of 20,000 signs are refused", long, "of 10,000 signs", short, goal=3)]


def fixed(setting: Setting) -> list[Row]:
    """What a call costs before it meets any data to speak of."""
    given = ({"u": ["a"]}, {"u": ["b", "a"]})
    time = median_of(lambda pair: read(rc.evaluate(pair[0], pair[1], list(SIX))), lambda: given, setting.repetitions)
    return [Row("fixed", "–", "alone", "six metrics for one user, from dicts", time)]
