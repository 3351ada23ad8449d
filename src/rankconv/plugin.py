"""What extensions need: metrics, conventions, steps, policies, input formats, names, commands, adapters."""

from typing import Any

from rankconv.basics.lazy_names import exported

HOMES = {
    "addons.verification.adapter": ("Adapter", "LibraryResult"),
    "aggregation.data_policies": ("data_case",),
    "aggregation.special_case": ("Situation", "special_case"),
    "data.inputs.reading": ("input_format",),
    "preparation.blocks.block": ("Block",),
    "preparation.captions": ("said_as", "shown_as"),
    "preparation.step_registry": ("preparation_step",),
    "preparation.working_rows": ("WorkingBlock",),
    "metrics": ("Metric", "Parts", "Ratio"),
    "metrics.beyond.of_all_lists": ("ShownRows", "SystemLevelMetric"),
    "basics.plugins": ("command", "load_plugin"),
    "addons.protocols.draws": ("rating_step",),
    "conventions.convention": ("Convention",),
    "conventions.custom_setting": ("FunctionOf",),
    "conventions.traits": ("Traits",),
    "presets.native_names.grammar": ("NativeName", "native_names"),
}
"""The module of each public name."""
__all__, _load = exported(__name__, HOMES, globals())


def __getattr__(name: str) -> Any:
    """Load a public name, after all metrics and conventions: so the plugin that takes a name of theirs is refused."""
    if name in __all__:
        import rankconv.presets.definition  # noqa: F401
    return _load(name)


def __dir__() -> list[str]:
    return __all__
