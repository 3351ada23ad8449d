"""Whether lists are judged one by one."""

from rankconv.preparation.registry import judged_by
from rankconv.specs.convention import Convention

LISTS = Convention("scope", "One list for each user, or one for all")


@LISTS.setting("per-user", rule="one list per user", rises=True, plain="always", no="pooling of lists")
def _() -> None:
    """Each user has a value, and the mean is over users."""


@LISTS.setting(
    "global",
    rule="all judged lists make one, by falling score",
    pools=True,
    reads_order=True,
    says="the judged lists of all users are put together into one, by falling score",
)
def _() -> None:
    """As where all rows are given to a function at once; the values of the users are still those of their own lists."""


judged_by(LISTS)
