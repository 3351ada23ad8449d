"""Protocols: what is hidden, from which users, and what is to be found: all that precedes a metric.

A protocol is one setting of each convention in `conventions/`, and presets of them stand in `conventions/protocols/`.
"""

from rankconv.basics.lazy_names import exported

HOMES = {
    "addons.protocols.curves": ("learning_curve",),
    "addons.protocols.curve_result": ("LearningCurve",),
    "addons.protocols.presets": ("protocol_conventions",),
    "addons.protocols.ratings": ("Ratings",),
    "addons.protocols.division": ("Split",),
    "addons.protocols.split": ("Protocol",),
}
"""The module of each public name."""
__all__, __getattr__ = exported(__name__, HOMES, globals())


def __dir__() -> list[str]:
    return __all__
