"""ir_measures 0.4.3: `calc_aggregate` and `iter_calc` with objects such as `nDCG@10`, and no provider to install.

    from rankconv.compat import ir_measures            # was: import ir_measures
    from rankconv.compat.ir_measures import AP, nDCG
    ir_measures.calc_aggregate([nDCG @ 10, AP(rel=2)], qrels, run)

The rankconv way: `rc.evaluate(qrels, run, ["nDCG@10", "AP(relevant=at-least(2))"], preset="ir_measures")`.

What may surprise, and is kept: the providers judge differently, so RR and RR@10 break a tie in opposite directions,
and nDCG(dcg='exp-log2')@k and ERR@k take grades up to 4 and round each query to five decimals; a query that the run
lacks counts 0; beta of SetF is not squared; a measure that no provider computes is refused.

What differs here: measures of groups of labels (alpha_nDCG, ERR_IA and the like: preset `ndeval`) and of readers
(BPM, INST, NERR: preset `cwl_eval`) have no object here, and `define` has none; names of trec_eval are read by the
presets `trec_eval` and `pytrec_eval` alone; RBP and SDCG need no cwl_eval; `Compat(normalize=False)` is refused; a text
as a measure is read by `parse_measure`. Means are `Number`s, floats that know their definition.
"""

from collections.abc import Iterable, Iterator
from gzip import open as open_gzip
from pathlib import Path
from typing import Any, NamedTuple

from rankconv.compat.measure import (
    CalcResults,
    Evaluator,
    Measure,
    Metric,
    calc,
    calc_aggregate,
    evaluator,
    iter_calc,
    measures,
    parse_measure,
)
from rankconv.compat.queries import QREL_LINE, RUN_LINE, trec_rows

_OBJECTS = measures()
__all__ = [
    "CalcResults",
    "Evaluator",
    "Measure",
    "Metric",
    "Qrel",
    "ScoredDoc",
    "calc",
    "calc_aggregate",
    "evaluator",
    "iter_calc",
    "parse_measure",
    "read_trec_qrels",
    "read_trec_run",
    *_OBJECTS,
]
globals().update(_OBJECTS)


def __getattr__(name: str) -> Measure:
    """The measures by their names, which type checkers find here."""
    if name in _OBJECTS:
        return _OBJECTS[name]
    raise AttributeError(f"module 'rankconv.compat.ir_measures' has no attribute '{name}'")


class Qrel(NamedTuple):
    """A judgment: the grade of a document for a query."""

    query_id: str
    doc_id: str
    relevance: int
    iteration: str = "0"


class ScoredDoc(NamedTuple):
    """A document that was returned for a query, with its score."""

    query_id: str
    doc_id: str
    score: float


def read_trec_qrels(file: Any) -> Iterator[Qrel]:
    """The judgments of a path, of an open file, or of a text of several lines, one by one.

    Of a document that a query has twice the last one counts, as there; `iteration` keeps the line's second field.
    """
    for query, iteration, document, grade in trec_rows(_lines(file), QREL_LINE, int):
        yield Qrel(query, document, grade, iteration)


def read_trec_run(file: Any) -> Iterator[ScoredDoc]:
    """The returned documents of a path, of an open file, or of a text of several lines; the last of two counts."""
    for query, _, document, score in trec_rows(_lines(file), RUN_LINE, float):
        yield ScoredDoc(query, document, score)


def _lines(file: Any) -> Iterable[str]:
    """The lines that hold something."""
    if isinstance(file, str) and "\n" in file:
        lines: Iterable[str] = file.splitlines()
    elif hasattr(file, "read"):
        lines = file
    else:
        with open_gzip(file, "rt") if str(file).endswith(".gz") else Path(file).open() as opened:
            lines = opened.readlines()
    return (line for line in lines if line.strip())
