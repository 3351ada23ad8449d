"""Weights of items: the inverse of how likely each was to be observed, given or estimated, and what is made of them."""

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from rankconv.conventions.convention import Context, Convention, Setting
from rankconv.conventions.parameters import Above, Within
from rankconv.conventions.setting_set import until_registered
from rankconv.conventions.traits import Requirement
from rankconv.data.arrays import Codes, Mask, Numbers, log
from rankconv.data.joined import Joined
from rankconv.data.pieces import ARE_SPANS, Spans
from rankconv.data.train import ItemPropensities, ShownLists, Train
from rankconv.metrics.base import Ratio, TopKMetric
from rankconv.metrics.gains import GAIN
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.blocks.row_block import row_block
from rankconv.preparation.captions import said_as
from rankconv.preparation.working_rows import NOTHING, UNKNOWN_ITEM, KnownLabels, ListRows, Reason

ITEM_WEIGHT = Convention(
    "item-weight",
    "Weight of an item",
    reads=("joined", "users", "items", "lengths"),
    tells="items of different weights",
)
"""A setting gives the weights of `items` for `users`, all of shape (pairs,); NaN where an item has none. Items are
codes of the `joined` data, of which the last, -1, is no item; `lengths` are those of spans of documents."""


@ITEM_WEIGHT.setting("none", rule="1", formula_tells=True, rises=True, no="", tex="", of_counts=True)
def _(items: Codes) -> Numbers:
    """Items are equal."""
    return np.ones(len(items))


@ITEM_WEIGHT.setting(
    "inverse-propensity",
    rule="1/p of the propensity p given",
    needs=("propensities",),
    may_refuse=True,
    spans_users=False,
    cite="schnabel2016",
    says="a relevant item weighs the inverse of the propensity that was given for it",
    tex=" v_j",
)
def _(joined: Joined, items: Codes) -> Numbers:
    """What is seldom observed counts also for what is like it and was not observed."""
    return np.asarray(1 / joined.once(ItemPropensities).values[items])


@ITEM_WEIGHT.setting(
    "jain",
    rule="1 + C (n + b)^-a, C = (ln N - 1)(b + 1)^a; n of N users of training have the item",
    needs=("train",),
    may_refuse=True,
    spans_users=False,
    cite="jain2016",
    says=(
        "a relevant item that n of the N users of training have weighs 1 + C (n + {b})^-{a}, where "
        "C = (ln N - 1)({b} + 1)^{a}"
    ),
    tex=" v_j",
)
def _(
    joined: Joined, items: Codes, *, a: Annotated[float, Within(0, 10)] = 0.55, b: Annotated[float, Above(0)] = 1.5
) -> Numbers:
    """The model of extreme classification; 0.5 and 0.4 for Wikipedia, 0.6 and 2.6 for Amazon.

    With fewer than 3 users it would give propensities above 1, and gives no weight.
    """
    train = joined.once(Train)
    scale = (log(max(train.given_user_count, 1)) - 1) * (b + 1) ** a
    weights = 1 + scale * (train.users + b) ** -a if scale > 0 else np.full(train.size, np.nan)
    return np.append(weights, np.nan)[items]


@ITEM_WEIGHT.setting(
    "popularity",
    rule="1/p, where p is (n / the largest n)^power, at least clip; n are interactions in training",
    needs=("train",),
    may_refuse=True,
    spans_users=False,
    cite="yang2018",
    says=(
        "a relevant item that training counts n times weighs the inverse of (n / the largest count)^{power}, which is "
        "taken to be at least {clip}"
    ),
    tex=" v_j",
)
def _(
    joined: Joined,
    items: Codes,
    *,
    power: Annotated[float, Within(0, 10)] = 0.5,
    clip: Annotated[float, Within(0, 1)] = 0.1,
) -> Numbers:
    """Popular items are likelier to be observed. Without a clip an item that training lacks has no weight."""
    counts = joined.once(Train).interactions
    share = counts / counts.max(initial=0.0) if counts.any() else np.ones(len(counts))
    return np.append(_inverse(np.maximum(share**power, clip)), np.nan)[items]


@ITEM_WEIGHT.setting(
    "frequency",
    rule="N / n; n of N users of training have the item",
    needs=("train",),
    may_refuse=True,
    spans_users=False,
    cite="napkinxc",
    says="a relevant item that n of the N users of training have weighs N/n",
    tex=" v_j",
)
def _(joined: Joined, items: Codes) -> Numbers:
    """The inverse of the item's share of users; one that training lacks has no weight."""
    train = joined.once(Train)
    return np.append(_inverse(train.users / max(train.given_user_count, 1)), np.nan)[items]


@ITEM_WEIGHT.setting(
    "position",
    rule="rank^eta in the list that was shown, at most 1/clip",
    needs=("shown",),
    may_refuse=True,
    spans_users=False,
    cite="joachims2017",
    says=(
        "a clicked item weighs r^{eta}, r being its rank in the list that was shown{clip:?, and at most 1 divided by }"
    ),
    tex=" v_j",
)
def _(
    joined: Joined,
    users: Codes,
    items: Codes,
    *,
    eta: Annotated[float, Within(0, 100)] = 1,
    clip: Annotated[float, Within(0, 1)] = 0,
) -> Numbers:
    """The inverse of the chance that a reader looks at that rank; what was not shown has no weight."""
    weights = joined.once(ShownLists).ranks(users, items) ** eta
    return np.minimum(weights, 1 / clip) if clip else weights


@ITEM_WEIGHT.setting(
    "length",
    rule="its length in characters",
    needs=(ARE_SPANS,),
    spans_users=False,
    cite="smith2024",
    says="a span, or a piece of one, weighs its length",
    tex=" v_j",
)
def _(lengths: Numbers) -> Numbers:
    """Of spans of documents: of the pieces of `span-unit=character`, or of the whole spans of `span-unit=span`."""
    return lengths


def _inverse(propensities: Numbers) -> Numbers:
    """1/p, NaN where p is 0; shape as `propensities`."""
    return np.where(propensities > 0, 1 / np.where(propensities > 0, propensities, 1.0), np.nan)


MISSING_WEIGHT = Convention(
    "missing-weight", "Weight of an item that has none", reads=(), tells="a relevant item without a weight"
)
"""A setting gives the weight; NaN where the user is refused."""


@MISSING_WEIGHT.setting("refuse", rule="the user is refused", formula_tells=True, no="")
def _() -> float:
    """The policy `on-invalid` says what becomes of a user with such a relevant item."""
    return np.nan


@MISSING_WEIGHT.number(rule="this number", least=0, says="an item without a weight weighs {value}")
def _(value: float) -> float:
    """1 takes it for surely observed; 0 leaves it out."""
    return value


MISSING_WEIGHT.also(one="1", nothing="0")

WEIGHT_CLIP = Convention("weight-clip", "Greatest weight of an item", reads=("weights",), tells="a large weight")
"""A setting gives the weights that are used, shape as `weights`."""


@WEIGHT_CLIP.setting("none", rule="no limit", formula_tells=True, no="")
def _(weights: Numbers) -> Numbers:
    """As they are."""
    return weights


@WEIGHT_CLIP.number(rule="this number", least=0, says="an item weighs at most {value}")
def _(weights: Numbers, value: float) -> Numbers:
    """A few items that are seldom observed cannot decide alone; the estimate is biased for it."""
    return np.minimum(weights, value)


@MISSING_WEIGHT.idle("items are not weighed", by="item-weight")
def _not_weighed(context: Context) -> bool:
    return context.settings["item-weight"].text == "none"


WEIGHT_CLIP.idle("items are not weighed", by="item-weight")(_not_weighed)


def weights_of_relevant(weighed: Block) -> Numbers:
    """The sum of the weights of the relevant labels of each user, shape (users,): self-normalised estimates.

    Without weights it is their number. As sums over users, aggregate=micro, it divides the sum over all hits.
    """
    return weighed.relevant_weight_sum


RELEVANT_WEIGHTS: dict[str, Any] = {
    "rule": "the sum of the weights of the relevant labels",
    "cite": "yang2018",
    "signs": {"v_i": "the weight of the item of a label"},
}
"""What the settings of two conventions share that divide by these weights."""
RELEVANT_WEIGHTS_TEX = r"\sum_{i} r^{*}_i v_i"

WEIGHT_NORM = Convention(
    "weight-norm",
    "Division by the value of the best list",
    reads=("block", "k", "value"),
    tells="a user whose list is not the best",
)
"""A setting gives the ratio that a user has, from the `value` of the list; `block` has the weights of items."""


@WEIGHT_NORM.setting("none", rule="not divided", formula_tells=True, no="", tex="")
def _(value: Ratio) -> Ratio:
    """The value itself."""
    return value


@WEIGHT_NORM.setting(
    "best",
    rule="divided by the same of the k relevant labels that weigh most",
    sorts_labels=True,
    requires=Requirement("hit-weight", lambda setting: setting.traits.of_counts),
    cite="jain2016",
    says="that value is divided by the one of a list that begins with the relevant items by falling weight",
    tex=r" / B",
    signs={"B": "the value of the list that begins with the relevant items by falling weight"},
)
def _(block: Block, k: int | None, value: Ratio) -> Ratio:
    """PSP, PSR and PSnDCG of extreme classification, where values and best values are summed over users.

    Both are divided by the same number first, which weighs users in a ratio of sums.
    """
    best, by = block.part(best_weights, k), block.part(divisor_of_both, value)
    return Ratio(*(np.where(by == 0, 0.0, one / np.where(by == 0, 1.0, by)) for one in (value.numerator, best)))


@said_as("weights of the best list")
def best_weights(block: Block, k: int | None) -> Numbers:
    """The sum of the k greatest weights of the relevant labels, shape (users,)."""
    return block.sum(block.ideal_gains(GAIN("binary"), k)).whole


@said_as("both are divided by")
def divisor_of_both(block: Block, value: Ratio) -> Numbers:
    """What divides the value of the list and that of the best list, shape (users,)."""
    return value.denominator


@dataclass(frozen=True, eq=False)
class Weighed:
    """A block with the weights of its items, and the relevant items that have none where that is refused."""

    block: Block
    missing: Reason | None


def weigh(block: Block, weight: Setting, missing: Setting, clip: Setting) -> Weighed:
    """The block as these settings weigh its items, made once: `block.once(weigh, …)`."""
    rows = row_block(block)
    listed, known, instead = rows.prepared.rows, rows.known, missing()

    def weights(of: ListRows | KnownLabels, needed: Mask) -> tuple[Numbers, Mask]:
        """The weights of the items of these rows, shape (rows,), and which lack one that is `needed`."""
        code = np.where(
            (of.item == NOTHING) | (of.item == UNKNOWN_ITEM), NOTHING, of.item % max(rows.prepared.items, 1)
        )
        lengths = _lengths(block.joined, of, code) if "lengths" in weight.reads else None
        given = weight(joined=block.joined, users=_users(block, weight)[of.user], items=code, lengths=lengths)
        used = clip(weights=np.where(np.isnan(given), instead, given))
        return np.nan_to_num(used), needed & np.isnan(used)

    of_rows, rows_without = weights(listed, rows.hit_rows)
    of_labels, without = weights(known, known.relevant | (known.grade != 0))
    user, item = (np.append(one[without], two[rows_without]) for one, two in _both(known, listed))
    text = f"has item {{item}} without a weight (item-weight={weight.text}, missing-weight={missing.text})"
    reason = Reason(user, item % max(rows.prepared.items, 1), text, "labels") if len(user) else None
    return Weighed(rows.weighed(of_rows, of_labels), reason)


def _lengths(joined: Joined, of: ListRows | KnownLabels, code: Codes) -> Numbers:
    """The length of each row: of the piece that it is, or of the span; 0 for no item."""
    if of.length is not None:
        return of.length
    return np.append(joined.once(Spans.of).length, 0).astype(np.float64)[code]


def _both(known: KnownLabels, listed: ListRows) -> tuple[tuple[Codes, Codes], tuple[Codes, Codes]]:
    """The users of labels and of rows, then their items."""
    return (known.user, listed.user), (known.item, listed.item)


def _users(block: Block, weight: Setting) -> Codes:
    """The users of the block, shape (users,); a MetricError where weights are of each and all lists are one."""
    return (
        block.users_of_lists(f"item-weight={weight.text} is of each user") if "users" in weight.reads else block.users
    )


class WeighedMetric(TopKMetric):
    """What metrics share in which items have weights."""

    item_weight: Annotated[str, ITEM_WEIGHT]
    missing_weight: Annotated[str, MISSING_WEIGHT]
    weight_clip: Annotated[str, WEIGHT_CLIP]

    @property
    def counts_hits_alone(self) -> bool:
        return super().counts_hits_alone and not self.weighing

    @until_registered
    def weighing(self) -> tuple[Setting, ...]:
        settings = self.settings
        if settings["item-weight"].traits.of_counts:
            return ()
        return tuple(settings[one.name] for one in (ITEM_WEIGHT, MISSING_WEIGHT, WEIGHT_CLIP))

    @property
    def bounds(self) -> tuple[float, float]:
        least, most = super().bounds
        return (least, np.inf) if self.weighing and not self.divides_gains else (least, most)

    def weighed(self, block: Block) -> Block:
        """The block where hits and gains count the weights of their items."""
        return block.once(weigh, *self.weighing).block if self.weighing else block

    def refusal(self, block: Block) -> Reason | None:
        return block.once(weigh, *self.weighing).missing if self.weighing else None

    def divided_by(self, convention_name: str, block: Block, **more: Any) -> Numbers:
        return super().divided_by(convention_name, block, **more, weighed=self.weighed(block))
