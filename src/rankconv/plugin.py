"""What extensions need: metrics, conventions, steps, policies, input formats, commands, and adapters of libraries."""

from rankconv.exports import exported

HOMES = {
    "verification.adapter": ("Adapter", "LibraryResult"),
    "aggregation.judged_cases": ("data_case",),
    "aggregation.special_case": ("Situation", "special_case"),
    "inputs.reading": ("input_format",),
    "preparation.block": ("Block",),
    "preparation.registry": ("preparation_step",),
    "preparation.rows": ("WorkingBlock",),
    "metrics": ("Metric", "Parts", "Ratio"),
    "plugins": ("command", "load_plugin"),
    "protocols.draws": ("rating_step",),
    "specs.convention": ("Convention",),
    "specs.custom": ("FunctionOf",),
}
"""The module of each public name."""
__all__, __getattr__ = exported(__name__, HOMES, globals())


def __dir__() -> list[str]:
    return __all__
