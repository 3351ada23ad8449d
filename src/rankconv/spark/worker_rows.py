"""The rows of a worker's users as labels and a run: from Arrow, in the order that their positions say."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rankconv.data.ids import unite
from rankconv.data.joined import Joined, put_together
from rankconv.data.labels_and_rankings import Labels, Run
from rankconv.errors import InputError, RankconvError
from rankconv.inputs.frames import read_frame
from rankconv.inputs.rows import RankSource, RawRows, as_labels, as_rankings
from rankconv.inputs.values import coded
from rankconv.spark.together import TAG, Sent, wanted

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class Places:
    """What goes by the order of rows in some definition."""

    of_rows: bool
    of_labels: bool
    """Of two labels for one item, the last."""


Sides = list[tuple[Sent, "pl.DataFrame"]]


def of_tags(rows: "pl.DataFrame", sent: Sequence[Sent]) -> Sides:
    """The rows of each side, in columns called by their roles."""
    import polars as pl

    found = []
    for tag, one in enumerate(sent):
        mine = rows.filter(pl.col(TAG) == tag)
        found.append((one, mine.select(pl.col(name).alias(role) for role, name in one.columns.items())))
    return found


def of_pairs(batch: Any, sent: Sequence[Sent]) -> Sides:
    """The rows of each side, where each row of the batch is a user with the lists of both sides."""
    import polars as pl

    rows, found = pl.from_arrow(batch), list[tuple[Sent, pl.DataFrame]]()
    assert isinstance(rows, pl.DataFrame)
    for one in sent:
        columns = {role: name for role, name in one.columns.items() if role != "position"}
        mine = rows.select(pl.col(name).alias(role) for role, name in columns.items())
        mine = mine.filter(pl.col("item").is_not_null())
        lists = [role for role in columns if role != "user"]
        _refuse_lengths(one, mine, lists)
        mine = mine.with_columns(pl.int_ranges(pl.col("item").list.len()).alias("position"))
        found.append((one, mine.explode(*lists, "position")))
    return found


def _refuse_lengths(sent: Sent, rows: "pl.DataFrame", lists: Sequence[str]) -> None:
    """An InputError where a user has more numbers than items, or fewer."""
    import polars as pl

    for role in lists[1:]:
        odd = rows.filter(pl.col(role).list.len() != pl.col("item").list.len())
        for user in odd["user"].sort().head(1):
            wrong = f"the list of items and the list '{sent.called[role]}' have different lengths"
            raise InputError(wrong, where=f"{_source(sent)}, user {user!r}", do=f"Give each item its {role}")


def joined(sides: Sides, places: Places) -> tuple[Joined, Labels | None]:
    """Labels and run of these users together, and what they have seen; InputError for what is wrong with the rows.

    Of several wrong rows the message names one of the least user, however they stand.
    """
    try:
        return _joined(sides, places)
    except RankconvError:
        return _joined([(one, rows.sort("user", "item", nulls_last=True)) for one, rows in sides], places)


def _joined(sides: Sides, places: Places) -> tuple[Joined, Labels | None]:
    found: dict[str, Any] = {}
    for sent, rows in sides:
        read = _read(sent, rows, places)
        found[sent.what] = as_rankings(read) if sent.what == "run" else as_labels(read)
        if sent.what == "labels" and places.of_labels and not (sent.ordered or found["labels"].distinct):
            _refuse_two_grades(rows)
    known: Labels = found["labels"]
    run: Run = found["run"]
    return put_together(known, run, part=True), found.get("seen=")


def _read(sent: Sent, rows: "pl.DataFrame", places: Places) -> RawRows:
    import polars as pl

    empty = None
    if sent.listed:
        empty = rows.filter(pl.col("position").is_null())["user"]
        rows = rows.filter(pl.col("position").is_not_null())
    _refuse_nulls(sent, rows)
    rows = _whole(sent, rows) if sent.whole else rows
    if sent.ordered:
        rows = rows.sort("user", "position")
        _refuse_same(sent, rows, "position")
    elif places.of_rows and "rank" in sent.columns:
        _refuse_same(sent, rows.select("user", "rank").sort("user", "rank"), "rank")
    named = {role: role for role in sent.columns if role != "position"}
    if sent.what == "run" and "position" in rows.columns:
        rows, named = rows.rename({"position": "rank"}), {**named, "rank": "rank"}
    read = read_frame(rows.select(*named), wanted(sent.what, named), _source(sent), _source(sent))
    source = RankSource.LIST if sent.listed else RankSource.COLUMN
    read = replace(read, rank_source=source, columns={**sent.called, "rank": sent.called.get("position", "rank")})
    if empty is None or not len(empty):
        return read
    more, _ = coded(empty.to_list() if empty.dtype == pl.String else empty.to_numpy(), "user", lambda row: "")
    return read.of_users(unite(read.users, more, "user", spelling=False)[0])


def _refuse_nulls(sent: Sent, rows: "pl.DataFrame") -> None:
    """An InputError that names the neighbour of a missing id."""
    import polars as pl

    for role, other in (("user", "item"), ("item", "user"), ("position", "user")):
        if role in rows.columns and rows[role].null_count():
            neighbour = rows.filter(pl.col(role).is_null())[other].min()
            wrong = f"a row has no {role} (column '{sent.called[role]}')"
            where = f"{_source(sent)}, {other} {neighbour!r}"
            raise InputError(
                wrong, where=where, do=f"Leave such rows out, or give them {'a' if role > 'item' else 'an'} {role}"
            )


def _whole(sent: Sent, rows: "pl.DataFrame") -> "pl.DataFrame":
    """Items that are doubles as the integers that they must be."""
    import polars as pl

    odd = rows.filter((pl.col("item") != pl.col("item").floor()) | (pl.col("item").abs() > 2**53))
    for user, item in odd.select("user", "item").sort("user", "item").head(1).iter_rows():
        wrong = f"the item id {item} is no whole number"
        raise InputError(wrong, where=f"{_source(sent)}, user {user!r}", do="Cast ids to long or string")
    return rows.with_columns(pl.col("item").cast(pl.Int64))


def _refuse_same(sent: Sent, rows: "pl.DataFrame", order: str) -> None:
    """An InputError where two rows of a user have one place; rows stand by users and places."""
    user, place = rows["user"], rows[order]
    for at in ((user == user.shift(1)) & (place == place.shift(1))).fill_null(False).arg_true().head(1):
        wrong = f"two rows have the {order} {place[at]}, so that nothing says which comes first"
        do = f"Give each row of a user a {order} of its own"
        raise InputError(wrong, where=f"{_source(sent)}, user {user[at]!r}", do=do)


def _refuse_two_grades(rows: "pl.DataFrame") -> None:
    """An InputError where an item has two labels of different grades, and nothing says which came last."""
    pairs = rows.unique(("user", "item", "grade") if "grade" in rows.columns else ("user", "item"))
    twice = pairs.filter(pairs.select("user", "item").is_duplicated()).select("user", "item").sort("user", "item")
    for user, item in twice.head(1).iter_rows():
        wrong = "it has two labels with different grades, of which the last counts, and a table of Spark has no order"
        where = f"the labels, user {user!r}, item {item!r}"
        raise InputError(wrong, where=where, do="Keep one of them, or name the column with their order: position=…")


def _source(sent: Sent) -> str:
    return sent.what if sent.what == "seen=" else f"the {sent.what}"
