"""Protocols: what is hidden, from whom, and what is to be found; all that is decided before a metric sees a list.

A protocol is one answer to each question in `questions/`, and presets of them stand in `conventions/protocols/`.
"""

from rankconv.exports import exported

HOMES = {
    "ask.learning_curve.learning_curve": ("learning_curve",),
    "ask.learning_curve.shown": ("LearningCurve",),
    "ask.why_order.result": ("OrderAttribution",),
    "ask.why_order.why_order": ("why_order",),
    "protocols.presets": ("protocol_choices",),
    "protocols.ratings": ("Ratings",),
    "protocols.split": ("Protocol", "Split"),
    "recommenders.fold_in": ("fold_in",),
}
"""The module of each public name."""
__all__, __getattr__ = exported(__name__, HOMES, globals())


def __dir__() -> list[str]:
    return __all__
