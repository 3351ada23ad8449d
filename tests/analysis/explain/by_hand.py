"""The seven core metrics, and who is special, by hand over the rows that an explanation prints: a second opinion.

Each formula is written as a textbook has it, for one list, in fractions as far as they go.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import comb, exp, inf, isnan, log, log2
from typing import Any, NamedTuple

from rankconv.analysis.explain.derivation import Derivation
from rankconv.analysis.explain.prepared_list import NO_ITEM, item_name, prepared_list
from rankconv.metrics.base import Metric, Parts
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.ties import TieEffect
from rankconv.preparation.working_rows import NOTHING
from rankconv.presets.definition import Definition

Number = Fraction | float
Sides = tuple[Number, Number]


class Label(NamedTuple):
    """One label that exists."""

    grade: Fraction
    relevant: bool
    at_end: bool
    represents_row: bool
    """Whether it is not a label, but a row of the list that holds an item without one."""


@cache
def fraction(value: float) -> Fraction:
    """The fraction that the shortest decimal for this number says."""
    return Fraction(repr(value))


class ByHand:
    """One prepared list, as it is printed, and the settings of a metric."""

    def __init__(self, block: Block, metric: Metric) -> None:
        self.block, self.metric, self.prepared = block, metric, prepared_list(block)
        self.rows = [_exact(row) for row in self.prepared.rows]
        known = block.known
        columns = (known.grade, known.relevant, known.at_end, (known.label < 0) & (known.item != NOTHING))
        self.labels = [
            Label(fraction(grade), *rest) for grade, *rest in zip(*(one.tolist() for one in columns), strict=True)
        ]
        labels = block.prepared.labels
        self.judged_grades = [fraction(grade) for grade in labels.grade[labels.exists & ~labels.in_pool].tolist()]
        self.level = fraction(float(block.preparation.settings["relevant"].keywords.get("level", 0)))
        self.k, self.scope, self.n = metric.k, metric.scope, len(self.rows)
        self.read = self.prepared.within(self.scope)
        self.relevant = sum(label.relevant for label in self.labels)
        self.averaged = self.prepared.tie_rule is TieEffect.EXPECTED

    def is_first(self, place: int) -> bool:
        """Whether no row above holds the item of this one."""
        item = self.rows[place].item
        return item == NO_ITEM or all(row.item != item for row in self.rows[:place])

    def given(self, convention_name: str) -> str:
        return self.metric.stated[convention_name]

    def parameters(self, convention_name: str) -> dict[str, Any]:
        return dict(self.metric.settings[convention_name].keywords)

    def share(self, values: list[Number]) -> list[Number]:
        if not self.averaged:
            return values
        return [sum((values[at] for at in row.tie), Fraction(0)) / len(row.tie) for row in self.rows]

    @property
    def hits(self) -> list[Number]:
        return self.share([Fraction(row.hit) for row in self.rows])

    @property
    def hit_worths(self) -> list[Number]:
        if self.given("hit-weight") == "one":
            return self.hits
        return self.share([(row.grade or Fraction(0)) if row.hit else Fraction(0) for row in self.rows])

    def above_cutoff(self, values: list[Number], k: int | None) -> list[Number]:
        return [value for row, value in zip(self.rows, values, strict=True) if k is None or self.depth_of(row) <= k]

    def depth_of(self, row: Any) -> Number:
        """The least cutoff that reads the row: its rank, or the place of the first row of its tie."""
        return row.tie[0] + 1 if self.prepared.keeps_ties else row.rank

    def divisor(self, text: str, inside: bool = False) -> Number:
        if text.startswith("min("):
            return min(self.divisor(part.strip(), inside=True) for part in split(text[4:-1]))
        if text == "k":
            return self.k if self.k is not None else inf if inside else self.n
        if text == "hits-in-ranking":
            return sum(self.hits, Fraction(0))
        if text.startswith("hits"):
            epsilon = text.partition("epsilon=")[2].rstrip(")")
            return sum(self.above_cutoff(self.hits, self.scope), Fraction(0)) + (Fraction(epsilon) if epsilon else 0)
        if text.startswith("labels-above"):
            return sum(grade > Fraction(text[13:-1]) for grade in self.judged_grades)
        if text == "relevant-grades":
            return sum((label.grade for label in self.labels if label.relevant), Fraction(0))
        if text == "nonzero-labels":
            return sum(label.grade != 0 for label in self.labels)
        return {"length": self.n, "relevant": self.relevant, "one": 1}[text]

    # the seven

    def precision(self) -> Sides:
        top = sum(self.above_cutoff(self.hit_worths, self.scope), Fraction(0))
        return top, self.divisor(self.given("precision-denominator"))

    def recall(self) -> Sides:
        top = sum(self.above_cutoff(self.hit_worths, self.scope), Fraction(0))
        return top, self.divisor(self.given("recall-denominator"))

    def f(self) -> Sides:
        parts = [self._part(self.precision()), self._part(self.recall())]
        beta = Fraction(self.given("beta"))
        b = beta * beta if self.given("beta-form") == "squared" else beta
        if self.given("f-form") == "counts":
            (found, chosen), (_, wanted) = self.precision(), self.recall()
            return (1 + b) * found, b * wanted + chosen
        return (1 + b) * parts[0] * parts[1], b * parts[0] + parts[1]

    def _part(self, sides: Sides) -> Number:
        if sides[1]:
            return sides[0] / sides[1]
        undefined = self.given("f-zero-division")
        return inf if sides[0] else float("nan") if undefined == "as-computed" else Fraction(undefined)

    def average_precision(self) -> Sides:
        terms: list[Number] = []
        by_item = self.given("ap-precision") == "items"
        counted = (
            [Fraction(row.hit and self.is_first(at)) for at, row in enumerate(self.rows)] if by_item else self.hits
        )
        for at, (row, hit) in enumerate(zip(self.rows, self.hits, strict=True)):
            if self.averaged:
                terms.append(self.expected_precision(row))
                continue
            whole_tie = row.tie[-1] if self.prepared.tie_rule is TieEffect.SHARED else at
            weight = fraction(row.score) if self.given("ap-weight") == "score" else 1
            terms.append(hit * sum(counted[: whole_tie + 1], Fraction(0)) / max(row.rank, 1) * weight)
        return sum(self.above_cutoff(terms, self.scope), Fraction(0)), self.divisor(self.given("ap-denominator"))

    def expected_precision(self, row: Any) -> Number:
        """The expected hit of a row of a tie, times the hits down to it, which the row is one of, over its rank."""
        size, first = len(row.tie), row.tie[0]
        above, tied = (sum(self.rows[at].hit for at in rows) for rows in (range(first), row.tie))
        tied_above = Fraction((row.rank - 1 - first) * (tied - 1), max(size - 1, 1))
        return Fraction(tied, size) * (above + 1 + tied_above) / row.rank

    def expected_first(self) -> Number:
        """1/rank of the first hit, which is in the first tie with hits: the mean over all places of these in it."""
        tie = next((row.tie for row in self.rows if any(self.rows[at].hit for at in row.tie)), range(0))
        hits = sum(self.rows[at].hit for at in tie)
        ways = [comb(len(tie) - 1 - at, hits - 1) for at in range(len(tie))]
        read = [self.scope is None or place < self.scope for place in tie]
        chances = [Fraction(way * counts, comb(len(tie), hits)) for way, counts in zip(ways, read, strict=True)]
        return sum((chance / (place + 1) for chance, place in zip(chances, tie, strict=True)), Fraction(0))

    def reciprocal_rank(self) -> Sides:
        if self.averaged:
            return self.expected_reciprocals()
        ranks = [
            max(row.rank, 1)
            for row in self.rows
            if row.hit and (self.scope is None or self.depth_of(row) <= self.scope)
        ]
        over = self.given("rr-hits")
        if over.startswith("grades"):
            return self._graded_ranks(Fraction(self.parameters("rr-hits")["epsilon"]))
        if over == "last-label":
            labelled = [item_name(self.block.joined, code) for code in self.block.joined.labels.item.tolist()]
            hits = [row for row in self.rows if row.hit and (self.scope is None or row.rank <= self.scope)]
            last = max(hits, key=lambda row: labelled.index(row.item), default=None)
            return Fraction(last is not None), last.rank if last else 1
        if over.startswith("first-hit"):
            step = self.parameters("rr-hits").get("step", 1)
            place = inf if self.scope is None else (self.scope - 1) // step + 1
            ranks = [rank for rank in ranks[:1] if rank <= place]
        total = sum((Fraction(1, rank) for rank in ranks), Fraction(0))
        return total, {"hits": len(ranks), "relevant": self.relevant}.get(over, 1)

    def expected_reciprocals(self) -> Sides:
        over = self.given("rr-hits")
        if over == "first-hit":
            return self.expected_first(), 1
        if over.startswith("grades"):
            return self._graded_ranks(Fraction(self.parameters("rr-hits")["epsilon"]))
        terms = [hit / row.rank for hit, row in zip(self.hits, self.rows, strict=True)]
        top, hits = (sum(self.above_cutoff(one, self.scope), Fraction(0)) for one in (terms, self.hits))
        return top, {"hits": hits, "relevant": self.relevant}.get(over, 1)

    def _graded_ranks(self, epsilon: Fraction) -> Sides:
        grades = self.share([row.grade if row.judged and row.grade is not None else Fraction(0) for row in self.rows])
        terms = [grade / max(row.rank, 1) for grade, row in zip(grades, self.rows, strict=True)]
        tops = (sum(self.above_cutoff(one, self.scope), Fraction(0)) for one in (terms, grades))
        return next(tops), next(tops) + epsilon

    def dcg(self) -> Sides:
        gains = self.share([self.row_gain(row) for row in self.rows])
        terms = [gain * self.discount(max(row.rank, 1)) for gain, row in zip(gains, self.rows, strict=True)]
        return sum(self.above_cutoff(terms, self.scope)), self.dcg_divisor()

    def dcg_divisor(self) -> Number:
        setting = self.metric.settings["dcg-denominator"]
        if setting.setting_type.name == "dcg-of-ones":
            return self.discounted([Fraction(1)] * min(self.relevant, inf if self.k is None else self.k))
        return self.divisor(setting.keywords["of"].text) if "of" in setting.keywords else 1

    def ndcg(self) -> Sides:
        least = self.worst() if self.given("normalization") == "min-max" else 0
        found, by = self.dcg()
        sides = (found - least, self.ideal_dcg() - least)
        return (sides[0] / by, sides[1] / by) if by else (Fraction(0), Fraction(0))

    # what NDCG is made of

    def row_gain(self, row: Any) -> Number:
        if not row.judged or row.grade is None:
            return Fraction(0)
        return self.gain(row.grade, row.relevant) * row.weight

    def gain(self, grade: Fraction, relevant: bool) -> Number:
        name, given = self.metric.settings["gain"].setting_type.name, self.parameters("gain")
        if name == "of-relevant":
            name = self.given("gain").removeprefix("of-relevant(").removesuffix(")")
            if not relevant:
                return Fraction(0)
        gains: dict[str, Callable[[], Number]] = {
            "linear": lambda: grade,
            "exponential": lambda: 2 ** float(grade) - 1,
            "binary": lambda: Fraction(relevant),
            "exponential-above-level": lambda: 2 ** float(grade - self.level + 1) - 1 if grade >= self.level else 0,
            "linear-over": lambda: min(grade, Fraction(given["highest"])) / Fraction(given["highest"]),
            "exponential-over": lambda: (2 ** float(grade) - 1) / 2 ** float(given["highest"]),
            "linear-times": lambda: grade * Fraction(given["factor"]),
            "square-less-one": lambda: grade * grade - 1,
            "table": lambda: next((gain for one, gain in given.items() if float(one) == grade), grade),
        }
        return gains[name]()

    def discount(self, rank: int) -> float:
        name, given = self.metric.settings["discount"].setting_type.name, self.parameters("discount")
        if name == "reciprocal":
            return 1 / rank
        if name == "none":
            return 1
        if name == "geometric":
            return given["persistence"] ** (rank - 1)
        if name == "exponential-of-length":
            return exp(-given["rate"] * rank / max(self.n, 1))
        of = rank + (given.get("shift", 1) if name == "log" else 0)
        logarithm = log2(of) if given["base"] == 2 else log(of) / log(given["base"])
        return 1 / logarithm if name == "log" else 1 / max(logarithm, 1)

    def discounted(self, gains: list[Number]) -> Number:
        return sum(gain * self.discount(rank) for rank, gain in enumerate(gains, 1))

    def ideal_dcg(self) -> Number:
        name, gains = (
            self.metric.settings["ideal"].setting_type.name,
            [(label.at_end, self.gain(label.grade, label.relevant)) for label in self.labels],
        )
        falling = [gain for _, gain in sorted(gains, key=lambda one: (one[0], -one[1]))]
        returned_at_all = self.share([self.row_gain(row) for row in self.rows])
        returned = returned_at_all[: self.k]
        ideal: list[Number] = {
            "all-labels": falling,
            "all-labels-then-zeros": self.filled_with_zeros(),
            "relevant-labels": sorted(
                (self.gain(label.grade, True) for label in self.labels if label.relevant), reverse=True
            ),
            "catalogue": [max(gain, 0) for gain in falling],
            "all-labels-unsorted": [gain for _, gain in gains],
            "retrieved-at-k": sorted(returned, reverse=True),
            "retrieved": sorted(returned_at_all, reverse=True),
            "retrieved-at": sorted(self._first(self.metric.settings["ideal"]), reverse=True),
            "expected-random": [sum(returned_at_all, Fraction(0)) / max(len(returned_at_all), 1)]
            * len(returned_at_all),
            "all-ones": [1] * (self.n if self.k is None else self.k),
        }[name]
        cut = {"k": self.k, "none": None, "length": self.n if self.k is None else min(self.k, self.n)}
        own = self.metric.settings["ideal-cutoff"].keywords.get("rank")
        return self.discounted(ideal[: own or cut[self.given("ideal-cutoff")]])

    def filled_with_zeros(self) -> list[Number]:
        grades = sorted((label.grade for label in self.labels), reverse=True)
        missing = 0 if self.k is None else max(0, self.k - len(grades))
        relevant = {label.grade for label in self.labels if label.relevant}
        return [self.gain(grade, grade in relevant) for grade in [*grades, *[Fraction(0)] * missing]]

    def _first(self, ideal: Any) -> list[Number]:
        return self.share([self.row_gain(row) for row in self.rows])[: ideal.keywords.get("rows", 0)]

    def worst(self) -> Number:
        gains = sorted(self.gain(label.grade, label.relevant) for label in self.labels)
        return self.discounted([gain for gain in gains if gain < 0 or self.block.aligned_arrays][: self.k])


def _exact(row: Any) -> Any:
    """The row with its rank and grade as fractions."""
    return row._replace(rank=fraction(row.rank), grade=None if row.grade is None else fraction(row.grade))


def split(text: str) -> list[str]:
    """The parts of `min(…)`, commas inside of a part left alone."""
    parts, depth = [""], 0
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        if sign == "," and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return parts


SEVEN = ("precision", "recall", "f", "average_precision", "reciprocal_rank", "dcg", "ndcg")


class Case:
    """One user under one definition: the data of the policies that may apply."""

    def __init__(self, hand: ByHand, working: Derivation, definition: Definition) -> None:
        self.hand, self.working, self.definition = hand, working, definition
        rows, labels = hand.rows, hand.labels
        by_label = [label.represents_row for label in labels]
        by_row = [not row.judged and row.item != NO_ITEM for row in rows]
        self.unjudged = by_label if hand.block.aligned_arrays else by_row
        self.found = sum(hand.hits[: hand.read], Fraction(0))

    def depends(self) -> bool:
        """Whether a judgment could change the value: for the metrics of presets that ask this."""
        hand = self.hand
        read = [*zip(self.unjudged, hand.hits, strict=True)][: hand.read]
        open_first = next((unknown for unknown, hit in read if unknown or hit), False)
        return {"hit_rate": any(self.unjudged) and not self.found, "reciprocal_rank": open_first}[hand.metric.name]

    def different_hits(self) -> int:
        """Relevant items among the rows that are read."""
        rows = self.hand.rows[: self.hand.read]
        return sum(row.relevant and self.hand.is_first(at) for at, row in enumerate(rows))

    def above_one(self) -> bool:
        """Whether the value, or a part of it, is above 1."""
        found = self.hand.metric.measure(self.hand.block)
        ratios = found.ratios if isinstance(found, Parts) else [found]
        return any(one.numerator[0] > one.denominator[0] for one in ratios)

    def nothing(self) -> bool:
        """Whether the numerator is 0 or no number."""
        return self.working.numerator.value == 0 or isnan(self.working.numerator.value)

    @property
    def lacks_weights(self) -> bool:
        """Whether a relevant item of this user has no weight, and the metric needs it."""
        return self.hand.metric.refusal(self.hand.block) is not None

    def policy(self) -> str | None:
        """The first policy of the definition that this user is in; None where the formula decides."""
        return next((name for name in self.definition.aggregation.policies if HOLDS[name](self)), None)


HOLDS: dict[str, Callable[[Case], bool]] = {
    "on-invalid": lambda case: bool(case.hand.prepared.refusals) or case.lacks_weights,
    "on-no-ranking": lambda case: not case.hand.block.in_rankings[0],
    "on-nothing-judged": lambda case: not case.hand.judged_grades,
    "on-empty-ranking": lambda case: not case.hand.rows,
    "on-too-few-rows": lambda case: case.hand.n < float(case.definition.aggregation.given("min-rows")),
    "on-short-ranking": lambda case: case.hand.n < (case.hand.k or 0),
    "on-unjudged": lambda case: any(case.unjudged),
    "on-undetermined": Case.depends,
    "on-no-labels": lambda case: not case.hand.block.label_count[0],
    "on-no-relevant": lambda case: not case.hand.relevant,
    "on-several-relevant": lambda case: case.hand.relevant > 1,
    "on-few-relevant": lambda case: case.hand.relevant < (case.hand.k or 0),
    "on-zero-grade-sum": lambda case: sum((label.grade for label in case.hand.labels), Fraction(0)) == 0,
    "on-no-non-relevant": lambda case: len(case.hand.labels) == case.hand.relevant,
    "on-no-hits": lambda case: not case.found,
    "on-unretrieved-relevant": lambda case: case.different_hits() < case.hand.relevant,
    "on-negative-denominator": lambda case: case.working.denominator.value < 0,
    "on-above-one": Case.above_one,
    "on-zero-value": lambda case: case.working.numerator.value == 0,
    "on-nonzero-over-zero": lambda case: case.working.denominator.value == 0 and not case.nothing(),
    "on-zero-division": lambda case: case.working.denominator.value == 0 and case.nothing(),
}
"""Whether a user is in the situation of a policy; without `on-equal-or-zero-scores`, which asks who came first."""
