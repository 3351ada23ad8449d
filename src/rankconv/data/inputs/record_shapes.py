"""The shapes of JSON records that have all items of a query: in which key the query, the labels and the run are.

`SHAPES` is the table. Keys are compared without case and separators, also those of objects in a record.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, Literal

from rankconv.basics.errors import InputError
from rankconv.data.inputs.columns import in_shell
from rankconv.data.inputs.input_rows import ColumnSpec
from rankconv.data.inputs.row_batches import Record
from rankconv.data.inputs.usual_names import USUAL_NAMES, is_usual, plain

Keys = tuple[str, ...]
"""Keys that lead into an object."""


@dataclass(frozen=True)
class Shape:
    """Where a kind of record has what is read."""

    name: str
    query: tuple[str, ...]
    """Keys of the query's id or text."""
    labels: tuple[str, ...]
    """Keys, or words of keys, of the relevant items."""
    run: tuple[str, ...]
    """Keys, or words of keys, of the ranking."""
    examples: tuple[str, ...]
    """Files of `examples/rag`: labels and run, or both in one."""
    marks: tuple[str, ...] = ()
    """Keys of which a record of this shape has one at least; none where it needs none."""


_QUERY_TEXTS = ("query", "question", "user_input", "input", "prompt", "query_text", "question_text", "search_text")
_QUERY_IDS = (
    *("question_id", "prompt_id", "example_id", "sample_id", "id"),
    *("reference_example_id", "dataset_item_id"),  # of runs in LangSmith and Langfuse: what is evaluated
)
SHAPES = (
    Shape(
        "test cases of DeepEval",
        ("input",),
        ("context",),
        ("retrieval_context",),
        ("deepeval.json",),
        marks=("retrieval_context", "actual_output", "expected_output"),
    ),
    Shape(
        "samples of ragas",
        ("user_input",),
        ("reference_context_ids", "reference_contexts"),
        ("retrieved_context_ids", "retrieved_contexts"),
        ("ragas.jsonl",),
        marks=("user_input",),
    ),
    Shape(
        "data and results of AutoRAG",
        ("qid", "query"),
        ("retrieval_gt",),
        ("retrieved_ids",),
        ("autorag_qa.jsonl", "autorag_result.jsonl"),
        marks=("retrieval_gt", "retrieve_scores"),
    ),
    Shape(
        "nuggets of nuggetizer, labels and run in one",
        ("qid", "query"),
        ("nuggets",),
        ("nuggets",),
        ("nuggets.jsonl",),
        marks=("nuggets",),
    ),
    Shape(
        "records of a query",
        (*USUAL_NAMES["user"], *_QUERY_IDS, *_QUERY_TEXTS),
        (
            *("gold", "golden", "relevant", "relevance", "reference", "references", "referenced", "expected", "ground"),
            *("groundtruth", "gt", "truth", "true", "positive", "positives", "pos", "judgment", "judgments", "actual"),
            *("judgement", "judgements", "qrels", "qrel", "labels", "label", "rated", "target", "targets", "correct"),
            *("supporting", "evidence", "evidences", "answer", "answers", "judged"),
        ),
        (
            *("retrieved", "retrieval", "returned", "predicted", "prediction", "predictions", "result", "results"),
            *("hits", "hit", "ranking", "rankings", "ranked", "reranked", "recommended", "recommendation", "matches"),
            *("recommendations", "recs", "candidates", "candidate", "found", "system", "run", "search", "response"),
        ),
        ("records_gold.jsonl", "records_run.jsonl"),
    ),
)
"""The shapes in the order in which they are tried. The words of the last, alone or together, are also in keys with
other words for a list of documents (`gold_doc_ids`, `retrievedChunks`), and above these in an object
(`{"response": {"hits": {"hits": []}}}`)."""
_QUERY_KEYS = frozenset(map(plain, SHAPES[-1].query))
LIST_WORDS = frozenset(
    (
        *("id", "ids", "docid", "docids", "uuid", "uuids", "pid", "pids", "doc", "docs", "document", "documents"),
        *("passage", "passages", "chunk", "chunks", "context", "contexts", "item", "items", "node", "nodes", "list"),
        *("article", "articles", "page", "pages", "paragraph", "paragraphs", "source", "sources", "corpus", "text"),
        *("texts", "product", "products", "movie", "movies", "track", "tracks", "file", "files", "top", "k", "at"),
        *("paper", "papers", "entry", "entries", "key", "keys", "for", "of", "the"),
        *("input", "inputs", "output", "outputs", "data", "body", "example", "ctx", "ctxs"),
    )
)
"""Words of keys that tell neither labels nor a run."""
_ANSWERS = frozenset(("answer", "answers"))
_OF_ANSWERS = _ANSWERS.union(("text", "texts", "reference", "expected", "target", "correct", "true", "gold", "truth"))
_ID_WORDS = frozenset(("id", "ids", "docid", "docids", "uuid", "uuids", "pid", "pids"))
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_DEPTH = 4
SIDE_OF: dict[str, Literal["labels", "run"]] = {"labels": "labels", "rankings": "run"}
_SOME_LABELS, _SOME_RUN = "gold_ids, relevant, reference_ids, …", "retrieved_ids, results, contexts, docs, …"
NOTHING: Any = object()


def dotted(path: Keys) -> str:
    """Return keys as a person names what they lead to."""
    return ".".join(path)


def has_lists(record: Record, spec: ColumnSpec) -> bool:
    """Whether a record has a list of this side, or one that the caller named."""
    named = spec.caller_columns.get("item")
    if named is not None:
        return isinstance(named, str) and named_list(record, named) is not None
    if is_table(record):
        return False
    try:
        return list_of_side(record, spec, str) is not None
    except InputError:
        return True


def names_query(key: str, value: Any) -> bool:
    """Whether this may be the id or the text of the query."""
    return plain(key) in _QUERY_KEYS and isinstance(value, str | Integral)


def names_list(key: str, spec: ColumnSpec | None = None) -> bool:
    """Whether a key is that of a list of items: of this side, or of any."""
    if spec is None:
        return _is_neutral((key,)) or _side_of((key,), "labels") or _side_of((key,), "run")
    return _side_of((key,), SIDE_OF[spec.what])


def is_table(record: Record) -> bool:
    """Whether this is a row, or has the items of a query in a list under the usual name of a column."""
    items = [key for key in record if is_usual("item", key)]
    plain_items = [key for key in items if not isinstance(record[key], dict) and are_scalars(record[key])]
    if not plain_items:
        return False
    others = [path for path in _paths(record) if _side_of(path, "labels") or _side_of(path, "run")]
    return not [path for path in others if path[0] not in items]


def are_scalars(value: Any) -> bool:
    return not isinstance(value, list | dict) or (
        isinstance(value, list) and not any(isinstance(one, list | dict) for one in value)
    )


def named_list(record: Record, name: str) -> tuple[Keys, Keys] | None:
    """The list that the caller named, and what of its entries: `results.doc.id`; None for no such list."""
    keys = (name,) if name in record else tuple(name.split("."))
    value: Any = record
    for at, key in enumerate(keys):
        value = value.get(key, NOTHING) if isinstance(value, dict) else NOTHING
        if isinstance(value, list) or (isinstance(value, dict) and at == len(keys) - 1):
            return keys[: at + 1], keys[at + 1 :]
    return None


def _paths(record: Record, depth: int = _DEPTH) -> Iterator[Keys]:
    """The paths of all lists, of objects `{id: number}`, and of single values under the keys of ids."""
    for key, value in record.items():
        if not words_of(key):
            continue
        if isinstance(value, list) or _is_mapping(value) or (is_id_key(key) and isinstance(value, str | int)):
            yield (key,)
        elif isinstance(value, dict) and depth:
            yield from ((key, *path) for path in _paths(value, depth - 1))


def _is_mapping(value: Any) -> bool:
    return isinstance(value, dict) and bool(value) and all(is_number(one) for one in value.values())


def is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def is_pair(entry: Any) -> bool:
    """Whether this is an item and a number; of two integers either may be an item, as in a group."""
    if not isinstance(entry, list) or len(entry) != 2:
        return False
    first, second = entry
    return is_number(second) if isinstance(first, str | dict) else type(first) is int and type(second) is float


def words_of(key: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(key)]


def is_id_key(key: str) -> bool:
    return not _ID_WORDS.isdisjoint(words_of(key))


def _side_of(path: Keys, side: Literal["labels", "run"]) -> bool:
    """Whether the words of these keys say that they have labels, or a run."""
    every = {word for key in path for word in words_of(key)}
    words = every - LIST_WORDS
    return bool(words) and words <= {*getattr(SHAPES[-1], side)} and not _name_texts(every)


def _name_texts(words: set[str]) -> bool:
    """Whether these words are of a text that a model should write: `answers`, `true_answer`; not `answer_doc_ids`."""
    return not _ANSWERS.isdisjoint(words) and words <= _OF_ANSWERS


def _is_neutral(path: Keys) -> bool:
    """Whether these keys name a list of documents, and not what these are."""
    words = {word for key in path for word in words_of(key)}
    return bool(words) and words <= LIST_WORDS


def list_of_side(record: Record, spec: ColumnSpec, where: Callable[[], str]) -> Keys | None:
    """The list of items that a record has of this side; None where no key says that it has one."""
    side = SIDE_OF[spec.what]
    other: Literal["labels", "run"] = "run" if side == "labels" else "labels"
    shape = next((one for one in SHAPES if not one.marks or any(mark in record for mark in one.marks)), SHAPES[-1])
    known = {plain(name): place for place, name in enumerate(getattr(shape, side))}
    named = [(key,) for key in record if shape.marks and plain(key) in known and record[key] is not None]
    if named:
        return min(named, key=lambda path: known[plain(path[0])])
    paths = [path for path in _paths(record) if not _is_number_list(path, record)]
    others = {plain(name) for name in getattr(shape, other)} if shape.marks else set[str]()
    of_side = [path for path in paths if _side_of(path, side) and plain(path[0]) not in others]
    of_other = [path for path in paths if _side_of(path, other) or plain(path[0]) in others]
    lists = [path for path in paths if isinstance(value_at(record, path), list | dict)]
    neutral = [path for path in lists if _is_neutral(path) and plain(path[0]) not in others]
    if side == "labels" and not of_side and not of_other and _are_retrieved(record, neutral):
        of_other = neutral
    if not of_side and neutral and (side == "run" or not of_other):
        of_side = neutral
    if not of_side:
        if of_other and user_keys(record):
            raise _other_side(of_other, neutral, spec, where())
        return None
    return _only_list(record, of_side, spec, where)


def _are_retrieved(record: Record, neutral: Sequence[Keys]) -> bool:
    """Whether lists of documents are those of a run: contexts, and documents next to a text that is expected."""
    contexts = any({"context", "contexts"} & {*words_of(key)} for path in neutral for key in path)
    return bool(neutral) and (contexts or any(_side_of((key,), "labels") for key in record))


def _is_number_list(path: Keys, record: Record) -> bool:
    """Whether this is a list of scores or grades, by its name and what it holds."""
    words = {*words_of(path[-1])} & {"score", "scores", "grade", "grades", "gain", "gains", "distances", "similarities"}
    value = value_at(record, path)
    return bool(words) and isinstance(value, list) and all(map(is_number, value))


def _only_list(record: Record, paths: Sequence[Keys], spec: ColumnSpec, where: Callable[[], str]) -> Keys:
    """The list of ids among these, or the only one."""
    ids = [path for path in paths if is_id_key(path[-1])]
    lists = [path for path in paths if isinstance(value_at(record, path), list | dict)]
    for some in (ids, lists, paths):
        if len(some) == 1:
            return some[0]
    called = [dotted(path) for path in ids or paths]
    raise name_one(called, "item", spec, where(), "could each be the items")


def name_one(names: Sequence[str], role: str, spec: ColumnSpec, where: str, wrong: str) -> InputError:
    side = SIDE_OF[spec.what]
    return InputError(
        f"the keys {' and '.join(map(repr, names))} {wrong}",
        where=where,
        do=f"Name one: {' or '.join(spec.as_argument(role, name) for name in names)}",
        shell=f"Name one: {' or '.join(in_shell(f'{side}.{role}', name) for name in names)}",
    )


def _other_side(paths: Sequence[Keys], neutral: Sequence[Keys], spec: ColumnSpec, where: str) -> InputError:
    side = SIDE_OF[spec.what]
    is_labels = side == "labels"
    name, has = dotted((neutral or paths)[0]), " and ".join(repr(dotted(path)) for path in paths)
    wrong = f"{has} {'is the ranking' if is_labels else 'has labels'} by its name, and no key has "
    return InputError(
        wrong + (f"labels ({_SOME_LABELS})" if is_labels else f"a ranking ({_SOME_RUN})"),
        where=where,
        do=f"Are the labels and the rankings exchanged? If not, pass {spec.as_argument('item', name)}",
        shell=f"Are the labels and the rankings exchanged? If not, pass {in_shell(f'{side}.item', name)}",
    )


def user_keys(record: Record) -> list[Keys]:
    """The keys that may name the query, those of ids before those of texts."""
    found: dict[int, list[Keys]] = {0: [], 1: [], 2: []}
    texts, ids = set(map(plain, _QUERY_TEXTS)), set(map(plain, _QUERY_IDS))
    for key, value in record.items():
        name = plain(key)
        is_query = name in texts or is_usual("user", key)
        path: Keys = (key,)
        if isinstance(value, dict) and (is_query or name in ("inputs", "metadata")):
            inner = user_keys(value)
            if not inner:
                continue
            path = (key, *inner[0])
            name, value = plain(path[-1]), value_at(value, inner[0])
            is_query = name in texts or is_usual("user", path[-1])
        if isinstance(value, bool) or not isinstance(value, str | int) or not (is_query or name in ids):
            continue
        rank = 2 if name in texts or not name.endswith("id") else 1 if name == "id" else 0
        found[rank].append(path)
    return next((paths for paths in found.values() if paths), [])


def value_at(record: Any, path: Keys) -> Any:
    for key in path:
        if not isinstance(record, dict) or key not in record:
            return NOTHING
        record = record[key]
    return record
