"""Names of cwl_eval: a measure as it is printed, `RBP@0.8`, or as a file of measures has it, `RBPCWLMetric(0.8)`.

The expected utility is meant, the first value that is printed of a measure, where none of the five is named, as in
`P@10 ETU`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from rankconv.basics.errors import MetricError
from rankconv.conventions.spec import number_text, read_number
from rankconv.presets.native_names.grammar import NativeName, native_names

VALUES = {
    "EU": "expected-utility",
    "ETU": "expected-total-utility",
    "EC": "expected-cost",
    "ETC": "expected-total-cost",
    "ED": "expected-depth",
}
"""What is printed of each measure, and the setting of `cwl-measure`."""
NUMBER = r"\d+(?:\.\d*)?(?:e[+-]?\d+)?"


@dataclass(frozen=True)
class CwlEvalMeasure:
    """A measure of the program."""

    name: str
    """As it is printed, with its parameters in braces; `k` is the cutoff."""
    class_name: str
    metric: str
    """The metric of the preset; empty where it has none."""
    continuation: str = ""
    """Its setting of `cwl-continuation`, where that hangs on the parameters."""
    defaults: Mapping[str, str] = field(default_factory=dict)
    """The values of parameters that a file of measures leaves out."""

    @cached_property
    def parameters(self) -> Sequence[str]:
        """In the order in which a file of measures has them."""
        return re.findall(r"{(\w+)}", self.name)

    @property
    def shown(self) -> str:
        """The name with the names of its parameters."""
        return self.name.replace("{", "").replace("}", "")

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """What matches the name as it is printed."""
        parts = re.split(r"{(\w+)}", self.name)
        return re.compile(
            "".join(f"(?P<{one}>{NUMBER})" if at % 2 else re.escape(one) for at, one in enumerate(parts)), re.ASCII
        )


MEASURES = [
    CwlEvalMeasure("P@{k}", "PrecisionCWLMetric", "P.EU", defaults={"k": "10"}),
    CwlEvalMeasure("NDCG-k@{k}", "NDCGCWLMetric", "NDCG-k.EU"),
    CwlEvalMeasure("RBP@{theta}", "RBPCWLMetric", "RBP.EU", "{theta}", {"theta": "0.9"}),
    CwlEvalMeasure("RR", "RRCWLMetric", "RR.EU"),
    CwlEvalMeasure("AP", "APCWLMetric", "AP.EU"),
    CwlEvalMeasure("TrAP", "TrAPCWLMetric", "TrAP.EU"),
    CwlEvalMeasure("INST-T={T}", "INSTCWLMetric", "INST.EU", "inst({T})", {"T": "1"}),
    CwlEvalMeasure("INSQ-T={T}", "INSQCWLMetric", "INSQ.EU", "insq({T})", {"T": "1"}),
    CwlEvalMeasure(
        "IFT-C1-T={T}-b1={b1}-R1={R1}", "IFTGoalCWLMetric", "IFT-C1.EU", "ift-goal(target={T}, b={b1}, r={R1})"
    ),
    CwlEvalMeasure(
        "IFT-C2-A={A}-b2={b2}-R2={R2}", "IFTRateCWLMetric", "IFT-C2.EU", "ift-rate(rate={A}, b={b2}, r={R2})"
    ),
    CwlEvalMeasure(
        "IFT-C1-C2-T={T}-b1={b1}-R1={R1}-A={A}-b2={b2}-R2={R2}",
        "IFTGoalRateCWLMetric",
        "IFT-C1-C2.EU",
        "all(ift-goal(target={T}, b={b1}, r={R1}), ift-rate(rate={A}, b={b2}, r={R2}))",
    ),
    CwlEvalMeasure(
        "BPM-Static-T={T}-K={K}",
        "BPMCWLMetric",
        "BPM.EU",
        "all(cost-below({K}), gain-below({T}))",
        {"T": "1", "K": "10"},
    ),
    CwlEvalMeasure(
        "BPM-Dynamic-T={T}-K={K}-hb={hb}-hc={hc}",  # hc changes nothing: cwl_bpm.py, line 158
        "BPMDCWLMetric",
        "BPM-Dynamic.EU",
        "all(cost-below({K}), gain-below-moving({T}, {hb}, 0.5))",
        {"T": "1", "K": "10", "hb": "1", "hc": "1"},
    ),
    CwlEvalMeasure("NERR-EQ8@k={k}", "NERReq8CWLMetric", "NERR-EQ8.EU"),
    CwlEvalMeasure("NERR-EQ9@k={k}", "NERReq9CWLMetric", "NERR-EQ9.EU"),
    CwlEvalMeasure(
        "NERR-EQ10@phi={phi}", "NERReq10CWLMetric", "NERR-EQ10.EU", "all({phi}, unsatisfied)", {"phi": "0.9"}
    ),
    CwlEvalMeasure("NERR-EQ11@T={T}", "NERReq11CWLMetric", "NERR-EQ11.EU", "all(insq({T}), unsatisfied)", {"T": "1"}),
    CwlEvalMeasure("TBG-H@{halflife}", "TBGCWLMetric", "TBG.EU", "half-life({halflife})", {"halflife": "224"}),
    CwlEvalMeasure("U-L@{L}", "UMeasureCWLMetric", "U.EU", "line({L})", {"L": "1000"}),
    CwlEvalMeasure("NPV-r@{rate}", "NPVCWLMetric", "", defaults={"rate": "0.1"}),
    CwlEvalMeasure("SET-k@{k}-b@{beta}", "SETCWLMetric", ""),
]


@native_names("cwl_eval")
def read(text: str) -> Sequence[NativeName] | None:
    """Read a measure as it is printed, or the class with its parameters in their order; then one of the values."""
    name, _, value = text.strip().partition(" ")
    for measure in MEASURES:
        given = _given(measure, name)
        if given is not None:
            return [_native(measure, given, value.strip(), text)]
    return None


def _given(measure: CwlEvalMeasure, name: str) -> Mapping[str, str] | None:
    """The values of the parameters, or None where another measure is meant."""
    printed = measure.pattern.fullmatch(name)
    if printed:
        return printed.groupdict()
    class_name, _, values = name.partition("(")
    if class_name != measure.class_name or not values.endswith(")"):
        return None
    each = [one for one in values[:-1].split(",") if one]
    given = {**measure.defaults, **dict(zip(measure.parameters, each, strict=False))}
    if len(each) > len(measure.parameters) or given.keys() != set(measure.parameters):
        names = ", ".join(measure.parameters) or "no parameter"
        raise MetricError(f"{class_name} takes {names}", where=name, do=f"Write it as it is printed: {measure.shown}.")
    return given


def _native(measure: CwlEvalMeasure, given: Mapping[str, str], value: str, text: str) -> NativeName:
    if not measure.metric:
        raise MetricError(f"rankconv does not have {measure.shown} of cwl_eval", where=text)
    numbers = {name: read_number(one) for name, one in given.items()}
    if value not in ("", *VALUES) or None in numbers.values() or not given.get("k", "1").isdecimal():
        allowed = f"It is {measure.shown}, and may have one of {', '.join(VALUES)} after it"
        raise MetricError(f"'{text}' is not a measure of cwl_eval", allowed=allowed)
    words = {name: number_text(one) for name, one in numbers.items() if one is not None}
    settings = {"cwl-continuation": measure.continuation.format(**words)} if measure.continuation else {}
    if value:
        settings["cwl-measure"] = VALUES[value]
    return NativeName(text, measure.metric, settings, int(words["k"]) if "k" in words else None)
