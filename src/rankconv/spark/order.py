"""Which definitions go by the order of rows, that tables of Spark do not have."""

from collections.abc import Mapping

from rankconv.errors import MetricError
from rankconv.presets.definition import Definition
from rankconv.spark.worker_rows import Places

_DO = (
    "Name the column that has it: position=…, or rank=… where it rises from 1; "
    "or take another setting, such as order=score, ties=item-ascending."
)


def check_order(definitions: Mapping[str, Definition], ordered: bool) -> None:
    """A MetricError for the first definition that goes by an order that nothing says: the run is not `ordered`."""
    for spec, definition in definitions.items():
        if not ordered and _by_place(definition):
            name = "ties" if definition.preparation.by_score else "order"
            wrong = f"{name}={definition.preparation.given(name)} goes by the order of rows"
            raise MetricError(f"{wrong}, and a table of Spark has none", where=spec, do=_DO)


def places(definitions: Mapping[str, Definition]) -> Places:
    """What goes by the order of rows in some of these definitions."""
    last = [one.preparation.settings["duplicate-labels"].trait("by_place", False) for one in definitions.values()]
    return Places(any(map(_by_place, definitions.values())), any(last))


def _by_place(definition: Definition) -> bool:
    preparation = definition.preparation
    return not preparation.by_score or bool(preparation.settings["ties"].trait("by_place"))
