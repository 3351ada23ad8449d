"""The questions of protocols, apart from those of metrics: they are asked of ratings, before there is any list."""

from rankconv.ordered import Ordered
from rankconv.questions.choice import Choice, Registry

PROTOCOL = Ordered[Choice]("question of protocols")
"""Every question about how ratings are divided and asked for, in the order in which they are carried out."""


def asked_of_ratings(*choices: Choice) -> None:
    """Make these questions of protocols, told in this order, behind those that there are."""
    for choice in choices:
        PROTOCOL.put(choice.name, choice)
    Registry.changed()
