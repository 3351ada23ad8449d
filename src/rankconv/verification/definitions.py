"""What is compared: metrics of the preset, and what the library calls each."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rankconv.errors import MetricError, nearest
from rankconv.presets.definition import Definition
from rankconv.presets.folders import VERSION
from rankconv.presets.resolved import Preset
from rankconv.specs.spec import Spec, each_spec
from rankconv.verification.adapter import Adapter

CUTOFFS = (1, 3, 10)
"""Where metrics with a cutoff are compared unless the caller says otherwise."""


@dataclass(frozen=True)
class LibraryCall:
    """One metric under the preset, and the library's name for it."""

    spec: str
    definition: Definition
    call: str

    @property
    def k(self) -> int | None:
        """The cutoff that was requested."""
        return self.definition.requested_k


def everything(adapter: type[Adapter], preset: Preset) -> list[LibraryCall]:
    """All that the adapter knows how to ask and the preset offers, at a few cutoffs."""
    specs = [f"{form[:-1]}{k}" for form in adapter.calls if form.endswith("@k") for k in CUTOFFS]
    specs += [form for form in adapter.calls if not form.endswith("@k")]
    offered = [spec for spec in specs if VERSION not in preset.name or preset.offers(spec)]
    return list(calls_for(adapter, preset, offered))


def calls_for(adapter: type[Adapter], preset: Preset, specs: Sequence[str | Definition]) -> Iterator[LibraryCall]:
    """These metrics; a MetricError for one that the adapter does not know how to ask."""
    for spec in (one for given in specs for one in _specs(preset, given)):
        settings = ", ".join(f"{convention_name}={setting}" for convention_name, setting in preset.read(spec).settings)
        for definition in preset.define(spec):
            form = _form(definition, settings)
            if form not in adapter.calls:
                raise _not_known(adapter, spec, form)
            yield LibraryCall(definition.spec, definition, adapter.calls[form].format(k=definition.requested_k))


def _specs(preset: Preset, given: str | Definition) -> Sequence[str | Spec]:
    """What was requested, one spec for each number."""
    if isinstance(given, Definition):
        return [given.requested]
    return [one for listed in each_spec(given) for one in preset.members(listed)]


def _form(definition: Definition, settings: str) -> str:
    """The metric as adapters know it: what a changed preset sets otherwise does not change what is requested."""
    name = f"{definition.key}({settings})" if settings else definition.key
    return name if definition.requested_k is None else f"{name}@k"


def _not_known(adapter: type[Adapter], spec: str | Spec, form: str) -> MetricError:
    return MetricError(
        f"'{spec}' is not available in {adapter.packages[0]}",
        where=f"verify {adapter.preset}",
        allowed=f"These can: {', '.join(adapter.calls)}",
        nearest=nearest(form, adapter.calls),
    )
