"""Definitions as measures of ir_measures, so that its functions and PyTerrier's experiments compute them."""

from rankconv.basics.lazy_names import exported

HOMES = {"addons.harnesses.ir_measure": ("measure", "register")}
"""The module of each public name."""
__all__, __getattr__ = exported(__name__, HOMES, globals())


def __dir__() -> list[str]:
    return __all__
