"""The docstrings of a block are a page of its names: each says what it gives, and its shape."""

import inspect
import re
from functools import cached_property
from typing import Any

import pytest

from rankconv.preparation.arithmetic import Arithmetic, CumulativeSum, LazyRanks
from rankconv.preparation.blocks.block import Block
from rankconv.preparation.blocks.grade_table_block import GradeTableBlock
from rankconv.preparation.blocks.label_block import LabelBlock
from rankconv.preparation.blocks.list_block import ListBlock
from rankconv.preparation.blocks.row_block import RowBlock, SeparateCalls, SeparateSubtopics

CLASSES = (Arithmetic, LabelBlock, ListBlock, Block, RowBlock, GradeTableBlock, CumulativeSum, LazyRanks)
CLASSES_OF_PARTS = (SeparateSubtopics, SeparateCalls)
OF_ARRAYS = re.compile("ndarray|RankValues|CumulativeSum|LazyRanks")
SHAPE = re.compile(
    r"of any shape|shapes? (as )?[(`]|shapes?:|[Ss]hape as|\((users|K|K \+ 1|ranks|rows|labels|count)(, [\w+ ]+)?,?\)"
)


def names() -> list[tuple[type, str, Any]]:
    return [
        (owner, name, member)
        for owner in (*CLASSES, *CLASSES_OF_PARTS)
        for name, member in vars(owner).items()
        if not name.startswith("_") and (callable(member) or isinstance(member, property | cached_property))
    ]


def function_of(member: Any) -> Any:
    found = member.fget if isinstance(member, property) else getattr(member, "func", member)
    return inspect.unwrap(found)


def docstring(owner: type, name: str) -> str:
    """Its own, or that of the class above, whose method it makes anew."""
    found = (function_of(vars(one)[name]).__doc__ for one in owner.__mro__ if name in vars(one))
    return next(filter(None, found), "")


@pytest.mark.parametrize("owner", [*CLASSES, *CLASSES_OF_PARTS], ids=lambda one: one.__name__)
def test_each_array_has_its_shape(owner: type) -> None:
    without = [
        name
        for one, name, member in names()
        if one is owner
        and OF_ARRAYS.search(str(inspect.get_annotations(function_of(member)).get("return", "")))
        and not SHAPE.search(docstring(owner, name))
    ]
    assert without == []


@pytest.mark.parametrize("owner", CLASSES, ids=lambda one: one.__name__)
def test_each_name_has_a_docstring(owner: type) -> None:
    assert [name for one, name, _ in names() if one is owner and not docstring(owner, name)] == []
