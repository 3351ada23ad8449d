"""The shapes of JSON records that have all items of a query: in which key the query, the labels and the run are.

`SHAPES` is the table. A record becomes lists of ids and numbers, one entry for each item, which are read as the columns
of a table. An entry of such a list is an id, an object with an id, a pair of one and a number, or a group of ids.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise
from typing import Any, Literal

from rankconv.basics.errors import InputError
from rankconv.data.attributes import Form
from rankconv.data.inputs.columns import USUAL_NAMES, in_shell, is_usual, plain
from rankconv.data.inputs.input_rows import NONE, ColumnSpec, RowPlace
from rankconv.data.inputs.row_batches import Record

Keys = tuple[str, ...]
"""Keys that lead into an object."""
EntryForm = Literal["ids", "objects", "pairs", "groups", "mapping"]


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
_QUERY_IDS = ("question_id", "prompt_id", "example_id", "sample_id", "id")
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
_LISTS = frozenset(
    (
        *("id", "ids", "docid", "docids", "uuid", "uuids", "pid", "pids", "doc", "docs", "document", "documents"),
        *("passage", "passages", "chunk", "chunks", "context", "contexts", "item", "items", "node", "nodes", "list"),
        *("article", "articles", "page", "pages", "paragraph", "paragraphs", "source", "sources", "corpus", "text"),
        *("texts", "product", "products", "movie", "movies", "track", "tracks", "file", "files", "top", "k", "at"),
        *("paper", "papers", "entry", "entries", "key", "keys", "for", "of", "the"),
        *("input", "inputs", "output", "outputs", "data", "body", "example"),
    )
)
"""Words of keys that tell neither labels nor a run."""
_ID_WORDS = frozenset(("id", "ids", "docid", "docids", "uuid", "uuids", "pid", "pids"))
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_INSIDE = ("node", "document", "doc", "item", "passage", "chunk", "kwargs", "metadata", "meta", "payload", "fields")
"""Keys of an entry whose object may hold its id: of nodes of LlamaIndex, documents of LangChain, points of Qdrant."""
_ENTRY_IDS = frozenset(map(plain, (*USUAL_NAMES["item"], "id", "node_id", "uuid", "key")))
_LAST_IDS = ("source",)
"""What names an entry that has no id, as LangChain's loaders write it."""
_NUMBERS = {
    "grade": (*USUAL_NAMES["grade"], "gain", "score"),
    "score": USUAL_NAMES["score"],
    "rank": USUAL_NAMES["rank"],
}
_DEPTH = 4
_SIDES: dict[str, Literal["labels", "run"]] = {"labels": "labels", "rankings": "run"}
_SOME_LABELS, _SOME_RUN = "gold_ids, relevant, reference_ids, …", "retrieved_ids, results, contexts, docs, …"
TEXTS_AS_IDS = "'{}' has texts, and these are taken as the ids of items"
SCORES_AS_GRADES = "the score of an entry of '{}' is taken as its grade"
NO_GRADES = "no grades, so every row is relevant"
IN_TURN = "no key names the query, so these are the queries in turn, counted from 0"


@dataclass(frozen=True)
class Reading:
    """How the records of a file are read."""

    user: Keys | None
    """None: records are the queries in turn."""
    items: Keys
    """The list of entries."""
    form: EntryForm
    item: Keys = ()
    """The id in an entry that is an object, or in the object of a pair."""
    inside: Mapping[str, Keys] = field(default_factory=dict)
    """The number of each role in an entry."""
    next_to: Mapping[str, Keys] = field(default_factory=dict)
    """The list of numbers of each role next to the entries."""
    number: str = ""
    """The role of the number of a pair or a mapping."""
    in_order: bool = False
    """Whether scores that contradict the order of a list are refused."""
    assumed: str = ""

    def columns(self) -> dict[str, str]:
        """The name of what each role is read from."""
        named = {"user": dotted(self.user or ("query",)), "item": dotted((*self.items, *self.item))}
        named |= {role: dotted((*self.items, *path)) for role, path in self.inside.items()}
        named |= {role: dotted(path) for role, path in self.next_to.items()}
        if self.number:
            named[self.number] = f"{dotted(self.items)} ({self.number})"
        if self.form == "groups":
            named["group"] = f"{dotted(self.items)} (group)"
        return named

    def lists(self, record: Record, at: int, where: str) -> Record:
        """The lists of the record of this number; an InputError where it has another form than the first."""
        names, entries = self.columns(), _at(record, self.items)
        if entries is _NOTHING:
            raise InputError(f"there is no '{dotted(self.items)}'", where=where, do="Give every record the same keys")
        entries = [] if entries is None else entries
        user = at if self.user is None else _at(record, self.user)
        if user is _NOTHING or user is None:
            raise InputError(f"there is no '{names['user']}'", where=where, do="Give every record the same keys")
        found = {"user": user, **self._entries(entries, lambda: where)}
        for role, path in self.next_to.items():
            found[role] = _at(record, path) if entries else []
        if self.in_order and self.form != "mapping":
            self._check_order(found.get("score"), where)
        return {names[role]: values for role, values in found.items()}

    def form_of(self, form: Form) -> Form:
        """The form of records that are read so, of which `form` knows the columns alone."""
        said = "" if self.form == "ids" else form.assumed
        assumed = "; ".join(filter(None, (said, self.assumed)))
        return replace(form, in_turn=self.user is None, assumed=assumed)

    def _check_order(self, scores: Any, where: str) -> None:
        """InputError where an entry has a higher score than the one before it."""
        if not isinstance(scores, list) or not all(map(_is_number, scores)):
            return
        for at, (before, after) in enumerate(pairwise(scores), 1):
            if after > before:
                names = self.columns()
                name = dotted(self.items) if self.number else names["score"]
                raise InputError(
                    f"entry {at} of '{dotted(self.items)}' has the score {after}, and the one before it {before}",
                    where=where,
                    allowed="The order of the list, and the scores if high is best, are two rankings",
                    do=f"Pass score={NONE!r} if the order is right, score={name!r} if the scores are",
                    shell=f"Pass {in_shell('run.score', NONE)} if the order is right, "
                    f"{in_shell('run.score', name)} if the scores are",
                )

    def _entries(self, entries: Any, where: Callable[[], str]) -> dict[str, list[Any]]:
        if isinstance(entries, str | int) and self.form == "ids":
            entries = [entries]
        if not isinstance(entries, dict if self.form == "mapping" else list) and entries not in ({}, []):
            wrong = f"'{dotted(self.items)}' is {entries!r:.60}, and in the first record it is a list"
            raise InputError(wrong, where=where(), do="Write all records in one form")
        if self.form == "mapping":
            numbers = {self.number: [*entries.values()] if entries else []} if self.number else {}
            return {"item": [*entries], **numbers}
        if self.form == "ids":
            return {"item": [*entries]}
        if self.form == "groups":
            groups = [one if isinstance(one, list) else [one] for one in entries]
            names = [[at] * len(one) for at, one in enumerate(groups)]
            return {"item": [*chain.from_iterable(groups)], "group": [*chain.from_iterable(names)]}
        if self.form == "pairs":
            for at, pair in enumerate(entries):
                if not _is_pair(pair):
                    wrong = f"{pair!r:.60} is no pair of an item and a number, as the first entry is"
                    raise InputError(wrong, where=f"{where()}, entry {at}", do="Write all entries in one form")
            ids = [self._of_entry(pair[0], self.item, at, where) for at, pair in enumerate(entries)]
            return {"item": ids, **({self.number: [pair[1] for pair in entries]} if self.number else {})}
        paths = {"item": self.item, **self.inside}
        return {
            role: [self._of_entry(entry, path, at, where) for at, entry in enumerate(entries)]
            for role, path in paths.items()
        }

    def _of_entry(self, entry: Any, path: Keys, at: int, where: Callable[[], str]) -> Any:
        value = _at(entry, path) if path else entry
        if value is _NOTHING or value is None:
            wrong = f"there is no '{dotted(path)}' in {entry!r:.80}"
            raise InputError(wrong, where=f"{where()}, '{dotted(self.items)}', entry {at}", do="Give every entry one")
        return value


_NOTHING: Any = object()


def dotted(path: Keys) -> str:
    """Return keys as a person names what they lead to."""
    return ".".join(path)


def read_as_lists(
    records: Iterable[tuple[int, Record]], spec: ColumnSpec, place: RowPlace
) -> tuple[Iterator[tuple[int, Record]], ColumnSpec, Reading | None]:
    """Return records as lists of ids and numbers, what their columns are called, and how they are read.

    Records that are rows, or have the usual columns in lists already, stay as they are, without a `Reading`. The first
    record with an entry decides for all.
    """
    given, before = iter(records), list[tuple[int, Record]]()
    reading: Reading | None = None
    for number, record in given:
        before.append((number, record))
        reading = reading_of(record, spec, lambda at=number: place(at))  # type: ignore[misc]
        if reading is None or _at(record, reading.items):
            break
    every = chain(before, given)
    if reading is None:
        return every, spec, None
    columns = {role: NONE if role in spec.absent else None for role in spec.columns}
    return (
        _lists_of(every, reading, place),
        replace(spec, columns={**columns, **reading.columns()}),
        reading,
    )


def _lists_of(records: Iterable[tuple[int, Record]], reading: Reading, place: RowPlace) -> Iterator[tuple[int, Record]]:
    """The lists of each record; an InputError for a query that has two."""
    known, user = set[Any](), reading.columns()["user"]
    for at, (number, record) in enumerate(records):
        lists = reading.lists(record, at, place(number))
        if isinstance(_at(record, reading.items), list):
            if lists[user] in known:
                wrong = f"the query {lists[user]!r:.80} is there twice"
                raise InputError(wrong, where=place(number), do="Keep one of its records, or put all of it into one")
            known.add(lists[user])
        yield number, lists


def has_lists(record: Record, spec: ColumnSpec) -> bool:
    """Whether a record has a list of this side, or one that the caller named."""
    named = spec.caller_columns.get("item")
    if named is not None:
        return isinstance(named, str) and _named_list(record, named) is not None
    if _is_table(record):
        return False
    try:
        return _list_of_side(record, spec, str) is not None
    except InputError:
        return True


def names_query(key: str, value: Any) -> bool:
    """Whether this may be the id or the text of the query."""
    return plain(key) in _QUERY_KEYS and isinstance(value, str | int)


def names_list(key: str, spec: ColumnSpec | None = None) -> bool:
    """Whether a key is that of a list of items: of this side, or of any."""
    if spec is None:
        return _is_neutral((key,)) or _side_of((key,), "labels") or _side_of((key,), "run")
    return _side_of((key,), _SIDES[spec.what])


# how records are read


def reading_of(record: Record, spec: ColumnSpec, where: Callable[[], str]) -> Reading | None:
    """Return how a record is read; None where it is a row of a table, or has lists under usual names of columns.

    InputError where keys can be read in two ways.
    """
    caller = spec.caller_columns
    named = _named_list(record, caller["item"]) if isinstance(caller.get("item"), str) else None
    inside: Keys | None = None
    if named is None:
        found = None if "item" in caller or _is_table(record) else _list_of_side(record, spec, where)
        if found is None:
            return None
        path = found
    else:
        path, inside = named
        if inside == () and _are_scalars(_at(record, path)) and path == (caller["item"],) and "user" in caller:
            return None
    user = _user_of(record, spec, where)
    return _of_entries(record, user, path, inside, spec, where)


def _is_table(record: Record) -> bool:
    """Whether this is a row, or has the items of a query in a list under the usual name of a column."""
    items = [key for key in record if is_usual("item", key)]
    plain_items = [key for key in items if not isinstance(record[key], dict) and _are_scalars(record[key])]
    if not plain_items:
        return False
    others = [path for path in _paths(record) if _side_of(path, "labels") or _side_of(path, "run")]
    return not [path for path in others if path[0] not in items]


def _are_scalars(value: Any) -> bool:
    return not isinstance(value, list | dict) or (
        isinstance(value, list) and not any(isinstance(one, list | dict) for one in value)
    )


def _named_list(record: Record, name: str) -> tuple[Keys, Keys] | None:
    """The list that the caller named, and what of its entries: `results.doc.id`; None for no such list."""
    keys = (name,) if name in record else tuple(name.split("."))
    value: Any = record
    for at, key in enumerate(keys):
        value = value.get(key, _NOTHING) if isinstance(value, dict) else _NOTHING
        if isinstance(value, list) or (isinstance(value, dict) and at == len(keys) - 1):
            return keys[: at + 1], keys[at + 1 :]
    return None


def _paths(record: Record, depth: int = _DEPTH) -> Iterator[Keys]:
    """The paths of all lists, of objects `{id: number}`, and of single values under the keys of ids."""
    for key, value in record.items():
        if not _words(key):
            continue
        if isinstance(value, list) or _is_mapping(value) or (_is_id_key(key) and isinstance(value, str | int)):
            yield (key,)
        elif isinstance(value, dict) and depth:
            yield from ((key, *path) for path in _paths(value, depth - 1))


def _is_mapping(value: Any) -> bool:
    return isinstance(value, dict) and bool(value) and all(_is_number(one) for one in value.values())


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_pair(entry: Any) -> bool:
    return isinstance(entry, list) and len(entry) == 2 and isinstance(entry[0], str | dict) and _is_number(entry[1])


def _words(key: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(key)]


def _is_id_key(key: str) -> bool:
    return not _ID_WORDS.isdisjoint(_words(key))


def _side_of(path: Keys, side: Literal["labels", "run"]) -> bool:
    """Whether the words of these keys say that they have labels, or a run."""
    words = {word for key in path for word in _words(key)} - _LISTS
    return bool(words) and words <= {*getattr(SHAPES[-1], side)}


def _is_neutral(path: Keys) -> bool:
    """Whether these keys name a list of documents, and not what these are."""
    words = {word for key in path for word in _words(key)}
    return bool(words) and words <= _LISTS


def _list_of_side(record: Record, spec: ColumnSpec, where: Callable[[], str]) -> Keys | None:
    """The list of items that a record has of this side; None where no key says that it has one."""
    side = _SIDES[spec.what]
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
    lists = [path for path in paths if isinstance(_at(record, path), list | dict)]
    neutral = [path for path in lists if _is_neutral(path) and plain(path[0]) not in others]
    if not of_side and neutral and (side == "run" or not of_other):
        of_side = neutral
    if not of_side:
        if of_other and _user_keys(record):
            raise _other_side(of_other, neutral, spec, where())
        return None
    return _only_list(record, of_side, spec, where)


def _is_number_list(path: Keys, record: Record) -> bool:
    """Whether this is a list of scores or grades, by its name and what it holds."""
    words = {*_words(path[-1])} & {"score", "scores", "grade", "grades", "gain", "gains", "distances", "similarities"}
    value = _at(record, path)
    return bool(words) and isinstance(value, list) and all(map(_is_number, value))


def _only_list(record: Record, paths: Sequence[Keys], spec: ColumnSpec, where: Callable[[], str]) -> Keys:
    """The list of ids among these, or the only one."""
    ids = [path for path in paths if _is_id_key(path[-1])]
    lists = [path for path in paths if isinstance(_at(record, path), list | dict)]
    for some in (ids, lists, paths):
        if len(some) == 1:
            return some[0]
    called = [dotted(path) for path in ids or paths]
    raise _name_one(called, "item", spec, where(), "could each be the items")


def _name_one(names: Sequence[str], role: str, spec: ColumnSpec, where: str, wrong: str) -> InputError:
    side = _SIDES[spec.what]
    return InputError(
        f"the keys {' and '.join(map(repr, names))} {wrong}",
        where=where,
        do=f"Name one: {' or '.join(f'{role}={name!r}' for name in names)}",
        shell=f"Name one: {' or '.join(in_shell(f'{side}.{role}', name) for name in names)}",
    )


def _other_side(paths: Sequence[Keys], neutral: Sequence[Keys], spec: ColumnSpec, where: str) -> InputError:
    side = _SIDES[spec.what]
    is_labels = side == "labels"
    name, has = dotted((neutral or paths)[0]), " and ".join(repr(dotted(path)) for path in paths)
    wrong = f"{has} {'is the ranking' if is_labels else 'has labels'} by its name, and no key has "
    return InputError(
        wrong + (f"labels ({_SOME_LABELS})" if is_labels else f"a ranking ({_SOME_RUN})"),
        where=where,
        do=f"Are the labels and the rankings exchanged? If not, pass item={name!r}",
        shell=f"Are the labels and the rankings exchanged? If not, pass {in_shell(f'{side}.item', name)}",
    )


def _user_keys(record: Record) -> list[Keys]:
    """The keys that may name the query, those of ids before those of texts."""
    found: dict[int, list[Keys]] = {0: [], 1: [], 2: []}
    texts, ids = set(map(plain, _QUERY_TEXTS)), set(map(plain, _QUERY_IDS))
    for key, value in record.items():
        name = plain(key)
        is_query = name in texts or is_usual("user", key)
        path: Keys = (key,)
        if isinstance(value, dict) and (is_query or name in ("inputs", "metadata")):
            inner = _user_keys(value)
            if not inner:
                continue
            path = (key, *inner[0])
            name, value = plain(path[-1]), _at(value, inner[0])
            is_query = name in texts or is_usual("user", path[-1])
        if isinstance(value, bool) or not isinstance(value, str | int) or not (is_query or name in ids):
            continue
        rank = 2 if name in texts or not name.endswith("id") else 1 if name == "id" else 0
        found[rank].append(path)
    return next((paths for paths in found.values() if paths), [])


def _user_of(record: Record, spec: ColumnSpec, where: Callable[[], str]) -> Keys | None:
    named = spec.caller_columns.get("user")
    if isinstance(named, str):
        path = (named,) if named in record else tuple(named.split("."))
        if _at(record, path) is _NOTHING:
            shell = f"Name one of them: {in_shell('user', 'KEY')}"
            allowed = f"The keys are: {', '.join(record)}"
            raise InputError(f"there is no key '{named}'", where=where(), allowed=allowed, do="Name one", shell=shell)
        return path
    keys = _user_keys(record)
    if len(keys) > 1:
        raise _name_one([dotted(path) for path in keys], "user", spec, where(), "could each be the query")
    return keys[0] if keys else None


# what the entries of a list are


def _of_entries(
    record: Record, user: Keys | None, path: Keys, inside: Keys | None, spec: ColumnSpec, where: Callable[[], str]
) -> Reading:
    entries = _at(record, path)
    number = "" if spec.number in spec.absent or spec.number not in spec.columns else spec.number
    in_order = spec.what == "rankings" and "score" not in spec.caller_columns
    reading = Reading(user, path, "ids", in_order=in_order, assumed="" if user else IN_TURN)
    next_to = {} if entries in ([], {}) else _numbers_next_to(record, path, entries, spec)
    if isinstance(entries, dict):
        return replace(reading, form="mapping", number=number)
    first = entries[0] if isinstance(entries, list) and entries else None
    if first is not None and _is_pair(first):
        item = inside or (_id_of(first[0], path, spec, where) if isinstance(first[0], dict) else ())
        return replace(reading, form="pairs", item=item, number=number)
    if isinstance(first, list):
        if spec.what == "rankings":
            wrong = f"an entry of '{dotted(path)}' is a list, and a ranking has one item at each rank"
            raise InputError(wrong, where=where(), do="Write one list of ids, best first")
        if any(_is_number(one) for one in first):
            wrong = f"the entries of '{dotted(path)}' may be pairs of an item and a grade, or groups of items"
            do = "Write ids as texts, or objects {id, grade}"
            raise InputError(wrong, where=where(), do=do)
        return replace(reading, form="groups")
    if isinstance(first, dict):
        item = inside or _id_of(first, path, spec, where)
        inner = {} if next_to else _numbers_in(first, path, spec, where)
        assumed = reading.assumed
        if (
            spec.what == "labels"
            and not inner
            and not next_to
            and any(_is_number(_at(first, one)) for one in _leaves(first))
        ):
            assumed = "; ".join(filter(None, (assumed, NO_GRADES)))
        if inner.get("grade") and plain(inner["grade"][-1]) == "score":
            assumed = "; ".join(filter(None, (assumed, SCORES_AS_GRADES.format(dotted(path)))))
        return replace(reading, form="objects", item=item, inside=inner, next_to=next_to, assumed=assumed)
    texts = [one for one in (entries if isinstance(entries, list) else []) if isinstance(one, str)]
    if any(len(text.split()) > 1 for text in texts) and not _is_id_key(path[-1]):
        said = TEXTS_AS_IDS.format(dotted(path))
        reading = replace(reading, assumed="; ".join(filter(None, (reading.assumed, said))))
    return replace(reading, next_to=next_to)


def _at(record: Any, path: Keys) -> Any:
    for key in path:
        if not isinstance(record, dict) or key not in record:
            return _NOTHING
        record = record[key]
    return record


def _id_of(entry: Record, path: Keys, spec: ColumnSpec, where: Callable[[], str]) -> Keys:
    """Where an entry has its id: in itself, else in an object in it."""
    found = _levels(entry, lambda key: plain(key) in _ENTRY_IDS) or _levels(entry, lambda key: key in _LAST_IDS)
    if len(found) == 1:
        return found[0]
    names = [dotted((*path, *one)) for one in found]
    if found:
        raise _name_one(names, "item", spec, where(), "could each be the item")
    keys = ", ".join(dotted(one) for one in _leaves(entry))
    example = dotted((*path, *next(_leaves(entry), ("KEY",))))
    raise InputError(
        f"no key of an entry of '{dotted(path)}' is the usual one of an id (id, doc_id, …)",
        where=where(),
        allowed=f"The keys are: {keys:.300}",
        do=f"Name it, such as item={example!r}",
        shell=f"Name it, such as {in_shell(f'{_SIDES[spec.what]}.item', example)}",
    )


def _levels(entry: Record, wanted: Callable[[str], bool]) -> list[Keys]:
    """The wanted keys with a value, of an entry itself, else of the first object in it that has some."""
    own: list[Keys] = [(key,) for key, one in entry.items() if wanted(key) and isinstance(one, str | int)]
    if own:
        return own
    for name in _INSIDE:
        if isinstance(entry.get(name), dict) and (inner := _levels(entry[name], wanted)):
            return [(name, *path) for path in inner]
    return []


def _leaves(entry: Record) -> Iterator[Keys]:
    for key, value in entry.items():
        if isinstance(value, dict):
            yield from ((key, *path) for path in _leaves(value))
        else:
            yield (key,)


def _numbers_in(entry: Record, path: Keys, spec: ColumnSpec, where: Callable[[], str]) -> dict[str, Keys]:
    """Where an entry has its grade, or its score and its rank."""
    found = dict[str, Keys]()
    for role in ("grade",) if spec.what == "labels" else ("score", "rank"):
        if role in spec.absent or role not in spec.columns:
            continue
        named = spec.caller_columns.get(role)
        if named is not None:
            inside = _named_in(named, path, entry)
            if inside is None:
                shell, allowed = (
                    f"Name one: {in_shell(role, dotted((*path, 'KEY')))}",
                    ", ".join(map(dotted, _leaves(entry))),
                )
                wrong = f"an entry of '{dotted(path)}' has no '{named}'"
                do = f"Name one: {role}='{dotted((*path, 'KEY'))}'"
                raise InputError(wrong, where=where(), allowed=f"It has: {allowed:.300}", do=do, shell=shell)
            found[role] = inside
            continue
        names = list(map(plain, _NUMBERS[role]))
        usual = _level_of_number(entry, set(names))
        if role == "grade" and len(usual) > 1:
            usual = [one for one in usual if plain(one[-1]) != "score"]
        if len(usual) > 1:
            raise _name_one([dotted((*path, *one)) for one in usual], role, spec, where(), f"could each be the {role}")
        if usual:
            found[role] = usual[0]
    return found


def _named_in(name: str, path: Keys, entry: Record) -> Keys | None:
    for keys in ((name,), tuple(name.split(".")), tuple(name.removeprefix(f"{dotted(path)}.").split("."))):
        if _at(entry, keys) is not _NOTHING:
            return keys
    return None


def _level_of_number(entry: Record, names: set[str]) -> list[Keys]:
    own: list[Keys] = [(key,) for key, one in entry.items() if plain(key) in names and _is_number(one)]
    if own:
        return own
    for name in _INSIDE:
        if isinstance(entry.get(name), dict) and (inner := _level_of_number(entry[name], names)):
            return [(name, *path) for path in inner]
    return []


def _numbers_next_to(record: Record, path: Keys, entries: Any, spec: ColumnSpec) -> dict[str, Keys]:
    """The list of numbers next to the items, as long as theirs."""
    found = dict[str, Keys]()
    above = _at(record, path[:-1])
    for role in ("grade",) if spec.what == "labels" else ("score", "rank"):
        if role in spec.absent or role not in spec.columns:
            continue
        named = spec.caller_columns.get(role)
        if isinstance(named, str) and isinstance(_at(record, tuple(named.split("."))), list):
            found[role] = tuple(named.split("."))
            continue
        lists = [key for key, one in above.items() if key != path[-1] and isinstance(one, list)]
        fitting = [key for key in lists if len(above[key]) == len(entries) and all(map(_is_number, above[key]))]
        usual = [key for key in fitting if _is_number_key(key, role)]
        if len(usual) == 1:
            found[role] = (*path[:-1], usual[0])
    return found


def _is_number_key(key: str, role: str) -> bool:
    """Whether a list next to the items has their numbers: `scores`, `retrieved_scores`, `gold_grades`."""
    words = _words(key)
    side = {*SHAPES[-1].labels} if role == "grade" else {*SHAPES[-1].run, "retrieve"}
    ends = {"grade": {"grade", "grades", "gain", "gains", "relevances"}, "score": {"score", "scores"}}
    last = ends.get(role, {"rank", "ranks", "positions"})
    return bool(words) and words[-1] in last and {*words[:-1]} <= side | _LISTS
