"""The documents that chunks are parts of, or the products of variants: read from a table or from the ids."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rankconv.data.arrays import Codes, FrozenArrays, Mask
from rankconv.data.ids import Ids, encode, quoted
from rankconv.errors import InputError

EXAMPLE = "parents={'doc1#0': 'doc1'}"


@dataclass(frozen=True, eq=False)
class Parents(FrozenArrays):
    """The document of each chunk: the part of its id before a separator, or what a table says."""

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
        named = [self.table.get(item, item) for item in items.values.tolist()]
        if self.separator:
            named = [item.partition(self.separator)[0] for item in self._texts(items)]
        code, ids = encode(named, "item")
        if "none" not in (ids.kind, items.kind) and ids.kind != items.kind:
            wrong = f"documents are {ids.kind} ({ids.examples()}), and items are {items.kind} ({items.examples()})"
            raise InputError(wrong, where=self.source, do="Convert them, so that all have the same type.")
        return code, ids

    def are_chunks(self, items: Ids) -> Mask:
        """Which items are chunks, shape (items,): those with the separator, or with a row in the table."""
        if self.separator:
            return np.array([self.separator in item for item in self._texts(items)], bool)
        return np.array([item in self.table for item in items.values.tolist()], bool)

    def _texts(self, items: Ids) -> list[str]:
        """The ids; an InputError for one in which the separator does not show the document."""
        do = f"Name the document of each item, such as {EXAMPLE}; or a separator that documents do not have."
        if items.kind not in ("text", "none"):
            wrong = f"item ids are {items.kind} ({items.examples()}), and have no separator '{self.separator}'"
            raise InputError(wrong, where="parents=", do=do)
        texts: list[str] = items.values.tolist()
        for item in texts:
            head, found, tail = item.partition(self.separator)
            if found and (not head or self.separator in tail):
                readings = [head, item.rpartition(self.separator)[0]]
                wrong = f"the document of {quoted(item)} may be {' or '.join(map(quoted, readings))}"
                raise InputError(wrong, where=f"parents='{self.separator}'", do=do)
        return texts

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
        if len(items) and not self.are_chunks(items).any():
            wrong = f"no item is a chunk of a document (parents={self.separator or self.source})"
            do = f"Give the separator of the ids, such as '#', or the document of each item, such as {EXAMPLE}."
            raise InputError(wrong, allowed=f"Items are {items.examples()}", do=do)
