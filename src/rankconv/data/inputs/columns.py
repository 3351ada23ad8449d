"""Which column of a table is the user, the item, the grade, the score, the rank; ids may have several columns.

A column is found by the name that the caller gave, else by a usual name. Ids of several columns are tuples of parts.
"""

import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from numbers import Real
from typing import Any, Literal

from rankconv.basics.errors import InputError, nearest
from rankconv.data.attributes import Form
from rankconv.data.inputs.input_rows import NONE, ColumnSpec, base, shown_columns
from rankconv.data.inputs.span_columns import END, START, are_places, places_of
from rankconv.data.inputs.usual_names import GRADES_AND_SCORES, USUAL_NAMES, has_usual_name, is_aside, is_usual, plain

Side = Literal["labels", "run"]
ROLES_OF: dict[Side, tuple[str, ...]] = {
    "labels": ("user", "item", "grade", "group"),
    "run": ("user", "item", "score", "rank", "call"),
}
"""What the columns of each side may be."""
NEEDED = ("user", "item")
_LISTED, _SHOWN = 20, 10
"""Columns, and usual names, that a message names."""
_OF_ITEM: dict[str, dict[str, tuple[str, ...]]] = {
    "corpusid": {"grade": ("score",)},
    "nugget": {"grade": ("importance",), "score": ("assignment", "support")},
    "nuggetid": {"grade": ("importance",), "score": ("assignment", "support")},
}
"""What numbers of an item are called next to the name of its column: BEIR's grades, and the words of nuggets."""
LOOKED_AT = 1000
"""Values that decide whether those of a column are numbers."""
_GAPS = frozenset({"", "-", "none", "null", "na", "n/a", "nan", "<na>", "\\n"})
"""Texts that mean no value."""
COMPOUND_ROLES = ("user", "item")
"""Roles whose ids may have several parts."""


def find_columns(columns: Sequence[str], spec: ColumnSpec, where: str) -> dict[str, str]:
    """Return the column of each role: the one the caller named, else the one with a usual name.

    The other columns are for `refuse_unread`.
    """
    found = {role: _column_named(role, name, columns, spec, where) for role, name in spec.caller_columns.items()}
    _refuse_sharing(found, where)
    _refuse_none(columns, spec, where)
    if spec.what == "rankings" and "call" not in spec.columns:
        for name in (one for one in columns if is_usual("call", one) and one not in found.values()):
            raise several_calls(f"the column '{name}' numbers the searches for a task").at(where)
    free = [column for column in columns if column not in found.values() and column not in spec.others]
    for role in spec.columns:
        if role in found or role in spec.absent:
            continue
        usual = _ids_before_texts([column for column in free if is_usual(role, column)])
        if not usual and role not in NEEDED:
            names = _OF_ITEM.get(plain(found.get("item", "")), {}).get(role, ())
            usual = [column for column in free if plain(column) in names]
        if usual or role in NEEDED:
            found[role] = _only(role, usual, free, columns, spec, where)
    return found


def several_calls(wrong: str) -> InputError:
    """Return the error for calls where runs are read in which a user has one list."""
    do = "Leave {} out, or write one list for each user"
    return InputError(
        f"{wrong}, and runs in batches have one list for each user",
        do=do.format("memory="),
        shell=do.format("--memory"),
    )


def refuse_repeated_names(columns: Iterable[str], where: str) -> None:
    """Refuse columns of one name, of which nobody knows which is meant."""
    for name, times in Counter(columns).items():
        if times > 1:
            raise InputError(f"{times} columns are called '{name}'", where=where, do="Rename all but one")


def refuse_unread(
    columns: Sequence[str],
    found: Mapping[str, str],
    spec: ColumnSpec,
    where: str,
    holds_numbers: Callable[[str], bool],
) -> None:
    """Raise InputError where an unrecognised column has numbers, and there is neither grade, score nor rank.

    `holds_numbers` decides whether the values of a column are numbers; it is called only where the name is unclear.
    """
    if spec.number not in {*spec.columns} - spec.absent or {spec.number, "rank"} & found.keys():
        return
    free = [one for one in columns if one not in found.values() and one not in spec.others and not is_aside(one)]
    usual = [column for column in free if has_usual_name(GRADES_AND_SCORES, column)]
    unread = usual or [column for column in free if holds_numbers(column)]
    if unread:
        raise _unread(unread, exchanged=bool(usual), spec=spec, where=where)


def form_of(columns: Sequence[str], found: Mapping[str, str], spec: ColumnSpec) -> Form:
    """Return the form of a table of these columns: whether it is of this side, or what is assumed without numbers."""
    named = not found.get(spec.number, "1").isdigit()
    return Form(numbers_named=named, assumed=_assumed(columns, found, spec), are_spans=START in found)


def _assumed(columns: Sequence[str], found: Mapping[str, str], spec: ColumnSpec) -> str:
    """What is assumed without numbers, where the caller did not say so; of users and items alone nothing is said."""
    if any(role in found or role in spec.absent for role in (spec.number, "rank")):
        return ""
    if spec.what == "rankings":
        return "neither scores nor ranks, so the order of the rows is the ranking"
    if not {*columns} - {*found.values()} - {*spec.others}:
        return ""
    return "no ratings, so each is 1" if spec.keyword("grade") == "rating" else "no grades, so every row is relevant"


def are_numbers(values: Iterable[Any]) -> bool:
    """Whether these values, gaps aside, are numbers or truth values, or texts or lists of such; the first decide."""
    looked_at = list(islice(without_gaps(values), LOOKED_AT))
    return bool(looked_at) and all(map(is_number, looked_at))


def without_gaps(values: Iterable[Any]) -> Iterator[Any]:
    """These values, and those in lists among them, without gaps."""
    each = (one for value in values for one in (value if isinstance(value, list | tuple) else (value,)))
    return (one for one in each if not _is_gap(one))


def of_side(named: Mapping[str, Any] | None, side: Side) -> dict[str, Any]:
    """The names of one side's columns, by role: those for it alone, such as `run.item`, else those for both.

    Raises InputError for a name that is not the role of a column.
    """
    given = dict(named or {})
    both = dict.fromkeys(role for roles in ROLES_OF.values() for role in roles)
    known = [*both, *(f"{one}.{role}" for one, roles in ROLES_OF.items() for role in roles)]
    for odd in (name for name in given if name not in known):
        allowed = f"Name {', '.join(both)}; of one side alone: run.item, labels.user, …"
        raise InputError(f"'{odd}' is not the role of a column", allowed=allowed, nearest=nearest(odd, known))
    return {role: given.get(f"{side}.{role}", given.get(role)) for role in ROLES_OF[side]}


def may_be_wanted(column: str, spec: ColumnSpec) -> bool:
    """Whether a column of this name changes which columns are found."""
    return column in (*spec.caller_columns.values(), *spec.others) or has_usual_name(USUAL_NAMES, column)


def _is_gap(value: Any) -> bool:
    if isinstance(value, str):
        return value.strip().casefold() in _GAPS
    return value is None or (isinstance(value, float) and value != value)


def is_number(value: Any) -> bool:
    if not isinstance(value, str):
        return isinstance(value, Real) or hasattr(value, "__float__")
    try:
        float(value)
    except ValueError:
        return value.strip().casefold() in ("true", "false")
    return True


def _column_named(role: str, name: str, columns: Sequence[str], spec: ColumnSpec, where: str) -> str:
    if name in columns:
        return name
    raise InputError(
        f"there is no column '{name}', which was named for the {role}",
        where=where,
        allowed=listed(columns),
        nearest=nearest(name, columns),
        do=f"Pass {spec.keyword(role)}= with the name of one of them",
        shell=f"Name one of them: {of_this_side(role, 'NAME', spec)}",
    )


def _unread(unread: Sequence[str], *, exchanged: bool, spec: ColumnSpec, where: str) -> InputError:
    """The error for numbers in unrecognised columns; `exchanged` where their names are those of the other side."""
    role, of_labels = spec.keyword(spec.number), spec.what == "labels"
    ways = [(role, "if it is the " + role)] if of_labels else [(role, "if high is best"), ("rank", "if low is best")]
    without = "if all rows are equally relevant" if of_labels else "if the order of the rows is the ranking"
    reader = {"grade": "Labels", "rating": "protocols.Ratings"}.get(role, "Run")
    first = "Are the labels and the rankings exchanged? If not, pass " if exchanged else "Pass "
    in_python = [f"{name}={unread[0]!r} {why}" for name, why in ways] + [f"{role}={NONE!r} {without}"]
    in_commands = [f"{in_shell(name, unread[0])} {why}" for name, why in ways] + [f"{in_shell(role, NONE)} {without}"]
    names = _few([repr(one) for one in unread])
    seen = "there is" if exchanged else "there are numbers in"
    return InputError(
        f"no column has a usual name of the {role}{'' if of_labels else ' or the rank'}, and {seen} {names}",
        where=where,
        do=f"{first}{', '.join(in_python)}: rc.{reader}(data, {role}=…)",
        shell=f"{first}{', '.join(in_commands)}",
    )


def _only(
    role: str, usual: Sequence[str], free: Sequence[str], columns: Sequence[str], spec: ColumnSpec, where: str
) -> str:
    if len(usual) == 1:
        return usual[0]
    if not usual:
        raise _missing(role, free, columns, spec, where)
    called = spec.keyword(role)
    raise InputError(
        f"the columns {' and '.join(repr(column) for column in usual)} could each be the {called}",
        where=where,
        do=f"Name one: {' or '.join(f'{called}={column!r}' for column in usual)}",
        shell=f"Name one: {' or '.join(of_this_side(role, column, spec) for column in usual)}",
    )


_TEXT_OF = {"qid": ("query",), "pid": ("passage",), "docno": ("document", "doc"), "docid": ("document", "doc")}
"""Columns of a text, by the name of its id, which `{text}_id` is too."""


def _ids_before_texts(columns: Sequence[str]) -> list[str]:
    """These columns without that of a text whose id is there: `query` next to `qid`."""
    names = [plain(one) for one in columns]
    texts = {text for one in names for text in _TEXT_OF.get(one, ())}
    texts |= {one.removesuffix("id") for one in names if one.endswith("id")}
    return [one for one in columns if plain(one) not in texts]


_WIDE = "; or, of a user in each row, frame.to_numpy() with user_ids=frame.index, item_ids=frame.columns"


def _missing(role: str, free: Sequence[str], columns: Sequence[str], spec: ColumnSpec, where: str) -> InputError:
    names = USUAL_NAMES[role]
    if role == "item" and all(any(is_usual(place, one) for one in columns) for place in ("start", "end")):
        do = "Add a column 'document', also where all are of one document"
        wrong = "there are places of spans, and no column has a usual name of the document"
        return InputError(wrong, where=where, allowed=listed(columns), do=do)
    unclaimed = [column for column in free if not has_usual_name(USUAL_NAMES.keys() - {role}, column)]
    likely = next(filter(None, (nearest(name, unclaimed) for name in names)), "")
    both = "" if "time" in spec.columns else f"; or {in_shell(role, likely or 'NAME')} where both files call it so"
    return InputError(
        f"no column has a usual name of the {role} ({', '.join(names[:_SHOWN])}, …)",
        where=where,
        allowed=listed(columns),
        nearest=likely,
        do=f"Pass {role}={likely!r}" if likely else f"Name it: {role}=…{_WIDE if role == 'user' else ''}",
        shell=f"{'Pass' if likely else 'Name it:'} {of_this_side(role, likely or 'NAME', spec)}{both}",
    )


def _refuse_none(columns: Sequence[str], spec: ColumnSpec, where: str) -> None:
    if spec.absent and NONE in columns:
        roles = " and ".join(sorted(spec.absent))
        wrong = f"a column is called {NONE!r}, and as the {roles} that word says that there is none"
        raise InputError(wrong, where=where, do="Rename the column")


def _refuse_sharing(found: dict[str, str], where: str) -> None:
    for column in found.values():
        roles = [role for role in found if found[role] == column]
        if len(roles) > 1:
            raise InputError(f"the column '{column}' is named for {' and '.join(roles)} at once", where=where)


def no_columns(given: Mapping[str, str], allowed: str) -> InputError:
    """Return the error for data without columns, of which a caller named some, by role."""
    named = ", ".join(f"'{name}' for the {role}" for role, name in given.items())
    return InputError(
        f"columns were named ({named}), and this data has no named columns",
        allowed=allowed,
        do=f"Leave {' and '.join(f'{role}=' for role in given)} out",
        shell=f"Leave {' and '.join(f'--column {role}=…' for role in given)} out",
    )


def in_shell(role: str, column: str) -> str:
    """How a command names a column."""
    return f"--column {shlex.quote(f'{role}={column}')}"


def of_this_side(role: str, column: str, spec: ColumnSpec) -> str:
    """How a command names a column of labels, or of a run, alone, where both have one of this role."""
    side: Side = "labels" if spec.what == "labels" else "run"
    shared = role in NEEDED and "time" not in spec.columns  # ratings have no other side
    return in_shell(f"{side}.{role}" if shared else spec.keyword(role), column)


def listed(columns: Sequence[str]) -> str:
    """The columns there are, for messages."""
    return f"The columns are: {_few(columns)}" if columns else "There are no columns"


def _few(columns: Sequence[str]) -> str:
    more = f" and {len(columns) - _LISTED} more" if len(columns) > _LISTED else ""
    return ", ".join(f"{column:.60}" for column in columns[:_LISTED]) + more


# ids of several columns


def several_columns(spec: ColumnSpec) -> Mapping[str, tuple[str, ...]]:
    """The roles of which the caller named several columns; an InputError for a role that can have only one."""
    found = {role: tuple(name) for role, name in spec.columns.items() if isinstance(name, (tuple, list))}
    for role, names in found.items():
        if role not in COMPOUND_ROLES:
            wrong = f"the {role} is named as {len(names)} columns, {shown_columns(names)}"
            raise InputError(wrong, allowed=f"Several columns can be the {' or the '.join(COMPOUND_ROLES)}")
        if not names or not all(isinstance(name, str) for name in names):
            raise InputError(f"{names!r:.100} names no columns", do=f"Pass {role}=('first', 'second').")
    return found


def with_first_parts(spec: ColumnSpec) -> ColumnSpec:
    """What is spec, with the first column alone where the caller named several."""
    several = several_columns(spec)
    first = {**spec.columns, **{role: names[0] for role, names in several.items()}}
    parts = (name for names in several.values() for name in names)
    return replace(spec, columns=first, others=(*spec.others, *parts))


def columns_of_parts(names: Sequence[str], spec: ColumnSpec, where: str) -> dict[str, str]:
    """The column of each role; of compound ids that of each part, `user.1` and so on."""
    first = with_first_parts(spec)
    found = find_columns(names, first, where)
    for role, parts in several_columns(spec).items():
        del found[role]
        if role == "item" and are_places(parts):
            found |= dict(zip(("item", START, END), parts, strict=True))
            continue
        for at, part in enumerate(parts, 1):
            found[f"{role}.{at}"] = find_columns(names, replace(first, columns={**first.columns, role: part}), where)[
                role
            ]
    if "item" in found and START not in found and "time" not in spec.columns:
        found |= places_of(found["item"], names, where)
    return found


def chosen_columns(
    names: Sequence[str], spec: ColumnSpec, where: str, holds_numbers: Callable[[str], bool]
) -> tuple[dict[str, str], Form]:
    """Return the column of each role, of compound ids that of each part, and the form of a table of these columns.

    Raises InputError where columns are missing or unclear; `holds_numbers` is that of `refuse_unread`.
    """
    found, first = columns_of_parts(names, spec, where), with_first_parts(spec)
    refuse_unread(names, found, first, where, holds_numbers)
    return found, form_of(names, found, first)


def without_parts(columns: Mapping[str, Any]) -> dict[str, str]:
    """Return the name of each role's column, of compound ids those of all parts as a command names them."""
    found: dict[str, list[str]] = {}
    for role, name in columns.items():
        found.setdefault(base(role), []).append(str(name))
    return {role: names[0] if len(names) == 1 else shown_columns(names) for role, names in found.items()}
