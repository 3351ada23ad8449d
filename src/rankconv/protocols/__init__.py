"""Protocols: what is hidden, from which users, and what is to be found: all that precedes a metric.

A protocol is one setting of each convention in `conventions/`, and presets of them stand in `conventions/protocols/`.
"""

from rankconv.exports import exported

HOMES = {
    "protocols.curves": ("learning_curve",),
    "protocols.curve_result": ("LearningCurve",),
    "protocols.presets": ("protocol_conventions",),
    "protocols.ratings": ("Ratings",),
    "protocols.division": ("Split",),
    "protocols.split": ("Protocol",),
}
"""The module of each public name."""
__all__, __getattr__ = exported(__name__, HOMES, globals())


def __dir__() -> list[str]:
    return __all__
