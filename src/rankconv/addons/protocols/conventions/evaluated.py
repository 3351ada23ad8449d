"""Which users are tested, what is looked for, among which items, and how many users make one number."""

from typing import Annotated, Literal

import numpy as np

from rankconv.addons.protocols.draws import PROTOCOL
from rankconv.addons.protocols.protocol_traits import ProtocolTraits
from rankconv.conventions.convention import Convention
from rankconv.conventions.parameters import Within
from rankconv.data.arrays import Codes, Mask, Numbers

GENERALIZATION = Convention(
    "generalization",
    "Whether the model learns from tested users",
    reads=("tested", "hidden"),
    registry=PROTOCOL,
    traits=ProtocolTraits,
)
"""Settings read of each rating, shape (rows,), whether its user is tested and whether it is hidden, and give which
the model learns from, shape (rows,)."""
GENERALIZATION.setting(
    "weak",
    rule="all that is not hidden trains",
    cite="fastml-recsys",
    says="the model learns from the other ratings of the tested users too (weak generalization)",
)(lambda hidden: ~hidden)
GENERALIZATION.setting(
    "strong",
    rule="users are in training or tested, never both",
    cite="fastml-recsys",
    says="the model learns from no rating of a tested user (strong generalization)",
    no_overlap=True,
)(lambda tested: ~tested)


LEAST_RATINGS = Convention("least-ratings", "Least number of ratings of a tested user", registry=PROTOCOL)
"""A number."""
LEAST_RATINGS.number(rule="this number", least=1, says="users with fewer ratings than {value} are not tested")(
    lambda value: value
)


TOO_FEW = Convention("too-few", "Users with too few ratings to be tested", registry=PROTOCOL, traits=ProtocolTraits)
"""Whether their ratings train, or an error."""
TOO_FEW.setting("trains", rule="the model learns from them", says="their ratings are all in training")(lambda: True)
TOO_FEW.setting("left-out", rule="their ratings are not used at all", says="their ratings are not used at all")(
    lambda: False
)
TOO_FEW.setting("refused", rule="an error", says="there may be none of them", is_error=True)(lambda: True)


TESTED = Convention(
    "tested", "Users that are tested", reads=("draw", "eligible"), registry=PROTOCOL, traits=ProtocolTraits
)
"""Settings read a draw from 0 to 1 and whether there are enough ratings, both of shape (users,), and give the tested,
shape (users,)."""
TESTED.setting("everyone", rule="all with enough ratings", says="all of them are tested")(lambda eligible: eligible)


@TESTED.setting(
    "share", rule="each with this chance", says="each user is tested with a chance of {of}, whoever else there is"
)
def _(draw: Numbers, eligible: Mask, of: Annotated[float, Within(0, 1)]) -> Mask:
    """A user is tested or not whoever else there is, so that new users change nobody's part."""
    return eligible & (draw < of)


@TESTED.setting("number", rule="so many, drawn", says="{of} users are drawn and tested", exact=True)
def _(draw: Numbers, eligible: Mask, of: Annotated[int, Within(1, 1_000_000_000)]) -> Mask:
    """Those of the lowest draws, so that a larger number holds the users of a smaller one."""
    order = np.flatnonzero(eligible)[np.argsort(draw[eligible], kind="stable")]
    found = np.zeros(len(draw), bool)
    found[order[:of]] = True
    return found


@TESTED.setting(
    "fold",
    rule="one of so many parts of the users, which together are all",
    cite="lenskit-docs",
    says="users are divided at random into {of} folds, of which fold {at} is tested",
)
def _(draw: Numbers, eligible: Mask, at: Annotated[int, Within(1, 1000)], of: Annotated[int, Within(2, 1000)]) -> Mask:
    """Each user falls into one fold whoever else there is, so that folds are of about the same size and not equal."""
    return np.asarray(eligible & (np.floor(draw * of) == at - 1))


COLD_USERS = Convention("cold-users", "Users without training ratings", reads=("known",), registry=PROTOCOL)
"""Settings read which users are in training, shape (users,), and give who may be tested, shape (users,)."""
COLD_USERS.setting("kept", rule="yes", no="removal of users without training ratings")(
    lambda known: np.ones(len(known), bool)
)
COLD_USERS.setting("dropped", rule="no", cite="rectools", says="users without a rating in training are not tested")(
    lambda known: known
)


FINITE = 1e100

LOOKED_FOR = Convention("looked-for", "Held-out ratings that are labels", reads=("ratings",), registry=PROTOCOL)
"""Settings read the ratings, shape (rows,), and give those that become labels, shape (rows,)."""
LOOKED_FOR.setting("all", rule="all", no="hidden rating that is not looked for")(
    lambda ratings: np.ones(len(ratings), bool)
)


@LOOKED_FOR.setting("at-least", rule="those from here on", says="only hidden ratings of at least {t} are looked for")
def _(ratings: Numbers, t: Annotated[float, Within(-FINITE, FINITE)]) -> Mask:
    """The others are hidden, and no labels."""
    return np.asarray(ratings >= t)


RELEVANCE = Convention("relevance", "Grade of a held-out rating", reads=("ratings",), registry=PROTOCOL)
"""Settings read the ratings, shape (rows,), and give the grades of labels, shape (rows,)."""
RELEVANCE.setting("rating", rule="the rating, or the count, itself", says="the grade of a label is the rating itself")(
    lambda ratings: ratings
)


@RELEVANCE.setting(
    "minus",
    rule="rating - bias",
    cite="fastml-code",
    says="the grade of a label is the rating less {bias}, so that a low one is negative",
)
def _(ratings: Numbers, bias: Annotated[float, Within(-FINITE, FINITE)]) -> Numbers:
    """What is disliked counts against a list, where the metric takes negative grades."""
    return ratings - bias


@RELEVANCE.setting("at-least", rule="1 from here on, else 0", says="a label is relevant from a rating of {t} on")
def _(ratings: Numbers, t: Annotated[float, Within(-FINITE, FINITE)]) -> Numbers:
    """What is below is a label of grade 0: judged, and not relevant."""
    return (ratings >= t).astype(np.float64)


RELEVANCE.setting("binary", rule="1, whatever the rating", says="whatever was rated is relevant")(
    lambda ratings: np.ones(len(ratings))
)


RELEVANCE.also(counts="rating")

CASES = Convention("cases", "One ranking for each user, or for each held-out rating", registry=PROTOCOL)
"""Whether each hidden rating is a case of its own."""
CASES.setting("user", rule="one list for each user", no="list for each hidden rating")(lambda: False)
CASES.setting(
    "rating",
    rule="one list for each hidden rating",
    cite="koren2008",
    says="each hidden rating is looked for in a list of its own",
)(lambda: True)


ITEMS = Convention("items", "Items that can be recommended", reads=("known",), registry=PROTOCOL)
"""Settings read which items are in training, shape (items,), and give the catalogue, shape (items,)."""
ITEMS.setting("all", rule="all that anybody rated", says="the catalogue is all items that anybody rated")(
    lambda known: np.ones(len(known), bool)
)
ITEMS.setting("trained", rule="those in training", says="the catalogue is the items in training")(lambda known: known)


CANDIDATES = Convention(
    "candidates",
    "Candidates that a recommender ranks",
    reads=("hidden", "rated", "given", "draw", "popularity"),
    registry=PROTOCOL,
    traits=ProtocolTraits,
)
"""Settings read of each item of the catalogue whether it is looked for, whether the user has rated it at all, and was
given, a draw, and how many training ratings it has, all of shape (items,); they give the candidates, shape (items,)."""
CANDIDATES.setting(
    "catalogue",
    rule="all items",
    cite="fastml-recsys",
    whole_catalogue=True,
    says="all items of the catalogue are ranked",
)(lambda hidden: np.ones(len(hidden), bool))
CANDIDATES.setting(
    "held-out", rule="the hidden ones alone", cite="fastml-recsys", says="only the items of hidden ratings are ranked"
)(lambda hidden: hidden)


@CANDIDATES.setting(
    "held-out-and-sampled",
    rule="the hidden ones and n others, drawn",
    cite="koren2008",
    says="the items of hidden ratings are ranked among {n} others, drawn {drawn} of those that are {of}",
    samples=True,
)
def _(
    hidden: Mask,
    rated: Mask,
    given: Mask,
    draw: Numbers,
    popularity: Codes,
    n: Annotated[int, Within(1, 1_000_000_000)],
    *,
    of: Literal["unrated", "not-given", "any"] = "unrated",
    drawn: Literal["uniformly", "by-popularity"] = "uniformly",
) -> Mask:
    """Drawn without replacement; by popularity with weights, as Efraimidis and Spirakis (2006) do."""
    others = ~hidden & {"unrated": ~rated, "not-given": ~given, "any": np.ones(len(hidden), bool)}[of]
    key = draw
    if drawn == "by-popularity":
        others = others & (popularity > 0)
        key = -np.log1p(-draw) / np.maximum(popularity, 1)
    places = np.flatnonzero(others)
    chosen = places if n >= len(places) else places[np.argpartition(key[places], n - 1)[:n]]
    found = hidden.copy()
    found[chosen] = True
    return found


SEEN = Convention("seen", "Given items in the ranking", registry=PROTOCOL)
"""Whether the items given are taken out of lists."""
SEEN.setting(
    "dropped",
    rule="no: they are taken out of it",
    cite="fastml-code",
    says="items that were given are taken out of a list",
)(lambda: True)
SEEN.setting("kept", rule="yes", says="given items may be in a list")(lambda: False)


NO_POSITIVES = Convention("no-positives", "Tested users without relevant held-out ratings", registry=PROTOCOL)
"""Whether they stay; the metric's `no-relevant` then says what they count as."""
NO_POSITIVES.setting("kept", rule="yes: the metric says what they count as", no="removal of users without positives")(
    lambda: True
)
NO_POSITIVES.setting("left-out", rule="no", says="users without a label of grade above 0 are not tested")(lambda: False)


LEAST_USERS = Convention("least-users", "Least number of users of a point of a curve", registry=PROTOCOL)
"""A number."""
LEAST_USERS.number(rule="this number", least=1, says="a point of a curve has at least {value} users")(
    lambda value: value
)


CURVE_MEAN = Convention(
    "curve-mean", "Order of the means over users and over given ratings of a curve", registry=PROTOCOL
)
"""Whether a curve's one number is the mean of its points."""
CURVE_MEAN.setting(
    "users-first",
    rule="the mean over users at each number given, then over these",
    cite="fastml-recsys",
    says="a curve's one number is the mean of its points",
)(lambda: True)
CURVE_MEAN.setting(
    "given-first",
    rule="each user's mean over the numbers given, then over users",
    cite="fastml-recsys",
    says="a curve's one number is the mean over users, each of the mean of their own curve",
)(lambda: False)
