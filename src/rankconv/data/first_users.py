"""What a notebook shows of data: how much there is, and the rows of the first users."""

from collections.abc import Callable, Iterable
from typing import Any

from rankconv.pages.cells import short
from rankconv.pages.page import Page, Paragraph
from rankconv.pages.table import Table

SHOWN = 8
"""Users, and rows of each."""


def first_users(about: str, users: Iterable[Any], rows_of: Callable[[Any], Iterable[tuple[Any, float | None]]]) -> Page:
    """These users with the first of their rows: the item, and in parentheses its number where it has one."""
    shown = [(user, list(rows_of(user))) for user in users]
    rows = [[short(str(user)), str(len(found)), _told(found)] for user, found in shown]
    return Page([[Paragraph(about), Table(["user", "rows", "first items"], rows, labels=3, prose=frozenset({2}))]])


def _told(rows: list[tuple[Any, float | None]]) -> str:
    told = [
        short(str(item)) if number is None else f"{short(str(item))} ({number:.6g})" for item, number in rows[:SHOWN]
    ]
    return ", ".join([*told, *(["…"] if len(rows) > SHOWN else [])])
