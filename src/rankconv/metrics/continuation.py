"""With which probability a reader goes on: what the measures of C/W/L differ in. By the rank alone, and products."""

from typing import Annotated

import numpy as np

from rankconv.data.arrays import Numbers
from rankconv.metrics.gains import DISCOUNT
from rankconv.metrics.reader_down import Reader
from rankconv.specs.convention import Convention, Setting
from rankconv.specs.custom import FunctionOf
from rankconv.specs.parameters import Above

CONTINUATION = Convention(
    "cwl-continuation",
    "Probability that the reader of C/W/L goes on to the next rank",
    reads=("reader", "ranks"),
    phrase=True,
    tells="a list with several gains",
    function_of=FunctionOf(
        "ranks",
        "rank",
        "{value} of j",
        least=0,
        whole=True,
        traits={"of_ranks": True},
        tex="c_j",
        signs={"c_j": "what the function gives for rank j"},
    ),
)
"""A setting gives the probability for each rank of a `Reader`, shape (ranks, users), or (ranks, 1) where it depends on
the rank alone; `ranks` has shape (ranks, 1). The trait `of_ranks` says that it hangs on no gain of the list."""

MOFFAT_2012 = {
    "title": "Models and metrics: IR evaluation as a user process",
    "authors": "A. Moffat, F. Scholer, P. Thomas",
    "year": 2012,
    "doi": "10.1145/2407085.2407092",
}
SMUCKER_2012 = {
    "title": "Time-based calibration of effectiveness measures",
    "authors": "M. D. Smucker, C. L. A. Clarke",
    "year": 2012,
    "doi": "10.1145/2348283.2348300",
}
SAKAI_2013 = {
    "title": "Summaries, ranked retrieval and sessions: a unified framework for information access evaluation",
    "authors": "T. Sakai, Z. Dou",
    "year": 2013,
    "doi": "10.1145/2484028.2484031",
}

Positive = Annotated[float, Above(0)]


@CONTINUATION.number(rule="the same at each rank", least=0, most=1, of_ranks=True)
def _(ranks: Numbers, value: float) -> Numbers:
    """Rank-biased precision's; 1 is precision's, where a cutoff ends the list."""
    return ranks * 0 + value


@CONTINUATION.setting(
    "discount",
    rule="the discount of the next rank / that of this one",
    of_ranks=True,
    says="the discount of rank j + 1 by that of rank j (where {by})",
    tex=r"\frac{d_{j+1}}{d_j}",
    signs={"d_j": "the discount of rank j"},
)
def _(reader: Reader, by: Annotated[str, DISCOUNT] = "log(base=2)") -> Numbers:
    """So that ranks weigh as their discounts: scaled DCG."""
    discounts = reader.of_ranks(DISCOUNT(by), len(reader.ranks) + 1)
    counts = discounts[:-1] > 0  # a rank that does not count has no reader who could go on
    return np.where(counts, discounts[1:] / np.where(counts, discounts[:-1], 1.0), 0.0)


@CONTINUATION.setting(
    "insq",
    rule="((j + 2·target - 1) / (j + 2·target))^2",
    of_ranks=True,
    cite="moffat2012",
    paper=MOFFAT_2012,
    says="((j + 2 · {target} - 1)/(j + 2 · {target}))^2",
    tex=r"\left(\frac{j + 2 \cdot «target» - 1}{j + 2 \cdot «target»}\right)^2",
)
def _(ranks: Numbers, target: Positive) -> Numbers:
    """INSQ's: the more is wanted, the further the reader goes."""
    return np.asarray(((ranks + 2 * target - 1) / (ranks + 2 * target)) ** 2)


@CONTINUATION.setting(
    "half-life",
    rule="2^(-1 / span)",
    of_ranks=True,
    cite="smucker2012",
    paper=SMUCKER_2012,
    says="2^(-1/{span})",
    tex=r"2^{-1 / «span»}",
)
def _(ranks: Numbers, span: Positive) -> Numbers:
    """Time-biased gain's, each item taking the same time: of all readers half are left after so many ranks."""
    return ranks * 0 + 2 ** (-1 / span)


@CONTINUATION.setting(
    "line",
    rule="max(0, 1 - j / length) / (1 - (j - 1) / length)",
    of_ranks=True,
    cite="sakai2013",
    paper=SAKAI_2013,
    says="max(0, 1 - j/{length})/(1 - (j - 1)/{length}), and 0 from rank {length} on",
    tex=r"\frac{\max(0, 1 - j / «length»)}{1 - (j - 1) / «length»}",
)
def _(ranks: Numbers, length: Positive) -> Numbers:
    """The U-measure's, each item being as long: fewer and fewer are left, in a straight line down to nobody."""
    here, further = 1 - (ranks - 1) / length, 1 - ranks / length
    return np.where(further > 0, further / np.where(here > 0, here, 1.0), 0.0)


@CONTINUATION.setting(
    "all",
    rule="the product of its parts, each once",
    of_parts=True,
    says="{of:the product of|the product of}",
    tex=r"«of:\prod»",
)
def _(reader: Reader, *of: Annotated[str, CONTINUATION]) -> Numbers:
    """The reader goes on where each of several readers would, as in `all(unsatisfied, 0.9)`."""
    goes_on: Numbers = reader.ranks * 0 + 1
    for part in of:
        goes_on = np.asarray(goes_on * probability(CONTINUATION(part), reader))
    return goes_on


def probability(setting: Setting, reader: Reader) -> Numbers:
    """With which probability the reader goes on at each rank, shape (ranks, users) or (ranks, 1)."""
    return np.asarray(setting(reader=reader, ranks=reader.ranks))


def of_ranks(setting: Setting) -> bool:
    """Whether a reader goes on by the rank alone, whatever they gain."""
    parts = [CONTINUATION(part) for part in setting.arguments] if setting.trait("of_parts") else []
    return all(map(of_ranks, parts)) if parts else bool(setting.trait("of_ranks"))
