"""Names of ir_measures: `nDCG(judged_only=True)@10`, and several with blanks between them: `P@5 AP nDCG@10`.

A name is a Python expression, as `ir_measures.parse_measure` reads it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rankconv.basics.errors import MetricError
from rankconv.conventions.convention import CONVENTIONS
from rankconv.conventions.spec import number_text
from rankconv.presets.native_names.grammar import NativeName, native_names
from rankconv.presets.native_names.python_call import read_python

Settings = Mapping[str, str]


@dataclass(frozen=True)
class MeasureForm:
    """A measure: the metric of the preset, its parameters, and those that it must have."""

    metric: str
    takes: str = ""
    needs: str = ""
    at: str = "cutoff"
    """The parameter that follows the @."""


_BINARY, _JUDGED = "rel", "rel judged_only"
MEASURES = {
    "AP": MeasureForm("map", f"cutoff {_JUDGED}"),
    "Accuracy": MeasureForm("accuracy", f"cutoff {_BINARY}"),
    "Bpref": MeasureForm("bpref", _BINARY),
    "Compat": MeasureForm("compat", "p normalize"),
    "ERR": MeasureForm("err", "cutoff", needs="cutoff"),
    "IPrec": MeasureForm("iprec", f"recall {_JUDGED}", needs="recall", at="recall"),
    "Judged": MeasureForm("judged", "cutoff"),
    "NumQ": MeasureForm("num_q"),
    "NumRel": MeasureForm("num_rel", _BINARY),
    "NumRet": MeasureForm("num_ret", _BINARY),
    "P": MeasureForm("precision", f"cutoff {_JUDGED}", needs="cutoff"),
    "R": MeasureForm("recall", f"cutoff {_JUDGED}", needs="cutoff"),
    "RBP": MeasureForm("binary_rbp", f"cutoff p {_BINARY}", needs="rel"),
    "RR": MeasureForm("mrr", f"cutoff {_JUDGED}"),
    "Rprec": MeasureForm("r_precision", _JUDGED),
    "SDCG": MeasureForm("sdcg", "cutoff dcg min_rel max_rel", needs="cutoff max_rel"),
    "SetAP": MeasureForm("set_map", _JUDGED),
    "SetF": MeasureForm("f1", f"beta {_JUDGED}"),
    "SetP": MeasureForm("set_precision", f"relative {_JUDGED}"),
    "SetR": MeasureForm("recall", _BINARY),
    "Success": MeasureForm("hit_rate", f"cutoff {_JUDGED}", needs="cutoff"),
    "infAP": MeasureForm("infAP", _BINARY),
    "nDCG": MeasureForm("ndcg", "cutoff dcg gains judged_only"),
}
"""The measures that the preset describes."""
ALIASES: dict[str, tuple[str, dict[str, Any]]] = {
    "MAP": ("AP", {}),
    "BPref": ("Bpref", {}),
    "NDCG": ("nDCG", {}),
    "NumRelRet": ("NumRet", {"rel": 1}),
    "Precision": ("P", {}),
    "Recall": ("R", {}),
    "RPrec": ("Rprec", {}),
    "MRR": ("RR", {}),
    "SetRelP": ("SetP", {"relative": True}),
}
"""Other names of measures, and the parameters that they hold."""
OTHERS = {
    "BPM": "cwl_eval:BPM.EU",
    "INST": "cwl_eval:INST.EU",
    "INSQ": "cwl_eval:INSQ.EU",
    "NERR8": "cwl_eval:NERR-EQ8.EU@10",
    "NERR9": "cwl_eval:NERR-EQ9.EU@10",
    "NERR10": "cwl_eval:NERR-EQ10.EU",
    "NERR11": "cwl_eval:NERR-EQ11.EU",
    "ERR_IA": "ndeval:err_ia@10",
    "nERR_IA": "ndeval:nerr_ia@10",
    "alpha_DCG": "ndeval:alpha_dcg@10",
    "α_DCG": "ndeval:alpha_dcg@10",
    "alpha_nDCG": "ndeval:alpha_ndcg@10",
    "α_nDCG": "ndeval:alpha_ndcg@10",
    "NRBP": "ndeval:nrbp",
    "nNRBP": "ndeval:nnrbp",
    "AP_IA": "ndeval:map_ia",
    "MAP_IA": "ndeval:map_ia",
    "P_IA": "ndeval:precision_ia@10",
    "StRecall": "ndeval:strec@10",
}
"""Measures that the preset does not describe, and the metric of the program that computes them there; at a cutoff
where it has one."""


def _whole(convention: str, form: str = "{}") -> Callable[[Any], Settings | None]:
    return lambda value: {convention: form.format(value)} if type(value) is int else None


def _number(convention: str) -> Callable[[Any], Settings | None]:
    return lambda value: {convention: number_text(value)} if type(value) in (int, float) else None


def _judged_only(value: Any) -> Settings | None:
    return None if type(value) is not bool else {"unjudged": "condensed-before-depth"} if value else {}


def _gains(value: Any) -> Settings | None:
    if not isinstance(value, dict) or not all(type(one) is int for pair in value.items() for one in pair):
        return None
    return {"gain": f"table({', '.join(f'{grade}={gain}' for grade, gain in value.items())})"}


def _only(*values: Any) -> Callable[[Any], Settings | None]:
    return lambda value: {} if value in values else None


PARAMETERS: dict[str, Callable[[Any], Settings | None]] = {
    "beta": _number("beta"),
    "cutoff": _whole("k"),
    "dcg": _only("log2", "exp-log2"),
    "gains": _gains,
    "judged_only": _judged_only,
    "max_rel": _whole("gain", "linear-over({})"),
    "min_rel": _only(0),
    "normalize": _only(True),
    "p": _number("p"),
    "recall": _number("recall-level"),
    "rel": _whole("relevant", "at-least({})"),
    "relative": _only(True, False),
}
"""What a parameter is in the conventions; None for a value that it cannot have here."""
PERSISTENCE = {"RBP": "rbp-persistence", "Compat": "compat-persistence"}
DEFAULTS = {"dcg": "log2", "judged_only": False, "rel": 1, "relative": False}
"""Values of parameters that change nothing."""
UNSUPPORTED = (
    ("RR", "cutoff", "judged_only"),
    ("nDCG", "dcg", "judged_only"),
    ("nDCG", "dcg", "gains"),
    ("RBP", "cutoff"),
    ("NumRel", "rel"),
)
"""A measure, and parameters that none of its default providers takes, or takes together."""


@native_names("ir_measures")
def read(text: str) -> Sequence[NativeName] | None:
    """Read names with blanks between them; parentheses may hold blanks too."""
    names = _names(text)
    found = [_read(name) for name in names]
    return [one for one in found if one] if found and all(found) else None


def _names(text: str) -> list[str]:
    """The parts between blanks that are outside parentheses."""
    parts, depth = [""], 0
    for sign in text.strip():
        depth += (sign in "({") - (sign in ")}")
        if sign.isspace() and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return [part for part in parts if part]


def _read(name: str) -> NativeName | None:
    call = read_python(name)
    if call is None:
        return None
    measure, held = ALIASES.get(call.name, (call.name, {}))
    if measure not in MEASURES and measure not in OTHERS:
        return None
    at = {MEASURES[measure].at if measure in MEASURES else "cutoff": call.at} if call.at is not None else {}
    parameters = {**held, **call.parameters, **at}
    if measure in OTHERS:
        metric, sign, k = OTHERS[measure].partition("@")
        cutoff = f"@{call.at if type(call.at) is int and call.at > 0 else k}" if sign else ""
        do = f"Write {metric}{cutoff}, of the program that computes it there."
        raise MetricError(f"the preset ir_measures does not describe {measure}", where=name, do=do)
    known, settings = MEASURES[measure], dict[str, str]()
    for parameter, value in parameters.items():
        if parameter == "cutoff" and parameter not in known.takes.split():
            kept = ", ".join(f"{one}={given!r}" for one, given in call.parameters.items() if one != "cutoff")
            do = f"Write {call.name}{kept and f'({kept})'}."
            raise MetricError(f"ir_measures has {call.name} without a cutoff", where=name, do=do)
        if parameter not in known.takes.split() and parameter.replace("_", "-") in CONVENTIONS:
            return None  # a metric with settings, in the words of rankconv
        if parameter not in known.takes.split():
            takes = [one for one in known.takes.split() if (measure, one) not in UNSUPPORTED]
            allowed = f"It takes {', '.join(takes) or 'no parameter'}"
            raise MetricError(f"{measure} of ir_measures has no '{parameter}'", where=name, allowed=allowed)
        made = PARAMETERS[parameter](value)
        if made is None:
            raise MetricError(f"the preset has no {measure} with {parameter}={value!r}", where=name)
        settings |= made
    if any(one not in parameters for one in known.needs.split()):
        return None  # ir_measures refuses it, and the usual reading says what the preset has under this name
    given = {parameter for parameter, value in parameters.items() if DEFAULTS.get(parameter) != value}
    for one, *others in UNSUPPORTED:
        if one == measure and given.issuperset(others):
            raise MetricError(f"no provider of ir_measures has {measure} with {' and '.join(others)}", where=name)
    return _native_name(name, measure, parameters, settings)


def _native_name(name: str, measure: str, parameters: Mapping[str, Any], settings: dict[str, str]) -> NativeName:
    metric, k = MEASURES[measure].metric, settings.pop("k", None)
    if "p" in settings:
        settings[PERSISTENCE[measure]] = settings.pop("p")
    if parameters.get("dcg") == "exp-log2":
        metric = "ndcg_exp"
    if parameters.get("relative"):
        metric = "relative_precision"
    if measure == "NumRet" and "rel" in parameters:
        metric = "num_rel_ret"
    return NativeName(name, metric, settings, None if k is None else int(k))
