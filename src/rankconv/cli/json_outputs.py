"""What each command prints with `--format json`: its type, and the JSON Schema of that."""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from pydantic import ConfigDict, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core.core_schema import TypedDictSchema
from typing_extensions import get_original_bases, is_typeddict

from rankconv.addons.agreement.agreement_result import AgreementData
from rankconv.addons.conformance.conform import ConformData
from rankconv.addons.gate.gate_result import GateData
from rankconv.addons.protocols.curve_result import LearningCurveData
from rankconv.addons.protocols.pages import (
    ListedProtocol,
    ProtocolDifference,
    ProtocolsData,
    ShownProtocol,
    WrittenSplitData,
)
from rankconv.addons.protocols.protocol import ProtocolMethodsData
from rankconv.addons.similarity.similarity import SimilarityData
from rankconv.addons.verification.verification import VerificationData
from rankconv.analysis.check import CheckData
from rankconv.analysis.cite import FoundDefinition
from rankconv.analysis.curve import RankCurveData
from rankconv.analysis.explain.explain import ByRankData
from rankconv.analysis.explain.explanation import ExplainedRow, ExplanationData, IdealRow
from rankconv.analysis.identify.identify import JointIdentifyData
from rankconv.analysis.identify.identify_result import IdentifyData
from rankconv.analysis.identify.identify_table import TableIdentifyData
from rankconv.analysis.lookup_data import (
    EraData,
    ListedConvention,
    ListedMetric,
    ListedPreset,
    PresetDifference,
    ShownConvention,
    ShownDefinition,
    ShownMetric,
    ShownPreset,
)
from rankconv.analysis.reproduce.checks import PresetCheckData
from rankconv.analysis.reproduce.listing import SourcesData
from rankconv.analysis.reproduce.reproduction import ReproductionData
from rankconv.analysis.segments.segments import SegmentsData
from rankconv.analysis.sensitivity.sensitivity_page import SensitivityData
from rankconv.analysis.significance.leaderboard import LeaderboardData
from rankconv.analysis.significance.runs import TestMethodsData
from rankconv.analysis.significance.significance import SignificanceData
from rankconv.analysis.why.attribution import AttributionData
from rankconv.evaluation.citing.citations import CitedData
from rankconv.evaluation.results.comparison import ComparisonRow
from rankconv.evaluation.results.differences import EqualNumbersData
from rankconv.evaluation.results.signature_comparison import SignatureComparisonData
from rankconv.evaluation.results.signed_result import SignedResultData

OUTPUTS: dict[str, dict[str, Any]] = {
    "evaluate": {
        "": SignedResultData,
        "several runs": list[SignedResultData],
        "--by, --user-features or --plot": SegmentsData,
    },
    "compare": {"": list[ComparisonRow], "--by-value": dict[str, list[EqualNumbersData]]},
    "test": {"": SignificanceData, "--leaderboard": LeaderboardData, "--cite": TestMethodsData},
    "gate": {"": GateData},
    "check": {"": CheckData},
    "explain": {"": ExplanationData, "--by-rank": ByRankData},
    "why": {"": AttributionData},
    "identify": {"": IdentifyData, "several numbers": JointIdentifyData, "--table": TableIdentifyData},
    "sensitivity": {"": SensitivityData},
    "similarity": {"": SimilarityData},
    "agreement": {"": AgreementData},
    "list": {
        "presets": list[ListedPreset],
        "metrics": list[ListedMetric],
        "conventions": list[ListedConvention],
        "protocols": list[ListedProtocol],
        "protocols --all": ProtocolsData,
    },
    "show": {
        "a preset": ShownPreset,
        "a preset, --against another": PresetDifference,
        "a preset, --history": list[EraData],
        "a definition": list[ShownDefinition],
        "a metric": ShownMetric,
        "a convention or setting": list[ShownConvention],
        "a protocol": ShownProtocol,
        "a protocol, --against another": ProtocolDifference,
        "a group": list[ListedPreset],
        "a fingerprint": list[FoundDefinition],
        "a signature, --against another": SignatureComparisonData,
        "--check": list[PresetCheckData],
    },
    "cite": {"": list[CitedData], "protocols": list[ProtocolMethodsData]},
    "split": {"": WrittenSplitData},
    "learning-curve": {"": LearningCurveData},
    "curve": {"": RankCurveData},
    "verify": {"": VerificationData},
    "conform": {"": ConformData},
    "reproduce": {"": ReproductionData, "--list": SourcesData},
}
"""By command what it prints, by what asks for it; below "" what it prints without."""
DRAFT = "https://json-schema.org/draft/2020-12/schema"
COLUMNS: dict[str, Any] = {"description": "A column of the formula.", "type": ["string", "number", "null"]}
"""The columns of a formula, whose names are those of its metric."""
WITH_COLUMNS = (ExplainedRow, IdealRow)
"""Rows that have the columns of a formula."""


class OutputSchema(GenerateJsonSchema):
    """Schemas of typed dicts: fields are described by their docstrings, those of a base by what is written there."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        """Say that no field has its name as a title again."""
        return False

    def typed_dict_schema(self, schema: TypedDictSchema) -> dict[str, Any]:
        """Return the schema of a typed dict."""
        found, kind = super().typed_dict_schema(schema), schema.get("cls")
        for base in filter(is_typeddict, get_original_bases(kind) if isinstance(kind, type) else ()):
            for name, one in schema_of(base)["$defs"][base.__name__]["properties"].items():
                found["properties"][name] |= {key: one[key] for key in ("description",) if key in one}
        if kind in WITH_COLUMNS:
            found["additionalProperties"] = COLUMNS
        return found


def output_schema(command: str, *, closed: bool = False) -> dict[str, Any]:
    """Return the JSON Schema of what a command prints; where it is `closed`, keys without a type are not valid."""
    found = schema_of(*OUTPUTS[command].values(), closed=closed)
    output = _any_of(OUTPUTS[command], found["prefixItems"])
    return {"$schema": DRAFT, "title": f"rankconv {command} --format json", **output, "$defs": found["$defs"]}


def outputs_schema() -> dict[str, Any]:
    """Return the JSON Schema of what all commands print, each below `$defs` by its name."""
    found = schema_of(*(kind for kinds in OUTPUTS.values() for kind in kinds.values()))
    left = iter(found["prefixItems"])
    commands = {name: _any_of(kinds, [*islice(left, len(kinds))]) for name, kinds in OUTPUTS.items()}
    return {"$schema": DRAFT, "title": "rankconv --format json", "$defs": commands | found["$defs"]}


def _any_of(titles: Iterable[str], schemas: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the schema of what is of one of these, each with what asks for it as title."""
    each = [{"title": title, **one} if title else one for title, one in zip(titles, schemas, strict=True)]
    return each[0] if len(each) == 1 else {"anyOf": each}


def schema_of(*kinds: Any, closed: bool = False) -> dict[str, Any]:
    """Return the schema of a tuple of what is of these types: a type alone takes no configuration."""
    config = ConfigDict(use_attribute_docstrings=True, extra="forbid" if closed else None)
    whole: Any = tuple.__class_getitem__(kinds)
    return TypeAdapter(whole, config=config).json_schema(schema_generator=OutputSchema)
