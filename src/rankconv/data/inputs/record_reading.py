"""Records become lists of ids and numbers, one entry for each item, which are read as the columns of a table.

An entry is an id, an object with an id, a pair of one and a number, or a group of ids. The first record that has an
entry decides how all are read.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise
from numbers import Integral
from typing import Any, Literal

from rankconv.basics.errors import InputError
from rankconv.data.attributes import Form
from rankconv.data.inputs.columns import in_shell, several_calls
from rankconv.data.inputs.input_rows import NONE, ColumnSpec, RowPlace
from rankconv.data.inputs.record_shapes import (
    LIST_WORDS,
    NOTHING,
    SHAPES,
    SIDE_OF,
    Keys,
    are_scalars,
    dotted,
    is_id_key,
    is_number,
    is_pair,
    is_table,
    list_of_side,
    name_one,
    named_list,
    user_keys,
    value_at,
    words_of,
)
from rankconv.data.inputs.row_batches import Record
from rankconv.data.inputs.span_columns import places_of
from rankconv.data.inputs.usual_names import USUAL_NAMES, plain

EntryForm = Literal["ids", "objects", "pairs", "groups", "mapping", "calls"]
_INSIDE = ("node", "document", "doc", "item", "passage", "chunk", "kwargs", "metadata", "meta", "payload", "fields")
"""Keys of an entry whose object may hold its id: of nodes of LlamaIndex, documents of LangChain, points of Qdrant."""
_ENTRY_IDS = frozenset(map(plain, (*USUAL_NAMES["item"], "id", "node_id", "uuid", "key")))
_LAST_IDS = ("source",)
"""What names an entry that has no id, as LangChain's loaders write it."""
_OF_ENTRIES: dict[str, dict[str, tuple[str, ...]]] = {
    "nuggets": {"item": ("text",), "grade": ("importance",), "score": ("assignment", "support")}
}
"""What entries of a list of this name have in place of an id, a grade and a score; the last two may be words."""
_NUMBERS = {
    "grade": (*USUAL_NAMES["grade"], "gain", "score"),
    "score": USUAL_NAMES["score"],
    "rank": USUAL_NAMES["rank"],
}
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
    places: Mapping[str, Keys] = field(default_factory=dict)
    """Where a span of a document begins and ends, in an entry, by role."""
    number: str = ""
    """The role of the number of a pair or a mapping."""
    in_order: bool = False
    """Whether scores that contradict the order of a list are refused."""
    spec: ColumnSpec = field(default=ColumnSpec("rankings", {}), compare=False, repr=False)
    """What the caller wants, and names."""
    assumed: str = ""
    of_call: "Reading | None" = None
    """How the list of one call is read, where the entries are those of several searches."""
    empty_calls: list[tuple[Any, int]] = field(default_factory=list, compare=False, repr=False)
    """User and call of each call that gave no row, so far."""

    def columns(self) -> dict[str, str]:
        """The name of what each role is read from."""
        named = {"user": dotted(self.user or ("place of the record",)), "item": dotted((*self.items, *self.item))}
        named |= {role: dotted((*self.items, *path)) for role, path in {**self.places, **self.inside}.items()}
        named |= {role: dotted(path) for role, path in self.next_to.items()}
        if self.number:
            named[self.number] = f"{dotted(self.items)} ({self.number})"
        if self.form == "groups":
            named["group"] = f"{dotted(self.items)} (group)"
        if self.of_call is not None:
            named |= {role: name for role, name in self.of_call.columns().items() if role != "user"}
            named["call"] = f"{dotted(self.items)} (call)"
        return named

    def lists(self, record: Record, at: int, where: str) -> Record:
        """The lists of the record of this number; an InputError where it has another form than the first."""
        names, entries = self.columns(), value_at(record, self.items)
        if entries is NOTHING:
            raise InputError(f"there is no '{dotted(self.items)}'", where=where, do="Give every record the same keys")
        entries = [] if entries is None else entries
        user = at if self.user is None else value_at(record, self.user)
        if user is NOTHING or user is None:
            raise InputError(f"there is no '{names['user']}'", where=where, do="Give every record the same keys")
        found = {"user": user, **(self._entries if self.of_call is None else self._calls)(entries, lambda: where)}
        if self.form == "calls":
            self.empty_calls.extend((user, call) for call, one in enumerate(entries, 1) if one in ([], {}))
        for role, path in self.next_to.items():
            found[role] = value_at(record, path) if entries else []
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
        if not isinstance(scores, list) or not all(map(is_number, scores)):
            return
        for at, (before, after) in enumerate(pairwise(scores), 1):
            if after > before:
                names = self.columns()
                name = dotted(self.items) if self.number else names["score"]
                raise InputError(
                    f"entry {at} of '{dotted(self.items)}' has the score {after}, and the one before it {before}",
                    where=where,
                    allowed="The order of the list, and the scores if high is best, are two rankings",
                    do=f"Pass {self.spec.as_argument('score', NONE)} if the order is right, "
                    f"{self.spec.as_argument('score', name)} if the scores are",
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
                if not is_pair(pair):
                    wrong = f"{pair!r:.60} is no pair of an item and a number, as the first entry is"
                    raise InputError(wrong, where=f"{where()}, entry {at}", do="Write all entries in one form")
            ids = [self._of_entry(pair[0], self.item, at, where) for at, pair in enumerate(entries)]
            return {"item": ids, **({self.number: [pair[1] for pair in entries]} if self.number else {})}
        paths = {"item": self.item, **self.places, **self.inside}
        return {
            role: [self._of_entry(entry, path, at, where) for at, entry in enumerate(entries)]
            for role, path in paths.items()
        }

    def _calls(self, entries: Any, where: Callable[[], str]) -> dict[str, list[Any]]:
        """The entries of all calls, with the number of the call of each, from 1 on."""
        assert self.of_call is not None
        found: dict[str, list[Any]] = {role: [] for role in self.columns() if role != "user"}
        if not isinstance(entries, list):
            wrong = f"'{dotted(self.items)}' is {entries!r:.60}, and in the first record it is a list of lists"
            raise InputError(wrong, where=where(), do="Write all records in one form")
        for call, one in enumerate(entries, 1):
            here = f"{where()}, call {call}"
            if not isinstance(one, list):
                raise InputError(f"{one!r:.60} is not a list", where=here, do="Write a list of ids for each search")
            listed = self.of_call._entries(one, lambda here=here: here)  # type: ignore[misc]
            if self.of_call.in_order:
                self.of_call._check_order(listed.get("score"), here)
            for role, values in {**listed, "call": [call] * len(listed["item"])}.items():
                found[role].extend(values)
        return found

    def _of_entry(self, entry: Any, path: Keys, at: int, where: Callable[[], str]) -> Any:
        value = value_at(entry, path) if path else entry
        if value is NOTHING or value is None:
            wrong = f"there is no '{dotted(path)}' in {entry!r:.80}"
            raise InputError(wrong, where=f"{where()}, '{dotted(self.items)}', entry {at}", do="Give every entry one")
        return value


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
        if reading is None or value_at(record, reading.items):
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
        if isinstance(value_at(record, reading.items), list):
            if lists[user] in known:
                wrong = f"the query {lists[user]!r:.80} is there twice"
                raise InputError(wrong, where=place(number), do="Keep one of its records, or put all of it into one")
            known.add(lists[user])
        yield number, lists


def reading_of(record: Record, spec: ColumnSpec, where: Callable[[], str]) -> Reading | None:
    """Return how a record is read; None where it is a row of a table, or has lists under usual names of columns.

    InputError where keys can be read in two ways.
    """
    caller = spec.caller_columns
    named = named_list(record, caller["item"]) if isinstance(caller.get("item"), str) else None
    inside: Keys | None = None
    if named is None:
        is_row = is_table(record) and not spec.are_lists
        found = None if "item" in caller or is_row else list_of_side(record, spec, where)
        if found is None:
            return None
        path = found
    else:
        path, inside = named
        are_columns = path == (caller["item"],) and "user" in caller and not spec.are_lists
        if inside == () and are_scalars(value_at(record, path)) and are_columns:
            return None
    user = _user_of(record, spec, where)
    return _of_entries(record, user, path, inside, spec, where)


def _user_of(record: Record, spec: ColumnSpec, where: Callable[[], str]) -> Keys | None:
    named = spec.caller_columns.get("user")
    if isinstance(named, str):
        path = (named,) if named in record else tuple(named.split("."))
        if value_at(record, path) is NOTHING:
            do = f"Name one of them: {spec.as_argument('user', 'KEY')}"
            shell = f"Name one of them: {in_shell(f'{SIDE_OF[spec.what]}.user', 'KEY')}"
            allowed = f"The keys are: {', '.join(record)}"
            raise InputError(f"there is no key '{named}'", where=where(), allowed=allowed, do=do, shell=shell)
        return path
    keys = user_keys(record)
    if len(keys) > 1:
        raise name_one([dotted(path) for path in keys], "user", spec, where(), "could each be the query")
    return keys[0] if keys else None


# what the entries of a list are


def _of_entries(
    record: Record,
    user: Keys | None,
    path: Keys,
    inside: Keys | None,
    spec: ColumnSpec,
    where: Callable[[], str],
    listed: Any = None,
) -> Reading:
    """How these entries are read; `listed` are those of one call, where there are several."""
    entries = value_at(record, path) if listed is None else listed
    number = "" if spec.number in spec.absent or spec.number not in spec.columns else spec.number
    in_order = spec.what == "rankings" and "score" not in spec.caller_columns and not _of_entries_of(path, "score")
    reading = Reading(user, path, "ids", in_order=in_order, spec=spec, assumed="" if user else IN_TURN)
    next_to = {} if entries in ([], {}) else _numbers_next_to(record, path, entries, spec)
    if isinstance(entries, dict):
        return replace(reading, form="mapping", number=number)
    first = entries[0] if isinstance(entries, list) and entries else None
    if first is not None and is_pair(first):
        item = inside or (_id_of(first[0], path, spec, where) if isinstance(first[0], dict) else ())
        return replace(reading, form="pairs", item=item, number=number)
    if isinstance(first, list) and "call" in spec.columns:
        _refuse_two_integers(entries, path, where)
        lists = [one for one in entries if one]
        of_call = _of_entries(record, user, path, inside, spec, where, lists[0] if lists else [])
        return replace(reading, form="calls", of_call=of_call, in_order=False, assumed=of_call.assumed)
    if isinstance(first, list):
        if spec.what == "rankings":
            raise several_calls(f"the entries of '{dotted(path)}' are lists").at(where())
        if any(is_number(one) for one in first):
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
            and any(is_number(value_at(first, one)) for one in _leaves(first))
        ):
            assumed = "; ".join(filter(None, (assumed, NO_GRADES)))
        if inner.get("grade") and plain(inner["grade"][-1]) == "score":
            assumed = "; ".join(filter(None, (assumed, SCORES_AS_GRADES.format(dotted(path)))))
        places = _places_in(first, item, path, where)
        return replace(
            reading, form="objects", item=item, places=places, inside=inner, next_to=next_to, assumed=assumed
        )
    texts = [one for one in (entries if isinstance(entries, list) else []) if isinstance(one, str)]
    if any(len(text.split()) > 1 for text in texts) and not is_id_key(path[-1]):
        said = TEXTS_AS_IDS.format(dotted(path))
        reading = replace(reading, assumed="; ".join(filter(None, (reading.assumed, said))))
    return replace(reading, next_to=next_to)


def _refuse_two_integers(entries: list[Any], path: Keys, where: Callable[[], str]) -> None:
    """An InputError where the entries may be pairs of an item and a score, or lists of two items that searches gave."""
    if all(isinstance(one, list) and list(map(type, one)) == [int, int] for one in entries):
        wrong = f"the entries of '{dotted(path)}' may be pairs of an item and a score, or the lists of searches"
        allowed = "In a list of pairs a ranking has one item at each rank"
        do = "Write scores as fractions (2.0), or ids of items as texts"
        raise InputError(wrong, where=where(), allowed=allowed, do=do)


def _id_of(entry: Record, path: Keys, spec: ColumnSpec, where: Callable[[], str]) -> Keys:
    """Where an entry has its id: in itself, else in an object in it."""
    usual: KeyTest = lambda key, value: plain(key) in _ENTRY_IDS and isinstance(value, str | Integral)
    last_ids = (*_LAST_IDS, *_of_entries_of(path, "item"))
    last: KeyTest = lambda key, value: key in last_ids and isinstance(value, str | Integral)
    found = _levels(entry, usual) or _levels(entry, last)
    if len(found) == 1:
        return found[0]
    names = [dotted((*path, *one)) for one in found]
    if found:
        raise name_one(names, "item", spec, where(), "could each be the item")
    keys = ", ".join(dotted(one) for one in _leaves(entry))
    example = dotted((*path, *next(_leaves(entry), ("KEY",))))
    raise InputError(
        f"no key of an entry of '{dotted(path)}' is the usual one of an id (id, doc_id, …)",
        where=where(),
        allowed=f"The keys are: {keys:.300}",
        do=f"Name it, such as {spec.as_argument('item', example)}",
        shell=f"Name it, such as {in_shell(f'{SIDE_OF[spec.what]}.item', example)}",
    )


def _places_in(entry: Record, item: Keys, path: Keys, where: Callable[[], str]) -> dict[str, Keys]:
    """Where an entry that is a span of a document has its places: next to the document."""
    around = value_at(entry, item[:-1])
    if not item or not isinstance(around, dict):
        return {}
    found = places_of(item[-1], around, f"{where()}, '{dotted(path)}'")
    return {role: (*item[:-1], name) for role, name in found.items()}


def _of_entries_of(path: Keys, role: str) -> tuple[str, ...]:
    """What has this role in the entries of such a list, where no key has its usual name."""
    return _OF_ENTRIES.get(plain(path[-1]), {}).get(role, ())


KeyTest = Callable[[str, Any], bool]
"""Whether a key and its value are looked for."""


def _levels(entry: Record, wanted: KeyTest) -> list[Keys]:
    """The wanted keys, of an entry itself, else of the first object in it that has some."""
    own: list[Keys] = [(key,) for key, one in entry.items() if wanted(key, one)]
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
                do = f"Name one: {spec.as_argument(role, dotted((*path, 'KEY')))}"
                raise InputError(wrong, where=where(), allowed=f"It has: {allowed:.300}", do=do, shell=shell)
            found[role] = inside
            continue
        names = set(map(plain, _NUMBERS[role]))
        usual = _levels(entry, lambda key, value, names=names: plain(key) in names and is_number(value))  # type: ignore[misc]
        if role == "grade" and len(usual) > 1:
            usual = [one for one in usual if plain(one[-1]) != "score"]
        usual = usual or [(key,) for key in entry if plain(key) in _of_entries_of(path, role)]
        if len(usual) > 1:
            raise name_one([dotted((*path, *one)) for one in usual], role, spec, where(), f"could each be the {role}")
        if usual:
            found[role] = usual[0]
    return found


def _named_in(name: str, path: Keys, entry: Record) -> Keys | None:
    for keys in ((name,), tuple(name.split(".")), tuple(name.removeprefix(f"{dotted(path)}.").split("."))):
        if value_at(entry, keys) is not NOTHING:
            return keys
    return None


def _numbers_next_to(record: Record, path: Keys, entries: Any, spec: ColumnSpec) -> dict[str, Keys]:
    """The list of numbers next to the items, as long as theirs."""
    found = dict[str, Keys]()
    above = value_at(record, path[:-1])
    for role in ("grade",) if spec.what == "labels" else ("score", "rank"):
        if role in spec.absent or role not in spec.columns:
            continue
        named = spec.caller_columns.get(role)
        if isinstance(named, str) and isinstance(value_at(record, tuple(named.split("."))), list):
            found[role] = tuple(named.split("."))
            continue
        lists = [key for key, one in above.items() if key != path[-1] and isinstance(one, list)]
        fitting = [key for key in lists if len(above[key]) == len(entries) and all(map(is_number, above[key]))]
        usual = [key for key in fitting if _is_number_key(key, role)]
        if len(usual) == 1:
            found[role] = (*path[:-1], usual[0])
    return found


def _is_number_key(key: str, role: str) -> bool:
    """Whether a list next to the items has their numbers: `scores`, `retrieved_scores`, `gold_grades`."""
    words = words_of(key)
    side = {*SHAPES[-1].labels} if role == "grade" else {*SHAPES[-1].run, "retrieve"}
    ends = {"grade": {"grade", "grades", "gain", "gains", "relevances"}, "score": {"score", "scores"}}
    last = ends.get(role, {"rank", "ranks", "positions"})
    return bool(words) and words[-1] in last and {*words[:-1]} <= side | LIST_WORDS
