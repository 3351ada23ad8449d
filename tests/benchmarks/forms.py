"""End to end from every form in which people hold data but frames of integers: the same numbers, and how long."""

import polars as pl

import rankconv as rc
from tests.benchmarks.held import HELD, Held
from tests.benchmarks.peers.peer import METRICS, Means, at_each_k
from tests.benchmarks.races import Disagreement
from tests.benchmarks.rows import Row
from tests.benchmarks.setting import Setting
from tests.benchmarks.timing import median_of
from tests.benchmarks.whole import FIVE, ours

SMALL = (("two users, 18 numbers", 2, "dicts", 5), ("1,000 users, text ids in polars", 1000, "text ids in polars", 15))
"""What is asked of few users: how many, in which form, and within how many milliseconds."""
OF_WHOLE = ("TREC files", "dense arrays", "pandas", "scored rows in pandas")
"""Forms of fewer users, or of whole lists: their numbers are checked where a peer is raced from them."""


def forms(setting: Setting) -> list[Row]:
    """Five metrics from each form; they must be those of coded data to the last bit."""
    expected = rc.evaluate(setting.pair.labels, setting.pair.run, FIVE)
    wanted = {spec: expected[spec] for spec in at_each_k(*METRICS)}
    rows = []
    for form in (one for one in HELD if one not in OF_WHOLE):
        given = HELD[form](setting.data)
        _check(form, ours(given), wanted)
        time = median_of(ours, lambda given=given: given, setting.repetitions)
        rows.append(Row("forms", setting.size, "alone", f"five metrics from {form}", time))
        del given
    return [*rows, _trec(setting), *small(setting)]


def _check(form: str, found: Means, wanted: Means) -> None:
    off = {spec: (mean, wanted[spec]) for spec, mean in found.items() if mean != wanted[spec]}
    if off:
        raise Disagreement(f"five metrics from {form} are not those of coded data: {off}")


def _trec(setting: Setting) -> Row:
    """Beside polars, which only reads the fields of the run."""
    qrels, run = HELD["TREC files"](setting.data)
    names = {"user": pl.String, "zero": pl.String, "item": pl.String, "rank": pl.Int64, "score": pl.Float64}
    read = lambda path: pl.read_csv(
        path, separator=" ", has_header=False, schema={**names, "tag": pl.String}, quote_char=None
    )
    other = median_of(read, lambda: run, setting.repetitions)
    time = median_of(lambda paths: ours(paths), lambda: (qrels, run), setting.repetitions)
    return Row(
        "forms", setting.size, "race", "five metrics from TREC files", time, "polars reads the run", other, 1 / 1.3
    )


def small(setting: Setting) -> list[Row]:
    """What few users cost."""
    rows = []
    for what, users, form, most in SMALL:
        given: Held = HELD[form](setting.data.first(min(users, setting.data.users)))
        specs = [*FIVE, "hit_rate@5,10,20"]
        call = lambda held, specs=specs: rc.evaluate(rc.Labels(held[0]), rc.Run(held[1]), specs).to_dict()
        took = median_of(call, lambda given=given: given, setting.repetitions)
        rows.append(Row("small", "–", "alone", what, took, note=f"goal: at most {most} ms"))
    return rows
