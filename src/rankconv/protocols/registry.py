"""The conventions of protocols, other than those of metrics: they concern ratings, before there is any list."""

from rankconv.errors import ConventionError
from rankconv.ordered import Ordered
from rankconv.specs.convention import Convention, Registry

PROTOCOL = Ordered[Convention]("convention of protocols")
"""Every convention about how ratings are divided and evaluated, in the order in which they are carried out.

A plugin adds a setting with `protocols.protocol_conventions["tested"].setting(…)`, and a convention with
`plugin.rating_step`.
"""
STEPS: dict[str, Convention] = {}
"""Conventions of plugins, by name: which ratings are used at all."""


def add_rating_conventions(*conventions: Convention) -> None:
    """Make these conventions of protocols, in this order, after those that there are."""
    for convention in conventions:
        PROTOCOL.put(convention.name, convention)
    Registry.changed()


def rating_step(convention: Convention) -> None:
    """Register a convention of protocols: which ratings are used, before they are split.

    The functions of its settings read arrays of shape (rows,): the `rating`, the `time` (0 where there is none), the
    `place` among the user's ratings, the number of ratings of the user (`count`) and of the item (`item_count`), and a
    random `draw` from 0 to 1. They return the rows that are used, shape (rows,).

    Parameters
    ----------
    convention : Convention
        With `registry=protocols.protocol_conventions` and a neutral setting, which all protocols have that do not name
        it; their splits and fingerprints do not change.

    Raises
    ------
    ConventionError
        If there is no neutral setting.

    Examples
    --------
    >>> import numpy as np
    >>> import rankconv as rc
    >>> from rankconv import plugin
    >>> from rankconv import protocols
    >>> KNOWN = plugin.Convention(
    ...     "known-items",
    ...     "Which items are used?",
    ...     reads=("item_count",),
    ...     neutral="all",
    ...     registry=protocols.protocol_conventions,
    ... )
    >>> @KNOWN.setting("all", rule="all", no="item that is left out")
    ... def _(item_count):
    ...     return np.ones(len(item_count), bool)
    >>> @KNOWN.setting("rated-twice", rule="rated by two users at least", says="items that one user rated are left out")
    ... def _(item_count):
    ...     return item_count >= 2
    >>> plugin.rating_step(KNOWN)
    >>> ratings = {"ada": {"x": 4, "y": 5}, "bob": {"x": 3, "y": 2, "z": 1}}
    >>> [len(rc.protocol(name).split(ratings).ratings) for name in ("base", "base(known-items=rated-twice)")]
    [5, 4]
    """
    if convention.neutral is None:
        do = 'Write plugin.Convention(…, neutral="all"), the setting that changes nothing.'
        raise ConventionError(f"the convention '{convention.name}' has no neutral setting", do=do)
    convention.validate(convention.neutral)
    PROTOCOL.put(convention.name, convention, "repeated")
    STEPS[convention.name] = convention
    Registry.changed()
