"""The names of trec_eval, such as `ndcg_cut_10`, as the measures of ir_measures."""

from rankconv.compat import pytrec_eval
from rankconv.compat.errors import WrongValue
from rankconv.compat.measure import Measure, measures

_NAMED = {
    "P": "P",
    "Rprec": "Rprec",
    "bpref": "Bpref",
    "infAP": "infAP",
    "iprec_at_recall": "IPrec",
    "map": "AP",
    "map_cut": "AP",
    "ndcg": "nDCG",
    "ndcg_cut": "nDCG",
    "num_q": "NumQ",
    "num_rel": "NumRel",
    "num_rel_ret": "NumRelRet",
    "num_ret": "NumRet",
    "recall": "R",
    "recip_rank": "RR",
    "set_F": "SetF",
    "set_P": "SetP",
    "set_map": "SetAP",
    "set_recall": "SetR",
    "set_relative_P": "SetRelP",
    "success": "Success",
}
_BETA = "set_F"


def parse_trec_measure(measure: str) -> list[Measure]:
    """The measures of a name of trec_eval, a nickname such as `official` too.

    A name without its parameter means the measure at each that trec_eval has; what ir_measures has no measure for
    is left out of a nickname, as there, which prints that. Raises WrongValue, a ValueError, for any other name.

    >>> parse_trec_measure("ndcg_cut.5,10"), parse_trec_measure("set_F_0.5")
    ([nDCG@5, nDCG@10], [SetF(beta=0.5)])
    """
    if measure in pytrec_eval.supported_nicknames:
        known = sorted(pytrec_eval.supported_nicknames[measure] & _NAMED.keys())
        return [one for name in known for one in parse_trec_measure(name)]
    base, given = pytrec_eval.parts(measure)
    if base not in _NAMED:
        raise WrongValue(f"known trec name {measure}, but not yet supported", where="ir_measures")
    named = measures()[_NAMED[base]]
    if given and base not in pytrec_eval.DEFAULTS and base != _BETA:
        raise WrongValue(f"{base} takes no parameter", where=measure)
    at = "beta" if base == _BETA else named.kind.at
    kind = float if base == _BETA or at == "recall" else int
    parameters = given or pytrec_eval.DEFAULTS.get(base, ())
    return [_with(named, at, kind, one, measure) for one in parameters] or [named]


def _with(named: Measure, at: str, kind: type[int] | type[float], one: str, measure: str) -> Measure:
    try:
        return named(**{at: kind(one)})
    except ValueError:
        raise WrongValue(f"'{one}' is no whole number", where=measure) from None
