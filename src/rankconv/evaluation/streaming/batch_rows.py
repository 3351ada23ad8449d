"""Whose the rows of a batch are, and whose the rows of its side data.

Rows without names are those of `users=`, else users numbered on from batch to batch. Side data belong to the batch
where they have as many rows, and are of all users where each user of the batch is one of their rows, or where they name
users. Where both fit, they are refused.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from rankconv.basics.errors import InputError
from rankconv.data.alignment import Counting, IdTable
from rankconv.data.fitting import Exchange
from rankconv.data.ids import plain_ids, quoted
from rankconv.data.inputs.reading import called, numbered_from
from rankconv.data.joined import Joined
from rankconv.data.labels_and_rankings import Labels, Run


@dataclass(frozen=True)
class BatchRows:
    """The rows of a batch that have no names of their own; none where labels and run name users."""

    count: int | None
    users: Sequence[Any] | None
    """What the caller says whose they are."""
    first: int
    """The number of the first row, where the caller says nothing."""

    @classmethod
    def of(cls, labels: Labels, run: Run, users: Sequence[Any] | None, first: int) -> "BatchRows":
        """The rows of labels and run; an InputError for names of rows where there are none."""
        placed = [len(side.users) for side in (run, labels) if side.form.users_placed]
        if users is not None and not placed:
            raise InputError("users= names the rows of lists and arrays", do="Leave it out: these data name users.")
        return cls(placed[0] if placed else None, None if users is None else [*plain_ids(list(users))], first)

    def with_users(self, table: Any) -> Any:
        """The labels, the run or side data of the batch, with the users of its rows."""
        if not table.form.users_placed:
            return table
        return numbered_from(table, self.first) if self.users is None else called(table, self.users)

    def check_whose(self, table: Labels | None, name: str) -> None:
        """An InputError where a table of all users was given, and the batch does not say whose its rows are."""
        if table is None or self.count is None or self.users is not None or not len(table.users):
            return
        if table.form.users_placed and len(table.users) == self.count and not self.first:
            return  # all users are in this batch
        has = f"has {len(table.users)} rows" if table.form.users_placed else f"names users ({table.users.examples()})"
        numbers = f"range({self.first}, {self.first + self.count})"
        users = numbers if table.users.kind == "integer" else "[…]"
        raise InputError(
            f"{name} {has}, and the {self.count} rows of the batch do not say whose they are",
            do=f"Name the users of the rows: update(labels, run, users={users})",
        )

    def of_batch(self, table: Labels, name: str) -> Labels:
        """Side data that came with the batch; an InputError where it is not clear whose their rows are."""
        if self.count is None:
            return table
        rows = len(table.users)
        if not table.form.users_placed or (self.users is None and rows != self.count):
            self.check_whose(table, name)
            return table
        of_all = self._are_rows(rows)
        if rows == self.count and of_all and self.users is not None and self.users != [*range(rows)]:
            numbers = ", ".join(map(quoted, self.users[:3])) + (", …" if rows > 3 else "")
            call = f"{name}rc.Labels({name.removesuffix('=')}, user_ids="
            raise InputError(
                f"{name} has {rows} rows, as the batch of the users {numbers}",
                allowed="They may be those of the batch, in its order, or the rows 0, 1, … of all users",
                do=f"Pass {call}users) for the former, {call}range({rows})) for the latter",
            )
        if rows == self.count:
            named: Labels = self.with_users(table)
            return named
        if of_all:
            return table
        raise InputError(
            f"{name} has {rows} rows, and the batch has {self.count}",
            allowed="It has a row for each user of the batch, or for all users, whose rows users= names by number",
            do=f"Pass the rows of the batch alone, or name all: {name}rc.Labels({name.removesuffix('=')}, user_ids=…)",
        )

    def _are_rows(self, rows: int) -> bool:
        """Whether the users of the batch are numbers of so many rows."""
        return self.users is not None and all(type(user) is int and 0 <= user < rows for user in self.users)


@dataclass(frozen=True)
class WholeChecks:
    """What takes the data of all users to see: sides that are exchanged, and numbers that count from 1."""

    exchange: Exchange = field(default_factory=Exchange)
    counting: Counting = field(default=Counting())

    @classmethod
    def of(cls, joined: Joined) -> "WholeChecks":
        """The evidence of a batch."""
        found = Exchange()
        found.add(joined.labels, joined.rankings)
        return cls(found, Counting.of(IdTable.of(joined.labels, "the labels"), IdTable.of(joined.rankings, "the run")))

    def plus(self, other: "WholeChecks") -> "WholeChecks":
        """The evidence of both."""
        return WholeChecks(self.exchange.plus(other.exchange), self.counting.plus(other.counting))

    def refuse(self) -> None:
        """Raise InputError where the evidence is clear."""
        self.counting.refuse()
        self.exchange.refuse()
