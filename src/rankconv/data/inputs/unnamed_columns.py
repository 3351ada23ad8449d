"""Columns of a file whose first line does not name them: by their place, by what is in them, or as the caller says."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from rankconv.basics.errors import InputError
from rankconv.data.inputs.columns import LOOKED_AT, NEEDED, is_number, of_this_side
from rankconv.data.inputs.input_rows import ColumnSpec
from rankconv.data.inputs.usual_names import USUAL_NAMES, has_usual_name, plain

_WORDS = 3
"""Shorter names are ids as often, in a line that may be a header or the first row."""


def is_header(fields: Sequence[str], spec: ColumnSpec) -> bool:
    """Whether these name columns: a name that the caller gave, two usual names, or no number among them.

    Columns that the caller names by place are no names, also where a field is such a number.
    """
    named = spec.caller_columns.values()
    if any(name in fields for name in named if not name.isdigit()):
        return True
    usual = [name for name in fields if len(plain(name)) >= _WORDS and has_usual_name(USUAL_NAMES, name)]
    by_number = bool(named) and all(name.isdigit() for name in named)
    return len(usual) > 1 or (not by_number and not any(map(is_number, fields)))


def of_places(columns: Sequence[str], spec: ColumnSpec) -> ColumnSpec:
    """The columns that the caller names by place, by the names that the first line gives them."""
    known = set(columns)
    names = {str(place): name for place, name in enumerate(columns, 1) if str(place) not in known}
    given: dict[str, Any] = spec.caller_columns  # several names are one id
    named = {
        role: names.get(one, one) if isinstance(one, str) else [names.get(part, part) for part in one]
        for role, one in given.items()
    }
    return replace(spec, columns={**spec.columns, **named})


def by_place(
    columns: Sequence[str], spec: ColumnSpec, where: str, rows: Callable[[], Iterable[Sequence[str]]]
) -> ColumnSpec:
    """Without names: the user, the item and the number, unless the caller says which column is which.

    Four columns of which the second is the same in all `rows` are those of qrels, and a third that counts the rows of
    each user is the rank.
    """
    if spec.caller_columns:
        return spec
    roles: tuple[str, ...] = ("user", "item", spec.number, *(("time",) if "time" in spec.columns else ()))
    if len(columns) == len(_QRELS) and roles == ("user", "item", "grade") and _are_qrels(rows()):
        roles = _QRELS
    elif len(columns) == len(roles) and roles[-1] == "score" and _count_rows(rows()):
        roles = _RANKED
    if spec.what == "rankings" and len(columns) == len(_TOP) and _have_texts(rows()):
        roles = _TOP
    if not 2 <= len(columns) <= len(roles):
        places = ((role, str(place)) for role, place in zip((*NEEDED, spec.number), (1, 2, len(columns)), strict=True))
        raise InputError(
            f"the first line names no columns, and there are {len(columns)}",
            where=where,
            allowed="Without names, a file has a user, an item and, if any, a number in each line",
            do="Name the columns in the first line, or say their places: user='1', item='2', "
            f"{spec.number}='{len(columns)}'",
            shell="Name the columns in the first line, or say their places: "
            + " ".join(of_this_side(role, place, spec) for role, place in places),
        )
    places_of = {role: at for role, at in zip(roles, columns, strict=False) if role in spec.columns}
    return replace(spec, columns={**spec.columns, **{r: at for r, at in places_of.items() if r not in spec.absent}})


_QRELS = ("user", "iteration", "item", "grade")
_TOP = ("user", "item", "query", "passage")
"""The candidates of MS MARCO (top1000): ids, and the texts of both."""
_TRIED = 100_000
"""Rows of a file without names that tell what its columns are."""


def _are_qrels(rows: Iterable[Sequence[str]]) -> bool:
    """Whether there are several rows of four fields, of which the second is always the same, as the iteration is."""
    fields = [row for row in islice(rows, _TRIED) if row]
    return len(fields) > 1 and all(len(row) == len(_QRELS) for row in fields) and len({row[1] for row in fields}) == 1


def _have_texts(rows: Iterable[Sequence[str]]) -> bool:
    """Whether the last two of four fields are texts, of which some have blanks, and the first two are ids."""
    fields = [row for row in islice(rows, LOOKED_AT) if row]
    ids = all(len(row) == len(_TOP) and not any(len(one.split()) > 1 for one in row[:2]) for row in fields)
    return ids and all(any(len(row[at].split()) > 1 for row in fields) for at in (2, 3))


def _count_rows(rows: Iterable[Sequence[str]]) -> bool:
    """Whether the third field counts the rows of each user, 1, 2, …, and some user has two."""
    counts = dict[str, int]()
    for row in islice(rows, _TRIED):
        if row:
            counts[row[0]] = counts.get(row[0], 0) + 1
            if len(row) != len(_RANKED) or row[2].strip() != str(counts[row[0]]):
                return False
    return max(counts.values(), default=0) > 1


_RANKED = ("user", "item", "rank")
RANKS_BY_PLACE = (
    "the third column counts the rows of each user, and is the rank; if it is the score, name it: "
    "columns={'run.user': '1', 'run.item': '2', 'run.score': '3'}, or "
    "--column run.user=1 --column run.item=2 --column run.score=3"
)
