"""The heads of preset files, the order in which presets are listed, and the presets that a word may mean."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from rankconv.errors import ConventionError, likely
from rankconv.presets import folders
from rankconv.presets.entries import called
from rankconv.presets.modifiers import modified_title, split
from rankconv.presets.yaml_file import read_document, read_text, system_named

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


OWN = "own"
GROUPS = ("house", "search", "recommender", "learning-to-rank", "rag", "contests", "texts", OWN)
"""The words for groups, in the order in which they are listed."""
_SETTINGS = re.compile(
    r"^(?:preparation|aggregation|parts|every-metric|without|metrics|nicknames|checks):", re.MULTILINE
)
_CALLED = re.compile(r"(?:\bcalled: *|^  (?=[\w-]+: *\{))(\[[^]]*]|[^,:}\n]+)", re.MULTILINE)
"""The names of metrics in the text of a preset: its keys, and what the system calls them."""
_SHORTEST = 3
"""Letters of a word that is looked for in what presets say."""


def heads() -> list[dict[str, Any]]:
    """What each preset says of itself, and the system that it describes, by group and name."""
    files = folders.listed(folders.shipped() | folders.of_user() | folders.of_packages())
    found = {name: _head(name, file) for name, file in files.items()}
    parts = [head | {"system": _system(head, found)} for head in found.values()]
    return sorted(parts, key=lambda head: (GROUPS.index(head["group"]), head["name"]))


def likely_presets(word: str, others: Iterable[str] = ()) -> list[str]:
    """The presets, or other words, that a word may mean: by name, title and sources, then by how it is spelled.

    >>> likely_presets("spark")[0], likely_presets("torch")[0], likely_presets("trec-eval")[0]
    ('mllib', 'torchmetrics', 'trec_eval')
    """
    known_heads = heads()
    known = sorted((head["name"] for head in known_heads), key=place)
    wanted, spelled = _plain(word), likely(word, [*others, *known])
    said = {head["name"]: at for head in known_heads if (at := _says(head, wanted)) is not None}
    meant = sorted(said, key=lambda name: (said[name], place(name)))
    return list(dict.fromkeys([*meant, *spelled]))


def presets_calling(word: str) -> list[str]:
    """The shipped presets whose system has a metric of this name, in the order of lists.

    >>> presets_calling("recip_rank")[0], presets_calling("RetrievalMAP")
    ('trec_eval', ['torchmetrics'])
    """
    patterns = {name: _CALLED.findall(read_text(file, name)) for name, file in folders.shipped().items()}
    found = [
        name
        for name, lists in patterns.items()
        if any(called(text.strip(" \"'"), word) for one in lists for text in one.strip("[]").split(","))
    ]
    return sorted(found, key=place)


def _says(head: Mapping[str, Any], word: str) -> int | None:
    """Where a preset speaks of this: in its name, as the first word of its title, in the title, in its sources."""
    if len(word) < _SHORTEST:
        return None
    sources = " ".join(str(source.get(key, "")) for source in head.get("cite", []) for key in ("key", "title", "url"))
    name, title, sources = (_plain(str(text)) for text in (head["name"], head.get("title", ""), sources))
    found = (word in name, title.startswith(word), word in title, word in sources)
    return found.index(True) if any(found) else None


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", "", text[:10_000].casefold())


def _system(head: Mapping[str, Any], heads: Mapping[str, Any], below: tuple[str, ...] = ()) -> str:
    """The system that it describes; where presets extend each other in a circle, as its title says."""
    parent = str(head.get("extends", ""))
    known = parent in heads and parent not in below
    above = _system(heads[parent], heads, (*below, parent)) if known else ""
    return system_named(str(head.get("system") or ""), above, str(head.get("title", "")))


def _head(name: str, file: Any) -> dict[str, Any]:
    """The keys above those where its settings begin."""
    try:
        known_heads = _head_of(_SETTINGS.split(read_text(file, str(file)), 1)[0], str(file))
    except ConventionError as error:
        return {"name": name, "group": OWN, "title": f"cannot be read: {error}"}
    group = str(known_heads.get("group", OWN))
    title = str(known_heads.get("title", ""))
    titles = {"title": modified_title(title)} if split(name)[1] else {}
    return {**known_heads, **titles, "name": name, "group": group if group in GROUPS else OWN}


@lru_cache(maxsize=1024)
def _head_of(text: str, file: str) -> dict[str, Any]:
    data = read_document(text, file).data
    return data if isinstance(data, dict) else {}
