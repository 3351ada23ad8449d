"""A result as `trec_eval` prints it."""

import math
import re
from collections.abc import Iterator

from rankconv.basics.escaping import printable
from rankconv.conventions.spec import preset_and_rest
from rankconv.evaluation.results.result import Result
from rankconv.presets.definition import Definition

_WHOLE = {"mrr": "recip_rank", "r_precision": "Rprec", "f1": "set_F"}
_CUT = {"precision": "P", "map": "map_cut", "ndcg": "ndcg_cut", "hit_rate": "success"}
"""What trec_eval calls what is called otherwise here, without a cutoff and with one."""

_DOTTED = re.compile(r"(\w*[A-Za-z_])\.(\d+(?:\.\d+)?)", re.ASCII)
"""As it is written there: ndcg_cut.10, iprec_at_recall.0.1."""


def trec_lines(result: Result, *, each_user: bool, tag: str = "") -> Iterator[str]:
    """The lines of `trec_eval`, and of `trec_eval -q` with each user before the mean.

    `tag` is what the run calls itself; where it does not, the name of its file is there.
    """
    if each_user:
        shown = {spec: one.shown for spec, one in result.by_spec.items() if _is_of_users(one.definition)}
        for place, user in enumerate(result.users.tolist()):
            for spec, values in shown.items():
                if not math.isnan(values[place]):
                    yield _line(measure(spec), printable(str(user)), _number(result.definition(spec), values[place]))
    yield _line("runid", "all", printable(tag or result.run or "run"))
    for spec, one in result.by_spec.items():
        yield _line(measure(spec), "all", _number(one.definition, one.mean))
        for group, value in ({} if one.groups is None else one.groups.main).items():
            yield _line(f"{measure(spec)}[{printable(group)}]", "all", f"{value:6.4f}")


def _is_of_users(definition: Definition) -> bool:
    """Whether trec_eval prints it for single topics: no geometric mean, and no number of topics."""
    of, mean = definition.metric.settings.get("count-of"), definition.aggregation.settings["aggregate"]
    return not mean.traits.of_all_alone and not (of and of.traits.of_all_alone)


def _number(definition: Definition, value: float) -> str:
    return f"{value:.0f}" if "count-of" in definition.settings else f"{value:6.4f}"


def measure(spec: str) -> str:
    """The name of a metric there; a spec in its own spelling, such as P_5, stays.

    >>> [measure(spec) for spec in ("ndcg@10", "trec_eval:map", "mrr", "P_5", "ndcg(gain=linear)@5", "Rprec_mult.0.2")]
    ['ndcg_cut_10', 'map', 'recip_rank', 'P_5', 'ndcg(gain=linear)_5', 'Rprec_mult_0.20']
    """
    name, _, cutoff = preset_and_rest(spec)[1].replace(" ", "").partition("@")
    if there := _DOTTED.fullmatch(name):
        return f"{there[1]}_{float(there[2]):.2f}" if "." in there[2] else f"{there[1]}_{there[2]}"
    return f"{_CUT.get(name, name)}_{cutoff}" if cutoff else _WHOLE.get(name, name)


def _line(name: str, user: str, value: str) -> str:
    return f"{name:<22}\t{user}\t{value}"
