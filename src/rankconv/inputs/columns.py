"""Which column of a table is the user, the item, the grade, the score, the rank."""

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from numbers import Real
from typing import Any, Literal

from rankconv.data.form import Form
from rankconv.errors import InputError, nearest
from rankconv.inputs.known_names import GRADES_AND_SCORES, USUAL_NAMES, is_aside, is_usual, plain
from rankconv.inputs.reader import NONE, Wanted

Side = Literal["labels", "run"]
ROLES_OF: dict[Side, tuple[str, ...]] = {
    "labels": ("user", "item", "grade", "group"),
    "run": ("user", "item", "score", "rank"),
}
"""What the columns of each side may be."""
_NEEDED = ("user", "item")
_LISTED, _SHOWN = 20, 10
"""Columns, and usual names, that a message names."""
_BEIR_ITEM = "corpusid"
"""Beside it, BEIR calls the grade of a label its score."""
LOOKED_AT = 1000
"""So many values tell whether those of a column are numbers."""
_GAPS = frozenset({"", "-", "none", "null", "na", "n/a", "nan", "<na>", "\\n"})
"""What stands for no value in texts."""
_WORDS = 3
"""Shorter names are ids as often, in a line that may be a header or the first row."""


def find_columns(columns: Sequence[str], wanted: Wanted, where: str) -> dict[str, str]:
    """The column of each role: the one the caller named, else the one with a usual name.

    What is left over is for `refuse_unread`.
    """
    found = {role: _named(role, name, columns, wanted, where) for role, name in wanted.named.items()}
    _refuse_sharing(found, where)
    _refuse_none(columns, wanted, where)
    free = [column for column in columns if column not in found.values() and column not in wanted.others]
    for role in wanted.columns:
        if role in found or role in wanted.absent:
            continue
        usual = [column for column in free if is_usual(role, column)]
        if role == "grade" and not usual and plain(found.get("item", "")) == _BEIR_ITEM and "score" in free:
            usual = ["score"]
        if usual or role in _NEEDED:
            found[role] = _only(role, usual, free, columns, wanted, where)
    return found


def refuse_unread(
    columns: Sequence[str],
    found: Mapping[str, str],
    wanted: Wanted,
    where: str,
    holds_numbers: Callable[[str], bool],
) -> None:
    """An InputError where there are numbers in a column that nobody recognised, and neither grade, score nor rank.

    `holds_numbers` tells of a column whether its values are numbers; it is asked only where the name does not tell.
    """
    if wanted.number not in {*wanted.columns} - wanted.absent or {wanted.number, "rank"} & found.keys():
        return
    free = [one for one in columns if one not in found.values() and one not in wanted.others and not is_aside(one)]
    told = [column for column in free if has_usual_name(GRADES_AND_SCORES, column)]
    unread = told or [column for column in free if holds_numbers(column)]
    if unread:
        raise _unread(unread, exchanged=bool(told), wanted=wanted, where=where)


def form_of(columns: Sequence[str], found: Mapping[str, str], wanted: Wanted) -> Form:
    """What these columns tell of the table: whether it is of this side, or what is assumed without numbers."""
    return Form(named=not found.get(wanted.number, "1").isdigit(), assumed=_assumed(columns, found, wanted))


def _assumed(columns: Sequence[str], found: Mapping[str, str], wanted: Wanted) -> str:
    """What is assumed without numbers, where the caller did not say so; of users and items alone nothing is said."""
    if any(role in found or role in wanted.absent for role in (wanted.number, "rank")):
        return ""
    if wanted.what == "rankings":
        return "neither scores nor ranks, so the order of the rows is the ranking"
    if not {*columns} - {*found.values()} - {*wanted.others}:
        return ""
    return "no ratings, so each is 1" if wanted.keyword("grade") == "rating" else "no grades, so every row is relevant"


def are_numbers(values: Iterable[Any]) -> bool:
    """Whether these values, gaps aside, are numbers or truth values, or texts or lists of such; the first ones tell."""
    looked_at = list(islice(given(values), LOOKED_AT))
    return bool(looked_at) and all(map(_is_number, looked_at))


def given(values: Iterable[Any]) -> Iterator[Any]:
    """These values, and those in lists among them, without gaps."""
    each = (one for value in values for one in (value if isinstance(value, list | tuple) else (value,)))
    return (one for one in each if not _is_gap(one))


def of_side(named: Mapping[str, Any] | None, side: Side) -> dict[str, Any]:
    """The names of one side's columns, by role: those for it alone, such as `run.item`, else those for both.

    Raises InputError for what is no role of a column.
    """
    given = dict(named or {})
    both = dict.fromkeys(role for roles in ROLES_OF.values() for role in roles)
    known = [*both, *(f"{one}.{role}" for one, roles in ROLES_OF.items() for role in roles)]
    for odd in (name for name in given if name not in known):
        allowed = f"Name {', '.join(both)}; of one side alone: run.item, labels.user, …"
        raise InputError(f"'{odd}' is no role of a column", allowed=allowed, nearest=nearest(odd, known))
    return {role: given.get(f"{side}.{role}", given.get(role)) for role in ROLES_OF[side]}


def has_usual_name(roles: Iterable[str], *columns: str) -> bool:
    """Whether one of these columns is called what one of these roles usually is."""
    return any(is_usual(role, column) for role in roles for column in columns)


def may_be_wanted(column: str, wanted: Wanted) -> bool:
    """Whether a column of this name changes which columns are found."""
    return column in wanted.named.values() or has_usual_name(USUAL_NAMES, column)


def is_header(fields: Sequence[str], wanted: Wanted) -> bool:
    """Whether these name columns: a name that is asked for, two that are usual, or no number among them."""
    if any(name in fields for name in wanted.named.values()):
        return True
    usual = [name for name in fields if len(plain(name)) >= _WORDS and has_usual_name(USUAL_NAMES, name)]
    by_number = [name.isdigit() and int(name) <= len(fields) for name in wanted.named.values()]
    return len(usual) > 1 or (not (by_number and all(by_number)) and not any(map(_is_number, fields)))


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
    places = {role: place for role, place in zip(roles, columns, strict=False) if role not in wanted.absent}
    return replace(wanted, columns={**wanted.columns, **places})


def _is_gap(value: Any) -> bool:
    if isinstance(value, str):
        return value.strip().casefold() in _GAPS
    return value is None or (isinstance(value, float) and value != value)


def _is_number(value: Any) -> bool:
    if not isinstance(value, str):
        return isinstance(value, Real) or hasattr(value, "__float__")
    try:
        float(value)
    except ValueError:
        return value.strip().casefold() in ("true", "false")
    return True


def _named(role: str, name: str, columns: Sequence[str], wanted: Wanted, where: str) -> str:
    if name in columns:
        return name
    raise InputError(
        f"there is no column '{name}', which was named for the {role}",
        where=where,
        allowed=listed(columns),
        nearest=nearest(name, columns),
        do=f"Pass {wanted.keyword(role)}= with the name of one of them",
        shell=f"Name one of them: --column {wanted.keyword(role)}=NAME",
    )


def _unread(unread: Sequence[str], *, exchanged: bool, wanted: Wanted, where: str) -> InputError:
    """The error for numbers that nobody recognised; `exchanged` where their names are those of the other side."""
    role, of_labels = wanted.keyword(wanted.number), wanted.what == "labels"
    ways = [(role, "if it is the " + role)] if of_labels else [(role, "if high is best"), ("rank", "if low is best")]
    without = "if each row is relevant alike" if of_labels else "if the order of the rows is the ranking"
    reader = {"grade": "labels", "rating": "ratings"}.get(role, "rankings")
    first = "Are the labels and the rankings exchanged? If not, pass " if exchanged else "Pass "
    in_python = [f"{name}={unread[0]!r} {why}" for name, why in ways] + [f"{role}={NONE!r} {without}"]
    in_commands = [f"{in_shell(name, unread[0])} {why}" for name, why in ways] + [f"{in_shell(role, NONE)} {without}"]
    names = _few([repr(one) for one in unread])
    seen = "there is" if exchanged else "numbers stand in"
    return InputError(
        f"no column has a usual name of the {role}{'' if of_labels else ' or the rank'}, and {seen} {names}",
        where=where,
        do=f"{first}{', '.join(in_python)}: rc.{reader}(data, {role}=…)",
        shell=f"{first}{', '.join(in_commands)}",
    )


def _only(
    role: str, usual: Sequence[str], free: Sequence[str], columns: Sequence[str], wanted: Wanted, where: str
) -> str:
    if len(usual) == 1:
        return usual[0]
    if not usual:
        raise _missing(role, free, columns, where)
    called = wanted.keyword(role)
    raise InputError(
        f"the columns {' and '.join(repr(column) for column in usual)} could each be the {called}",
        where=where,
        do=f"Name one: {' or '.join(f'{called}={column!r}' for column in usual)}",
        shell=f"Name one: {' or '.join(in_shell(called, column) for column in usual)}",
    )


def _missing(role: str, free: Sequence[str], columns: Sequence[str], where: str) -> InputError:
    names = USUAL_NAMES[role]
    likely = next(filter(None, (nearest(name, free) for name in names)), "")
    return InputError(
        f"no column has a usual name of the {role} ({', '.join(names[:_SHOWN])}, …)",
        where=where,
        allowed=listed(columns),
        nearest=likely,
        do=f"Pass {role}={likely!r}" if likely else f"Name it: {role}=…",
        shell=f"Pass {in_shell(role, likely)}" if likely else f"Name it: --column {role}=NAME",
    )


def _refuse_none(columns: Sequence[str], wanted: Wanted, where: str) -> None:
    if wanted.absent and NONE in columns:
        roles = " and ".join(sorted(wanted.absent))
        wrong = f"a column is called {NONE!r}, and as the {roles} that word says that there is none"
        raise InputError(wrong, where=where, do="Rename the column")


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
    return f"The columns are: {_few(columns)}" if columns else "There are no columns"


def _few(columns: Sequence[str]) -> str:
    more = f" and {len(columns) - _LISTED} more" if len(columns) > _LISTED else ""
    return ", ".join(f"{column:.60}" for column in columns[:_LISTED]) + more
