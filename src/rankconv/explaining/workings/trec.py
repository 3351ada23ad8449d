"""Metrics that compare a list with the ideal one rank by rank, worked out."""

from fractions import Fraction
from itertools import accumulate

from rankconv.explaining.arithmetic import ZERO, log, number, over, times, total
from rankconv.explaining.expression import Expression
from rankconv.explaining.sheet import Sheet, above, running
from rankconv.explaining.working import Column, Ideal, Working, works_out
from rankconv.explaining.workings.gain import discounted_columns, products
from rankconv.explaining.workings.ideals import best_labels, discounted
from rankconv.metrics.trec import RNDCG, BinG, GMeasure, NDCGRel


@works_out(BinG)
def _(sheet: Sheet) -> Working:
    misses = above(sheet.misses)
    worth = [times(hit, over(1, log(2 + misses[at], 2))) for at, hit in enumerate(sheet.hits)][: sheet.read]
    columns: dict[str, Column] = {
        "misses above": [str(count) for count in misses[: sheet.read]],
        "counts": worth,
        "sum": running(worth),
    }
    names = ("sum over the hits", "R")
    says = [("R, the relevant labels", number(sheet.relevant))]
    return Working(total(worth), number(sheet.relevant), names, columns, says=says, worth=worth)


def _positive(grade: Fraction) -> Fraction:
    return max(grade, Fraction(0))


@works_out(GMeasure)
def _(sheet: Sheet) -> Working:
    best = sorted(sheet.labels, key=lambda label: -_positive(label.grade))
    ideal = [_positive(label.grade) for label in best]
    lasting = [max(ideal[at], Fraction(1)) if at < len(ideal) else Fraction(1) for at in range(sheet.length)]
    grades = [_positive(grade) for grade in sheet.grades]
    behind = [best - own for best, own in zip(accumulate(lasting), accumulate(grades), strict=True)][: sheet.read]
    worth: list[Expression] = [
        over(grades[at], log(number(2 + less), 2)) if grades[at] > 0 else ZERO for at, less in enumerate(behind)
    ]
    columns: dict[str, Column] = {
        "ideal less gained": [number(late) for late in behind],
        "counts": worth,
        "sum": running(worth),
    }
    beside = Ideal([label.item for label in best], {"grade": [number(grade) for grade in ideal]})
    names = ("sum over the grades", "sum of the ideal list")
    return Working(total(worth), number(sum(ideal)), names, columns, beside, worth=worth)


class _RankByRank:
    """DCG of the list and of the ideal one down to each rank."""

    def __init__(self, sheet: Sheet) -> None:
        best = [(item, gain) for item, gain in best_labels(None, sheet) if gain.value > 0]
        self.gains = [gain for _, gain in best]
        self.own, self.best = products(sheet), discounted(sheet, self.gains)
        self.columns = discounted_columns(sheet, self.own)
        ideal_columns = {"gain": self.gains, "product": self.best, "sum": running(self.best)}
        self.ideal = Ideal([item for item, _ in best], ideal_columns, self.best)

    def ndcg(self, own: int, best: int) -> Expression:
        """DCG by ideal DCG, each down to so many ranks."""
        return over(total(self.own[:own]), total(self.best[:best]))

    @property
    def whole(self) -> Expression:
        """NDCG of the whole list."""
        return self.ndcg(len(self.own), len(self.best))


@works_out(NDCGRel)
def _(sheet: Sheet) -> Working:
    lists = _RankByRank(sheet)
    size = len(lists.gains)
    at_ranks = [
        lists.ndcg(at + 1, min(at + 1, size)) if gain.value > 0 else ZERO for at, gain in enumerate(sheet.gains)
    ]
    missed = size - sum(gain.value > 0 for gain in sheet.gains)
    of_missed = times(missed, lists.whole) if size else ZERO
    columns = lists.columns | {"NDCG@j": at_ranks}
    says = [("missed", number(missed)), ("NDCG of the whole list", lists.whole)]
    names = ("sum of NDCGs", "labels with a gain")
    numerator = total([*at_ranks, of_missed])
    return Working(numerator, number(size), names, columns, lists.ideal, says=says, worth=lists.own)


@works_out(RNDCG)
def _(sheet: Sheet) -> Working:
    lists = _RankByRank(sheet)
    size, length = len(lists.gains), sheet.length
    worth = [gain.value for gain in lists.gains] + [0.0] * (length + 1)
    changes = [rank for rank in range(2, max(length, size) + 1) if worth[rank - 1] != worth[rank - 2]]
    last = (length > size + 1 or length <= size) and total(lists.best).value != 0
    terms = [lists.ndcg(rank - 1, rank - 1) for rank in changes] + [lists.whole] * last
    says = [("the ideal gain changes at ranks " + (", ".join(map(str, changes)) or "–"), None)]
    if last:
        says.append(("and the whole list counts once more", None))
    by = number(len(terms)) if size else ZERO
    names = ("sum of NDCGs", "their number")
    return Working(total(terms), by, names, lists.columns, lists.ideal, says=says, worth=lists.own)
