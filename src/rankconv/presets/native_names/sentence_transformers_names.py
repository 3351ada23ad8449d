"""Names of Sentence Transformers: a similarity and a metric, `cosine_ndcg@10`, in its CSV files `cosine-NDCG@10`.

The similarity gives the scores of the run, so it changes no value here.
"""

import re
from collections.abc import Sequence

from rankconv.presets.native_names.grammar import NativeName, native_names

METRICS = {"accuracy": "hit_rate"} | {name: name for name in "precision recall ndcg mrr map".split()}
"""Names of InformationRetrievalEvaluator, and of the preset."""
SIMILARITIES = "cosine dot euclidean manhattan cos_sim dot_score".split()
_NAME = re.compile(
    rf"(?:[\w.-]+_)?(?:{'|'.join(SIMILARITIES)})[_-]({'|'.join(METRICS)})@([1-9]\d{{0,6}})", re.ASCII | re.IGNORECASE
)
"""A name of the evaluator may come first: NanoMSMARCO_cosine_ndcg@10."""


@native_names("sentence_transformers")
def read(text: str) -> Sequence[NativeName] | None:
    """Read one key of the evaluator's results, or one column of its file."""
    found = _NAME.fullmatch(text)
    return [NativeName(text, METRICS[found[1].lower()], k=int(found[2]))] if found else None
