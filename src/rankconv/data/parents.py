"""The documents that chunks are parts of, or the products of variants: read from a table or from the ids."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rankconv.data.arrays import Codes, FrozenArrays
from rankconv.data.ids import Ids, encode, quoted
from rankconv.errors import InputError

EXAMPLE = "parents={'doc1#0': 'doc1'}"


@dataclass(frozen=True, eq=False)
class Parents(FrozenArrays):
    """The document of each chunk: the part of its id before the last separator, or what a table says."""

    separator: str = ""
    """Empty where a table says it."""
    table: Mapping[Any, Any] = field(default_factory=dict, repr=False)
    source: str = "parents="
    """Where the table came from, for messages."""

    def __post_init__(self) -> None:
        for chunk, document in self.table.items():
            if self.table.get(document, document) != document:
                wrong = f"{quoted(document)} is the document of {quoted(chunk)}, and a chunk of another document itself"
                raise InputError(wrong, where=self.source, do="Name for each chunk its topmost document.")

    def documents(self, items: Ids) -> tuple[Codes, Ids]:
        """The document of each item as a code, shape (items,), and the ids of the documents."""
        listed = items.values.tolist()
        if self.separator:
            if items.kind not in ("text", "none"):
                wrong = f"item ids are {items.kind} ({items.examples()}), and have no separator '{self.separator}'"
                raise InputError(wrong, where="parents=", do=f"Name the document of each item, such as {EXAMPLE}.")
            heads = ((item, item.rpartition(self.separator)) for item in listed)
            named = [head if found and head else item for item, (head, found, _) in heads]
        else:
            named = [self.table.get(item, item) for item in listed]
        code, ids = encode(named, "item")
        if "none" not in (ids.kind, items.kind) and ids.kind != items.kind:
            wrong = f"documents are {ids.kind} ({ids.examples()}), and items are {items.kind} ({items.examples()})"
            raise InputError(wrong, where=self.source, do="Convert them, so that all have the same type.")
        return code, ids

    def check_named(self, items: Ids) -> None:
        """An InputError for an item that the table names neither as a chunk nor as a document."""
        known = {*self.table, *self.table.values()}
        unnamed = None if self.separator else next((one for one in items.values.tolist() if one not in known), None)
        if unnamed is not None:
            name = quoted(unnamed)
            wrong, do = f"item {name} is neither a chunk nor a document there", f"Name its document, or itself: {name}."
            raise InputError(wrong, where=self.source, do=do)

    def check(self, items: Ids) -> None:
        """An InputError where no item is a chunk, which is what a wrong separator or table looks like."""
        code, ids = self.documents(items)
        if len(items) and (ids.values[code] == items.values).all():
            wrong = f"no item is a chunk of a document (parents={self.separator or self.source})"
            do = f"Give the separator of the ids, such as '#', or the document of each item, such as {EXAMPLE}."
            raise InputError(wrong, allowed=f"Items are {items.examples()}", do=do)
