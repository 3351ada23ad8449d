"""Names of MTEB in its files of results: `accuracy`, `main_score`, and of its functions `R_cap_at_3`.

Those of metrics that other systems have too, such as `ndcg_at_10`, are read under every preset.
"""

import re
from collections.abc import Sequence

from rankconv.basics.errors import MetricError
from rankconv.presets.native_names.grammar import NativeName, native_names

_OWN = re.compile(r"(R_cap|Hole|Accuracy)_at_([1-9]\d{0,6})", re.ASCII)


@native_names("mteb")
def read(text: str) -> Sequence[NativeName] | None:
    """Read a key of the scores: `accuracy` is Recall@1, in `make_score_dict`."""
    if text == "main_score":
        do = "Write ndcg_at_10, which most retrieval tasks have, or what task.metadata.main_score is."
        raise MetricError("'main_score' is another metric in other tasks of MTEB", do=do)
    if text == "accuracy":
        return [NativeName(text, "recall", k=1)]
    found = _OWN.fullmatch(text)
    return [NativeName(text, found[1], k=int(found[2]))] if found else None
