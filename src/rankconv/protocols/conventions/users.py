"""Which users are tested, and whether the model learns from them."""

from typing import Annotated

import numpy as np

from rankconv.data.arrays import Mask, Numbers
from rankconv.protocols.draws import PROTOCOL
from rankconv.specs.convention import Convention
from rankconv.specs.parameters import Within

GENERALIZATION = Convention(
    "generalization",
    "Whether the model learns from tested users",
    reads=("tested", "hidden"),
    registry=PROTOCOL,
)
"""Settings read of each rating, shape (rows,), whether its user is tested and whether it is hidden, and give which
the model learns from, shape (rows,)."""


@GENERALIZATION.setting(
    "weak",
    rule="all that is not hidden trains",
    cite="fastml-recsys",
    says="the model learns from the other ratings of the tested users too (weak generalization)",
)
def _(hidden: Mask) -> Mask:
    """Every user is in training, and some of their ratings are hidden."""
    return ~hidden


@GENERALIZATION.setting(
    "strong",
    rule="users are in training or tested, never both",
    cite="fastml-recsys",
    says="the model learns from no rating of a tested user (strong generalization)",
    separate=True,
)
def _(tested: Mask) -> Mask:
    """The model must take a new user as they come."""
    return ~tested


LEAST_RATINGS = Convention("least-ratings", "Least number of ratings of a tested user", registry=PROTOCOL)
"""A number."""


@LEAST_RATINGS.number(rule="so many", least=1, says="users with fewer ratings than {value} are not tested")
def _(value: float) -> float:
    return value


TOO_FEW = Convention("too-few", "Users with too few ratings to be tested", registry=PROTOCOL)
"""Whether their ratings train, or an error."""


@TOO_FEW.setting("trains", rule="the model learns from them", says="their ratings are all in training")
def _() -> bool:
    """They help others."""
    return True


@TOO_FEW.setting("left-out", rule="their ratings are not used at all", says="their ratings are not used at all")
def _() -> bool:
    """As after a filter before everything else."""
    return False


@TOO_FEW.setting("refused", rule="an error", says="there may be none of them", refuses=True)
def _() -> bool:
    """The data are taken to have been filtered already."""
    return True


TESTED = Convention("tested", "Users that are tested", reads=("draw", "eligible"), registry=PROTOCOL)
"""Settings read a draw from 0 to 1 and whether there are enough ratings, both of shape (users,), and give the tested,
shape (users,)."""


@TESTED.setting("everyone", rule="all with enough ratings", says="all of them are tested")
def _(eligible: Mask) -> Mask:
    """Nobody is drawn."""
    return eligible


@TESTED.setting(
    "share", rule="each with this chance", says="each user is tested with a chance of {of}, whoever else there is"
)
def _(draw: Numbers, eligible: Mask, of: Annotated[float, Within(0, 1)]) -> Mask:
    """A user is tested or not whoever else there is, so that new users change nobody's part."""
    return eligible & (draw < of)


@TESTED.setting("number", rule="so many, drawn", says="{of} users are drawn and tested")
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


@COLD_USERS.setting("kept", rule="yes", no="removal of users without training ratings")
def _(known: Mask) -> Mask:
    """They are what strong generalization is about."""
    return np.ones(len(known), bool)


@COLD_USERS.setting(
    "dropped", rule="no", cite="rectools", says="users without a rating in training are not tested", wants_known=True
)
def _(known: Mask) -> Mask:
    """As RecTools' filter_cold_users."""
    return known
