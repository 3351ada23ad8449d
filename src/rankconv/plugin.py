"""What extensions need: metrics, conventions, steps, policies, input formats, commands, and adapters of libraries."""

from rankconv.exports import exported

HOMES = {
    "ask.explain.working": ("Derivation", "derivation_of"),
    "ask.verify.adapter": ("Adapter", "LibraryResult"),
    "averaging.judged_cases": ("data_case",),
    "averaging.special_case": ("Situation", "special_case"),
    "inputs.readers": ("input_format",),
    "judging.block": ("Block",),
    "judging.registry": ("preparation_step",),
    "judging.rows": ("WorkingBlock",),
    "metrics": ("Metric", "Parts", "Ratio"),
    "plugins": ("command", "load_plugin"),
    "protocols.registry": ("rating_step",),
    "questions.choice": ("Choice",),
    "questions.custom": ("FunctionOf",),
}
"""The module of each public name."""
__all__, __getattr__ = exported(__name__, HOMES, globals())


def __dir__() -> list[str]:
    return __all__
