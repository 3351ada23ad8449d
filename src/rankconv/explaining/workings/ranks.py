"""Metrics whose value is a rank, worked out."""

from rankconv.explaining.arithmetic import number, times, total
from rankconv.explaining.expression import Expression
from rankconv.explaining.sheet import Sheet
from rankconv.explaining.working import Working, works_out
from rankconv.metrics.ranks import CoverageError, FirstRank, MeanPosition


def _ranks_of_hits(sheet: Sheet) -> list[int]:
    return [sheet.ranks[at] for at in range(sheet.read) if sheet.hits[at]]


@works_out(FirstRank)
def _(sheet: Sheet) -> Working:
    return Working(number(min(_ranks_of_hits(sheet), default=0)))


@works_out(CoverageError)
def _(sheet: Sheet) -> Working:
    return Working(number(max(_ranks_of_hits(sheet), default=0)))


@works_out(MeanPosition)
def _(sheet: Sheet) -> Working:
    grades = [number(grade) for grade in sheet.grades[: sheet.read]]
    products: list[Expression] = [times(rank, grade) for rank, grade in zip(sheet.ranks, grades, strict=False)]
    names = ("sum of rank · grade", "sum of grades")
    return Working(total(products), total(grades), names, {"rank · grade": products}, worth=grades)
