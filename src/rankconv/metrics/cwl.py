"""C/W/L: readers who go on from rank to rank with some probability, and what may be measured of them."""

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, ClassVar

import numpy as np

from rankconv.conventions.convention import Context, Convention, Setting
from rankconv.conventions.parameters import Within
from rankconv.data.arrays import Numbers
from rankconv.metrics.base import Ratio, TopKMetric
from rankconv.metrics.continuation import CWL_CONTINUATION, of_ranks, probability
from rankconv.metrics.dcg import UNBOUNDED
from rankconv.metrics.divisors import READ_ON
from rankconv.metrics.gains import GAIN
from rankconv.metrics.reader import ListReader
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.captions import shown_as

CWL_MAX_RANK = Convention("cwl-max-rank", "Last rank that the reader of C/W/L may reach")


@CWL_MAX_RANK.number(
    rule="this many ranks",
    least=1,
    most=1e6,
    says="the reader goes down at most {value} ranks, those below the end of the list among them, which gain nothing",
)
def _(value: float) -> int:
    """1000 in cwl_eval, whatever the length of the list."""
    return int(value)


CWL_LAST_RANK = Convention("cwl-last-rank", "Behaviour of the reader of C/W/L at the last rank", reads=("goes_on",))
"""A setting gives the probabilities to go on, shape (ranks, users), from what they would be."""


@CWL_LAST_RANK.idle("the reader stops at the cutoff", by="k")
def _(context: Context) -> bool:
    """A cutoff is where everybody stops."""
    return context.k is not None


@CWL_LAST_RANK.setting("unchanged", rule="as at any other", no="stop at the last rank")
def _(goes_on: Numbers) -> Numbers:
    """Whoever would go on is not counted among those who stop."""
    return goes_on


@CWL_LAST_RANK.setting("stop", rule="stop", says="the reader stops at the last rank that they may see")
def _(goes_on: Numbers) -> Numbers:
    """All readers stop somewhere."""
    return _stopped(goes_on)


def _stopped(goes_on: Numbers) -> Numbers:
    ends = goes_on.copy()
    ends[-1:] = 0
    return ends


CWL_WEIGHT_NORM = Convention(
    "cwl-weight-norm",
    "Divisor of the weights of ranks in C/W/L",
    reads=("reader", "relevant"),
    tells="a user with a relevant item that was not returned",
)
"""A setting gives what the probabilities to arrive are divided by, shape (users,)."""


@CWL_WEIGHT_NORM.idle("totals are not divided", by="cwl-measure")
def _(context: Context) -> bool:
    """Only what is measured per item, and their number, ask for it."""
    return context.traits("cwl-measure").total


@CWL_WEIGHT_NORM.setting(
    "sum",
    rule="their sum",
    says="a rank weighs as the reader is likely to arrive there, all weights together being 1",
    tex=r"\sum_{j=1}^{«K|D»} a_j",
)
def _(reader: ListReader) -> Numbers:
    """So that they sum to 1, as the framework asks; the sum is the expected depth."""
    return reader.total(reader.arrives)


@CWL_WEIGHT_NORM.setting(
    "relevant",
    rule="R, at least 1, by the gain of the first item if it has one",
    reads_order=True,
    says=(
        "a rank weighs as the reader is likely to arrive there, times the gain of the first item (or 1), divided by "
        "the number of relevant labels"
    ),
    tex=r"\frac{R}{G_1}",
    signs={"G_1": "the gain of the first item, or 1 if it has none"},
)
def _(reader: ListReader, relevant: Numbers) -> Numbers:
    """The weights of average precision, which sum to 1 for no list but by chance."""
    first = reader.gains[0]
    return np.maximum(relevant, 1) / np.where(first > 0, first, 1.0)


CWL_MEASURE = Convention(
    "cwl-measure",
    "Quantity measured in C/W/L",
    reads=("reader", "norm"),
    phrase=True,
    tells="a list with several gains",
)
"""A setting gives numerator and denominator, both of shape (users,); `norm` are the divisors of the weights, of the
same shape."""


@CWL_MEASURE.setting(
    "expected-utility",
    rule="sum of arrives · gain / cwl-weight-norm",
    says="the weighted sum of the gains of the items {here} (expected utility)",
    tex=r"\frac{\sum_{j=1}^{«K|D»} a_j «gain»}{«cwl-weight-norm»}",
)
def _(reader: ListReader, norm: Numbers) -> tuple[Numbers, Numbers]:
    """EU: the rate at which the reader gains."""
    return reader.total(product=reader.arrives * reader.gains), norm


@CWL_MEASURE.setting(
    "expected-total-utility",
    rule="sum of stops · gain so far",
    total=True,
    says="the expected sum of the gains of those items {here} that are looked at (expected total utility)",
    tex=r"\sum_{j=1}^{«K|D»} a_j (1 - C_j) G_j",
)
def _(reader: ListReader) -> tuple[Numbers, Numbers]:
    """ETU: what the reader has when they stop."""
    return reader.total(product=reader.stops * reader.gain_so_far), _ones(reader)


@CWL_MEASURE.setting(
    "expected-cost",
    rule="sum of arrives / cwl-weight-norm",
    says="the weighted sum of the costs of the items {here}, 1 for each (expected cost)",
    tex=r"\frac{\sum_{j=1}^{«K|D»} a_j}{«cwl-weight-norm»}",
)
def _(reader: ListReader, norm: Numbers) -> tuple[Numbers, Numbers]:
    """EC: 1, unless the weights do not sum to 1; the cost of each item is 1."""
    return reader.total(product=reader.arrives), norm


@CWL_MEASURE.setting(
    "expected-total-cost",
    rule="sum of stops · rank",
    total=True,
    says="the expected sum of the costs of those items {here} that are looked at, 1 for each (expected total cost)",
    tex=r"\sum_{j=1}^{«K|D»} a_j (1 - C_j) j",
)
def _(reader: ListReader) -> tuple[Numbers, Numbers]:
    """ETC: what the reader has spent when they stop, 1 for each item."""
    return reader.total(product=reader.stops * reader.ranks), _ones(reader)


@CWL_MEASURE.setting(
    "expected-depth",
    rule="cwl-weight-norm",
    says="the expected number of items {here} that are looked at (expected depth)",
    tex="«cwl-weight-norm»",
)
def _(reader: ListReader, norm: Numbers) -> tuple[Numbers, Numbers]:
    """ED: how many items the reader looks at."""
    return norm, _ones(reader)


def _ones(reader: ListReader) -> Numbers:
    return np.ones(reader.gains.shape[1])


CWL_UNJUDGED_GAIN = Convention(
    "cwl-unjudged-gain",
    "Gain of unjudged items and of ranks below the list in C/W/L",
    reads=("read",),
    tells="a list with an item that is not judged",
)
"""A setting gives the ratio of each user; `read` gives one where such items and ranks gain so much."""

RatioByGain = Callable[[float | None], Ratio]
Highest = Annotated[float, Within(0, 1e6)]


@CWL_UNJUDGED_GAIN.setting("nothing", rule="0", no="gain of what is not judged")
def _(read: RatioByGain) -> Ratio:
    """The worst case."""
    return read(None)


@CWL_UNJUDGED_GAIN.setting(
    "highest", rule="gain", says="items that are not judged, and ranks below the list, gain {gain}"
)
def _(read: RatioByGain, gain: Highest = 1) -> Ratio:
    """The best case: all that might have been of use was."""
    return read(gain)


@CWL_UNJUDGED_GAIN.setting(
    "residual",
    rule="the number with gain, less that with 0",
    says=(
        "the number is how much greater it would be if items that are not judged, and ranks below the list, gained "
        "{gain} and not 0"
    ),
)
def _(read: RatioByGain, gain: Highest = 1) -> Ratio:
    """The error bar: how much preparation more could add; below 0 where a better list keeps the reader shorter."""
    worst, best = read(None).value, read(gain).value
    return Ratio(best - worst, np.ones(len(best)))


def _shown_reader(norm: Numbers, block: Block, reader: ListReader, *_: Any) -> Iterator[tuple[str, Numbers]]:
    yield "goes on", reader.goes_on
    yield "arrives", reader.arrives
    yield "weight", block.brief(reader.arrives / norm)


@shown_as(by=_shown_reader)
def norm_of_weights(block: Block, reader: ListReader, setting: Setting, relevant: Numbers) -> Numbers:
    """What the probabilities to arrive are divided by to be weights of ranks; both have shape (users,)."""
    return np.asarray(setting(reader=reader, relevant=relevant))


CELLS = 64_000
"""So many numbers by rank are held at a time, so that memory does not grow with users."""


class CWL(TopKMetric):
    r"""Compute the gain of a reader who goes on with the probability of `cwl-continuation`.

    The framework C/W/L. From the probabilities C to go on follow those to arrive at each rank, a, which are the weights
    W once they are divided by `cwl-weight-norm`, and those to stop there, L = a (1 - C). `measured` are the expected
    utility per item (EU), the sum of W · gain; the expected total utility (ETU), the sum of L · gain so far; the
    expected cost, total cost and depth, where each item costs 1. Of rank-biased precision, precision, INST, INSQ, IFT,
    the bejeweled player model, NERR, time-biased gain and others each is one continuation: `rbp` is the expected
    utility of `cwl-continuation=0.8`, but that no reader of it stops at `cwl-max-rank`. ERR is none of them.
    At a cutoff k all readers stop at rank k. Range: that of the gains for EU, from 1 for the depth.
    Source: Moffat, Bailey, Scholer and Thomas, TOIS 35(3), 2017; Azzopardi, Thomas and Moffat, SIGIR 2019.

    >>> import rankconv as rc
    >>> inst = "cwl(cwl-continuation=inst(1), gain=linear)"
    >>> round(rc.evaluate({"u": {"a": 1, "b": 0.5}}, {"u": ["a", "x", "b"]}, inst)[inst], 4)
    0.6639
    """

    name = "cwl"
    cite = "moffat2017"
    formula = "measured, where arrives is the product of continuation above, and stops is arrives · (1 - continuation)"
    called = "C/W/L measure"
    paper_names = ("C/W/L",)
    says = (
        "{cwl-measure}, of a reader who begins at rank 1 and from rank j goes on to the next with probability "
        "{cwl-continuation}"
    )
    tex = rf"«cwl-measure», \quad a_j = {READ_ON} C_i, \quad C_j = «cwl-continuation»"
    signs: ClassVar[Mapping[str, str]] = {
        "a_j": "the probability that the reader arrives at rank j",
        "C_j": "the probability that the reader goes on from rank j to the next",
        "D": "the number of ranks that the reader may go down",
    }
    linear = True
    shares_ranks: ClassVar[bool] = False
    splits = False
    range: ClassVar[tuple[float, float]] = UNBOUNDED
    gain: Annotated[str, GAIN]
    cwl_continuation: Annotated[str, CWL_CONTINUATION]
    cwl_measure: Annotated[str, CWL_MEASURE]
    cwl_max_rank: Annotated[str, CWL_MAX_RANK]
    cwl_last_rank: Annotated[str, CWL_LAST_RANK]
    cwl_weight_norm: Annotated[str, CWL_WEIGHT_NORM]
    cwl_unjudged_gain: Annotated[str, CWL_UNJUDGED_GAIN]

    @property
    def in_closed_form(self) -> bool:
        """Only where gains do not decide how far the reader goes."""
        return of_ranks(self.settings["cwl-continuation"]) and super().in_closed_form

    @property
    def ranks(self) -> int:
        """How many ranks the reader may go down."""
        depth: int = self.settings["cwl-max-rank"]()
        return depth if self.scope is None else min(self.scope, depth)

    def per_user(self, block: Block) -> Ratio:
        setting = self.settings["cwl-unjudged-gain"]
        found: Ratio = setting(read=lambda gain: self._of_all(block, gain))
        return found

    def _of_all(self, block: Block, unjudged: float | None) -> Ratio:
        step = max(1, CELLS // self.ranks)
        some = (slice(at, at + step) for at in range(0, max(block.size, 1), step))
        found = [self._of_some(block, unjudged, users) for users in some]
        return Ratio(*(np.concatenate(side) for side in zip(*found, strict=True)))

    def _of_some(self, block: Block, unjudged: float | None, users: slice) -> tuple[Numbers, Numbers]:
        """Numerator and denominator of these users, shape (users,)."""
        reader = ListReader(block, self._gains(block, unjudged, users), users)
        continuation, at_last = self.settings["cwl-continuation"], self.settings["cwl-last-rank"]
        goes_on = block.brief(np.broadcast_to(probability(continuation, reader), reader.gains.shape))
        reader.goes_on = at_last(goes_on=goes_on) if self.k is None else _stopped(goes_on)
        relevant = block.relevant_count[users]
        if unjudged is not None:
            relevant = np.maximum(relevant, (reader.gains > 0).sum(axis=0))
        norm = block.part(norm_of_weights, reader, self.settings["cwl-weight-norm"], relevant)
        sides: tuple[Numbers, Numbers] = self.settings["cwl-measure"](reader=reader, norm=norm)
        return sides

    def _gains(self, block: Block, unjudged: float | None, users: slice) -> Numbers:
        """The gain of each rank that the reader may see, shape (ranks, users)."""
        rows = block.gains_by_rank(self.settings["gain"])[: self.ranks, users]
        below = block.numbers(np.zeros((self.ranks - len(rows), rows.shape[1])))
        gains = np.concatenate([rows, below])
        if unjudged is None:
            return gains
        judged = block.judged_by_rank[: self.ranks, users]
        gains[: len(judged)] += (1 - judged) * unjudged
        gains[len(judged) :] = unjudged
        return block.numbers(gains)
