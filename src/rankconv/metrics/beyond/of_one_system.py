"""Settings of metrics beyond accuracy that one system needs: of popularity, novelty, diversity and exposure."""

from typing import Annotated

import numpy as np

from rankconv.conventions.parameters import Above, LogBase
from rankconv.data.arrays import Codes, Mask, Numbers, log, log2, power
from rankconv.data.joined import Joined
from rankconv.data.train import Train
from rankconv.metrics.beyond.distribution import COVERAGE_OF, ENTROPY_DENOMINATOR, ENTROPY_OF, GINI_FORM, LIST_OVERLAP
from rankconv.metrics.beyond.diversity import PAIR_DENOMINATOR, PAIR_DISTANCE, SERENDIPITY_SUM
from rankconv.metrics.beyond.novelty import ITEM_NOVELTY, NOVELTY_ROWS, POPULARITY, UNSEEN_ITEM
from rankconv.metrics.beyond.of_all_lists import ITEM_NUMBER, ROW_WEIGHT, ShownRows, added
from rankconv.preparation.blocks.block import Block


@UNSEEN_ITEM.setting(
    "rarest", rule="as the rarest item", says="an item that is not in training counts as the rarest there"
)
def _(all_counts: Numbers) -> float:
    """The least count that occurs in training; `all_counts` has shape (items,)."""
    return float(all_counts[all_counts > 0].min(initial=np.inf))


@ENTROPY_OF.setting(
    "lists",
    rule="rows of each list, and then over the lists",
    counted_by=("of",),
    cite="elliot",
    tex="w_i",
    signs={"w_i": "the mean over the lists of the share of its rows that show item i"},
)
def _(shown: ShownRows) -> Numbers:
    """A row of a short list weighs more."""
    lengths = np.arange(int(shown.of.max(initial=0)) + 1)
    return np.asarray(shown.weighed(shown.of, 1 / np.maximum(lengths, 1)) / shown.lists)


@GINI_FORM.setting("one-minus", rule="1 - it", cite="elliot", says="it is taken from 1", tex="1 - G")
def _(top: Numbers, bottom: Numbers) -> Numbers:
    """High where items are shown evenly."""
    return np.asarray(bottom - top)


@ITEM_NOVELTY.setting("complement", rule="1 - p", cite="elliot", tex=r"\left(1 - «popularity»\right)")
def _(popularity: Numbers) -> Numbers:
    """The probability that a user does not know it."""
    return np.asarray(1 - popularity)


@NOVELTY_ROWS.setting("relevant", rule="relevant items", cite="elliot", tex="r_j \\,")
def _(block: Block) -> Numbers:
    """Other rows add 0, and count in what the sum is divided by."""
    return block.hits_by_rank


@ROW_WEIGHT.setting(
    "log",
    rule="1 / log_base(rank + 1)",
    counted_by=("rank",),
    cite="elliot",
    says="the row at rank j weighs 1/{base:log}(j + 1), and divides by as much",
    tex=r"\frac{1}{«base:log»(j + 1)}",
)
def _(ranks: Numbers, *, base: LogBase) -> Numbers:
    """As the discount of DCG."""
    return np.asarray(1 / log(ranks + 1, base))


@POPULARITY.setting(
    "of-most-popular",
    rule="its count in training over the highest count of an item",
    cite="evidently",
    tex=r"\frac{c_j}{\max_i c_i}",
)
def _(counts: Numbers, block: Block, all_counts: Numbers) -> Numbers:
    """The most popular item has 1."""
    return np.asarray(counts / block.number(float(all_counts.max(initial=0))))


@UNSEEN_ITEM.setting(
    "left-out", rule="its row does not count", leaves_out=True, says="items that are not in training are left out"
)
def _() -> float:
    """Neither in the sum nor in what it is divided by."""
    return 0.0


@PAIR_DENOMINATOR.setting("rows", rule="the number of rows read", cite="evidently", tex="«rows»")
def _(rows: Numbers) -> Numbers:
    """Half the mean distance for each row beyond the first, so longer lists have more."""
    return rows


@ITEM_NUMBER.setting("returned", rule="the number of different items in the lists", counted_by=(), tex="I_L")
def _(shown: ShownRows) -> float:
    """No item counts that nobody was shown."""
    return float(shown.items)


@LIST_OVERLAP.setting(
    "shared-of-k",
    rule="shared items / k",
    counted_by=("of",),
    cite="evidently",
    says="the number of items that they share over k, where k ({k}) is also the number that a list shares with itself",
    tex=r"\frac{|L_u \cap L_v|}{«k»}",
)
def _(shown: ShownRows) -> float:
    """Lists shorter than k take more than they give; without a cutoff k is the length of the longest list."""
    k = float(shown.k or shown.of.max(initial=0))
    return float(added(shown.counts**2) - shown.lists * k) / k if k else 0.0


@SERENDIPITY_SUM.setting(
    "rest-of-hits",
    rule="1 - sum over the hits of (1 - surprise)",
    cite="evidently",
    says="1 less the sum over the relevant items of 1 minus the surprise",
    tex=r"1 - \sum_{j=1}^{«rows»} r_j (1 - «serendipity-kind»)",
)
def _(block: Block, surprise: Numbers, hits: Numbers, scope: int | None) -> tuple[Numbers, Numbers]:
    """0/0 without hits, or history; below 0 where there are many hits."""
    missing = np.isnan(np.asarray(surprise, np.float64))
    expected = np.where((np.asarray(hits) > 0) & ~missing, (1 - surprise) * hits, 0)
    there = (block.count(hits).at(scope) > 0) & (block.sum(missing * np.asarray(block.listed)).at(scope) == 0)
    rest = 1 - block.sum(**{"expected of hits": expected}).at(scope)
    return np.where(there, rest, 0), np.where(there, 1.0, 0.0)


@POPULARITY.setting(
    "quantile",
    rule="its rank by rising count among the items of training, mean ranks for equal counts, over their number",
    cite="lenskit",
    tex="F(c_j)",
    signs={"F": "the mean rank of a count among those of training, by their number"},
)
def _(counts: Numbers, block: Block, all_counts: Numbers) -> Numbers:
    """1 for the most popular item alone, 0 for one that is not in training."""
    there = np.sort(all_counts[all_counts > 0])
    wanted = np.asarray(counts, np.float64)
    below, upto = (np.searchsorted(there, wanted, side=side) for side in ("left", "right"))
    ranks = np.where(upto > below, (below + upto + 1) / 2, below)
    return np.asarray(block.numbers(ranks) / block.number(float(len(there))))


@ROW_WEIGHT.setting(
    "geometric",
    rule="patience^(rank - 1)",
    counted_by=("rank",),
    cite="lenskit",
    says="the row at rank j weighs {patience}^(j - 1)",
    tex="«patience»^{j - 1}",
)
def _(ranks: Numbers, *, patience: Annotated[float, Above(0)]) -> Numbers:
    """As the reader of RBP."""
    return np.asarray(power(patience, ranks - 1))


@ENTROPY_DENOMINATOR.setting(
    "items", rule="the number of different items shown", counted_by=(), cite="recbole", tex="I_L"
)
def _(shown: ShownRows) -> float:
    """Falls with the number of items."""
    return float(shown.items)


@ITEM_NUMBER.setting(
    "catalogue-and-one",
    rule="one more than the items of the catalogue",
    needs=("catalogue",),
    counted_by=("catalogue",),
    cite="recbole",
    tex="(N + 1)",
)
def _(shown: ShownRows) -> float:
    """Where the padding of short lists has a number among the items."""
    return shown.of_all_data("catalogue") + 1


@UNSEEN_ITEM.setting(
    "worth-nothing",
    rule="it adds 0, and its row counts",
    adds_nothing=True,
    says="an item that is not in training adds 0",
)
def _() -> float:
    """It stays in what the sum is divided by."""
    return 0.0


@PAIR_DISTANCE.setting(
    "co-occurrence",
    rule="1 - cosine of the users who have them",
    needs=("train",),
    spans_users=False,
    cite="recommenders",
    says="the distance of two items is 1 minus the cosine of the users who have them in training",
)
def _(joined: Joined, ours: Codes, others: Codes) -> Numbers:
    """NaN where an item is not in training."""
    train = joined.once(Train)
    either = np.append(train.users, 0.0)
    norms = np.sqrt(either[ours]) * np.sqrt(either[others])
    there = norms > 0
    found = np.full(len(norms), np.nan)
    found[there] = 1 - train.together(ours[there], others[there]) / norms[there]
    return found


@ITEM_NOVELTY.setting(
    "share-of-most",
    rule="-log2(p)/log2(number of users of training)",
    cite="replay_rec",
    tex=r"-\frac{\log_2 «popularity»}{\log_2 U}",
)
def _(popularity: Numbers, block: Block, train: Train) -> Numbers:
    """1 for an item that a single user has."""
    return np.asarray(-log2(popularity) / block.numbers(log2(np.array([train.user_count])))[0])


@COVERAGE_OF.setting(
    "in-catalogue",
    rule="items of the catalogue",
    needs=("the items of the catalogue",),
    counted_by=("in-catalogue",),
    tex=r" \cap C_I",
    signs={"C_I": "the items of the catalogue"},
)
def _(shown: ShownRows) -> Mask:
    """Needs the items themselves, not their number."""
    return shown.of_items("in-catalogue")
