"""Records in Python as JSON has them: a dict for each query with its lists, columns of such, or entries by query."""

from collections.abc import Mapping
from typing import Any

from rankconv.data.inputs.input_rows import ColumnSpec, InputReader, RawRows
from rankconv.data.inputs.python import with_article
from rankconv.data.inputs.usual_names import name_columns

_MOST_COLUMNS = 50
"""A dict of more lists has users, and not columns."""


def takes(data: Any) -> bool:
    """Whether this may be records: what users own is otherwise items, pairs, or numbers by item."""
    if type(data) is list:
        first: Any = data[0] if data else None
        if isinstance(first, dict) and not name_columns(first):
            return any(isinstance(value, list | dict | str) for value in first.values())
        lists: Any = data
    else:
        lists = data.values() if type(data) is dict else ()
    first = next((one for one in lists if not isinstance(one, list) or one), None)
    return isinstance(first, list) and (isinstance(first[0], dict) or _names_queries(data))


def _names_queries(data: Any) -> bool:
    """Whether the columns of a dict are lists, and one has the queries."""
    if not isinstance(data, Mapping) or len(data) > _MOST_COLUMNS or name_columns(data):
        return False
    from rankconv.data.inputs.record_shapes import names_query

    texts = all(isinstance(key, str) and isinstance(one, list) for key, one in data.items())
    return texts and any(names_query(key, one[0]) for key, one in data.items() if one)


def read(data: Any, spec: ColumnSpec) -> RawRows:
    """Read records; what is none, as other lists and dicts are read."""
    from rankconv.data.inputs.json_files import read_object

    return read_object(data, spec, with_article(data))


RECORDS = InputReader("records of queries, as JSON has them", takes, read, has_columns=True)
