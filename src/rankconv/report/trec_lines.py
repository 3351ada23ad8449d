"""Results in the form that trec_eval prints, for scripts that read it."""

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rankconv.escaping import printable
from rankconv.spec import preset_and_rest

if TYPE_CHECKING:
    from rankconv.results import Result

_WHOLE = {"mrr": "recip_rank", "r_precision": "Rprec", "f1": "set_F"}
_CUT = {"precision": "P", "map": "map_cut", "ndcg": "ndcg_cut", "hit_rate": "success"}
"""What trec_eval calls what is called otherwise here, without a cutoff and with one."""


def trec_lines(result: "Result", *, each_user: bool) -> Iterator[str]:
    """The lines of `trec_eval`, and of `trec_eval -q` with each user before the mean."""
    yield _line("runid", "all", printable(result.run or "run"))
    if each_user:
        for place, user in enumerate(result.users.tolist()):
            for spec, one in result.by_spec.items():
                if not math.isnan(one.values[place]):
                    yield _line(measure(spec), printable(str(user)), f"{one.values[place]:6.4f}")
    for spec, one in result.by_spec.items():
        yield _line(measure(spec), "all", f"{one.mean:6.4f}")


def measure(spec: str) -> str:
    """The name of a metric there; a spec in its own spelling, such as P_5, stays.

    >>> [measure(spec) for spec in ("ndcg@10", "trec_eval:map", "mrr", "P_5", "ndcg(gain=grade)@5")]
    ['ndcg_cut_10', 'map', 'recip_rank', 'P_5', 'ndcg(gain=grade)_5']
    """
    name, _, cutoff = preset_and_rest(spec)[1].replace(" ", "").partition("@")
    return f"{_CUT.get(name, name)}_{cutoff}" if cutoff else _WHOLE.get(name, name)


def _line(name: str, user: str, value: str) -> str:
    return f"{name:<22}\t{user}\t{value}"
