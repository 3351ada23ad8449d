"""The questions of protocols, apart from those of metrics: they are asked of ratings, before there is any list."""

from rankconv.errors import ConventionError
from rankconv.ordered import Ordered
from rankconv.questions.choice import Choice, Registry

PROTOCOL = Ordered[Choice]("question of protocols")
"""Every question about how ratings are divided and asked for, in the order in which they are carried out.

A plugin adds an answer with `protocols.protocol_choices["tested"].option(…)`, and a question with `plugin.rating_step`.
"""
STEPS: dict[str, Choice] = {}
"""Questions of plugins, by name: which ratings are used at all."""


def asked_of_ratings(*choices: Choice) -> None:
    """Make these questions of protocols, told in this order, behind those that there are."""
    for choice in choices:
        PROTOCOL.put(choice.name, choice)
    Registry.changed()


def rating_step(choice: Choice) -> None:
    """Add a question to protocols: which ratings are used at all, before anything is divided.

    The question stands in `registry=protocols.protocol_choices`, and has a neutral answer, that of all protocols which do not
    ask it: their splits and fingerprints stay. The functions of its answers read, all of shape (rows,), the `rating`,
    the `time` (0 where there is none), the `place` among the user's ratings, how many the user has (`count`) and the
    item (`item_count`), and a `draw` from 0 to 1; they give the rows that are used, shape (rows,).

    Raises ConventionError without a neutral answer.

    >>> import numpy as np
    >>> import rankconv as rc
    >>> from rankconv import plugin
    >>> from rankconv import protocols
    >>> KNOWN = plugin.Choice(
    ...     "known-items",
    ...     "Which items are used?",
    ...     reads=("item_count",),
    ...     neutral="all",
    ...     registry=protocols.protocol_choices,
    ... )
    >>> @KNOWN.option("all", rule="all", no="item that is left out")
    ... def _(item_count):
    ...     return np.ones(len(item_count), bool)
    >>> @KNOWN.option("rated-twice", rule="rated by two users at least", says="items that one user rated are left out")
    ... def _(item_count):
    ...     return item_count >= 2
    >>> plugin.rating_step(KNOWN)
    >>> ratings = {"ada": {"x": 4, "y": 5}, "bob": {"x": 3, "y": 2, "z": 1}}
    >>> [len(rc.protocol(name).split(ratings).ratings) for name in ("base", "base(known-items=rated-twice)")]
    [5, 4]
    """
    if choice.neutral is None:
        do = 'Write plugin.Choice(…, neutral="all"), the answer that changes nothing.'
        raise ConventionError(f"the question '{choice.name}' has no neutral answer", do=do)
    choice.validate(choice.neutral)
    PROTOCOL.put(choice.name, choice, "repeated")
    STEPS[choice.name] = choice
    Registry.changed()
