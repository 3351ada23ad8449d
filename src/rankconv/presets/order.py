"""In which order presets are listed where several fit: what most people compute with comes first."""

from collections.abc import Iterable

MOST_USED = (
    "trec_eval",
    "sklearn",
    "torchmetrics",
    "pytrec_eval",
    "ranx",
    "ir_measures",
    "mllib",
    "lightgbm",
    "xgboost",
    "catboost",
    "sentence_transformers",
    "beir",
    "mteb",
    "recbole",
    "recommenders",
    "lenskit",
    "implicit",
    "lightfm",
    "rectools",
    "tensorflow_ranking",
    "ragas",
    "llama_index",
    "evidently",
    "kaggle",
    "wikipedia",
)
"""The reference program of the field; then libraries, those that most projects install before those of one community;
then what contests and texts say. A judgement, and no count: it decides which name is read first, never a number."""


def place(name: str) -> tuple[int, str]:
    """Sorts presets by how many people use them; a variant comes after what it varies, all others at the end.

    >>> sorted(["blog", "sklearn+unretrieved", "beir", "sklearn", "trec_eval-9"], key=place)
    ['trec_eval-9', 'sklearn', 'sklearn+unretrieved', 'beir', 'blog']
    """
    varied = [at for at, known in enumerate(MOST_USED) if name == known or name.startswith((f"{known}-", f"{known}+"))]
    return min(varied, default=len(MOST_USED)), name


def best_place(names: Iterable[str]) -> int:
    """Where the one that most people use is; variants do not count.

    >>> best_place(["blog", "sklearn", "trec_eval-9"]), best_place(["sklearn+unretrieved"]) == len(MOST_USED)
    (1, True)
    """
    return min((MOST_USED.index(name) for name in names if name in MOST_USED), default=len(MOST_USED))
