"""The numbers of labels and a run that are tables of Spark: each partition is evaluated where it is.

Rows are divided by user, each worker makes one `Partial` of its users, and these are merged.
"""

from rankconv.basics.lazy_names import exported

HOMES = {"addons.spark.evaluation": ("evaluate",)}
"""The module of each public name."""
__all__, __getattr__ = exported(__name__, HOMES, globals())


def __dir__() -> list[str]:
    return __all__
