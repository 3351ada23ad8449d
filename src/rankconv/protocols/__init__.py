"""Protocols: what is hidden, from which users, and what is to be found: all that precedes a metric.

A protocol is one setting of each convention in `conventions/`, and presets of them stand in `conventions/protocols/`.
"""

from rankconv.exports import exported

HOMES = {
    "protocols.learning_curves.learning_curve": ("learning_curve",),
    "protocols.learning_curves.result": ("LearningCurve",),
    "protocols.order_attribution.result": ("OrderAttribution",),
    "protocols.order_attribution.why_order": ("why_order",),
    "protocols.presets": ("protocol_conventions",),
    "protocols.ratings": ("Ratings",),
    "protocols.split": ("Protocol", "Split"),
    "protocols.recommenders.fold_in": ("fold_in",),
}
"""The module of each public name."""
__all__, __getattr__ = exported(__name__, HOMES, globals())


def __dir__() -> list[str]:
    return __all__
