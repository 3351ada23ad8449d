"""Which column of a table is the user, the item, the grade, the score, the rank."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace

from rankconv.data.form import Form
from rankconv.errors import InputError, nearest
from rankconv.inputs.reader import Wanted

USUAL_NAMES = {
    "user": ("user", "user_id", "userid", "query", "query_id", "qid", "q_id", "query-id", "topic"),
    "item": ("item", "item_id", "itemid", "doc", "doc_id", "docid", "docno", "document", "corpus-id"),
    "group": ("group", "group_id", "subtopic", "subtopic_id", "intent", "aspect"),
    "grade": ("grade", "rel", "relevance", "label", "rating", "target", "judgment"),
    "score": ("score", "prediction", "pred", "sim", "similarity"),
    "rank": ("rank", "position"),
    "time": ("time", "timestamp", "datetime", "date"),
}
"""What each column is usually called; small and capital letters are the same."""

_NEEDED = ("user", "item")
_LISTED = 20
"""Columns that a message names."""
_BEIR_ITEM = "corpus-id"
"""Beside it, BEIR calls the grade of a label its score."""


def find_columns(columns: Sequence[str], wanted: Wanted, where: str) -> dict[str, str]:
    """The column of each role: the one the caller named, else the one with a usual name."""
    found = {role: _named(role, name, columns, where) for role, name in wanted.named.items()}
    _refuse_sharing(found, where)
    free = [column for column in columns if column not in found.values()]
    for role in wanted.columns:
        usual = [column for column in free if _is_usual(role, column)]
        if role == "grade" and not usual and found.get("item") == _BEIR_ITEM and "score" in free:
            usual = ["score"]
        if role == "grade" and role not in found and not usual:
            _refuse_scores_for_grades(free, where)
        if role in found or not (usual or role in _NEEDED):
            continue
        found[role] = _only(role, usual, columns, where)
    return found


def form_of(columns: Sequence[str], found: Mapping[str, str], wanted: Wanted) -> Form:
    """What these columns tell of the table: that it may be the other side's, where it has none of its own numbers."""
    of_labels, of_rankings = ("grade",), ("score", "rank")
    own, others = (of_labels, of_rankings) if wanted.what == "labels" else (of_rankings, of_labels)
    free = [column for column in columns if column not in found.values() and not any(role in found for role in own)]
    return Form(foreign=next((column for column in free if any(_is_usual(role, column) for role in others)), ""))


def has_usual_name(role: str, columns: Sequence[str]) -> bool:
    """Whether one of these columns is called what this role usually is."""
    return any(_is_usual(role, column) for column in columns)


def may_be_wanted(column: str, wanted: Wanted) -> bool:
    """Whether a column of this name changes which columns are found."""
    return column in wanted.named.values() or any(_is_usual(role, column) for role in USUAL_NAMES)


def is_header(fields: Sequence[str], wanted: Wanted) -> bool:
    """Whether these name columns: a name that is asked for or usual, or no number among them."""
    if any(name in fields for name in wanted.named.values()) or any(has_usual_name(r, fields) for r in USUAL_NAMES):
        return True
    by_number = [name.isdigit() and int(name) <= len(fields) for name in wanted.named.values()]
    return not (by_number and all(by_number)) and not any(map(_is_number, fields))


def by_place(columns: Sequence[str], wanted: Wanted, where: str) -> Wanted:
    """Without names: the user, the item and the number, unless the caller says which column is which."""
    if wanted.named:
        return wanted
    roles = ("user", "item", wanted.number, *(("time",) if "time" in wanted.columns else ()))
    if not 2 <= len(columns) <= len(roles):
        raise InputError(
            f"the first line names no columns, and there are {len(columns)}",
            where=where,
            allowed="Without names, a file has a user, an item and, if any, a number in each line",
            do="Name the columns in the first line, or say their places: user='1', item='2'",
            shell="Name the columns in the first line, or say their places: --column user=1 --column item=2",
        )
    return replace(wanted, columns={**wanted.columns, **dict(zip(roles, columns, strict=False))})


def _is_usual(role: str, column: str) -> bool:
    return column.strip().casefold() in USUAL_NAMES[role]


def _is_number(field: str) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def _named(role: str, name: str, columns: Sequence[str], where: str) -> str:
    if name in columns:
        return name
    raise InputError(
        f"there is no column '{name}', which was named for the {role}",
        where=where,
        allowed=listed(columns),
        nearest=nearest(name, columns),
        do=f"Pass {role}= with the name of one of them",
        shell=f"Name one of them: --column {role}=NAME",
    )


def _refuse_scores_for_grades(columns: Sequence[str], where: str) -> None:
    """Labels without grades all get grade 1, which a column of numbers beside them makes doubtful."""
    for column in columns:
        if _is_usual("score", column):
            raise InputError(
                f"the labels have no grades, and a column '{column}'",
                where=where,
                do=f"Are the labels and the rankings exchanged? If not, pass grade='{column}' if these are the grades, "
                "and leave the column out if every row has grade 1",
                shell="Are the labels and the rankings exchanged? If not, pass "
                f"{in_shell('grade', column)} if these are the grades, "
                "and leave the column out if every row has grade 1",
            )


def _only(role: str, usual: Sequence[str], columns: Sequence[str], where: str) -> str:
    if len(usual) == 1:
        return usual[0]
    if not usual:
        raise _missing(role, columns, where)
    raise InputError(
        f"the columns {' and '.join(repr(column) for column in usual)} could each be the {role}",
        where=where,
        do=f"Name one: {' or '.join(f'{role}={column!r}' for column in usual)}",
        shell=f"Name one: {' or '.join(in_shell(role, column) for column in usual)}",
    )


def _missing(role: str, columns: Sequence[str], where: str) -> InputError:
    likely = next(filter(None, (nearest(name, columns) for name in USUAL_NAMES[role])), "")
    return InputError(
        f"no column has a usual name of the {role} ({', '.join(USUAL_NAMES[role])})",
        where=where,
        allowed=listed(columns),
        nearest=likely,
        do=f"Pass {role}={likely!r}" if likely else f"Name it: {role}=…",
        shell=f"Pass {in_shell(role, likely)}" if likely else f"Name it: --column {role}=NAME",
    )


def _refuse_sharing(found: dict[str, str], where: str) -> None:
    for column in found.values():
        roles = [role for role in found if found[role] == column]
        if len(roles) > 1:
            raise InputError(f"the column '{column}' is named for {' and '.join(roles)} at once", where=where)


def in_shell(role: str, column: str) -> str:
    """How a command names a column."""
    return f"--column {shlex.quote(f'{role}={column}')}"


def listed(columns: Sequence[str]) -> str:
    """The columns there are, for messages."""
    more = f" and {len(columns) - _LISTED} more" if len(columns) > _LISTED else ""
    listed = ", ".join(f"{column:.60}" for column in columns[:_LISTED])
    return f"The columns are: {listed}{more}" if columns else "There are no columns"
