"""Data that name no users: their rows are numbered from 0."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from rankconv.data.ids import Ids, quoted
from rankconv.data.labels_and_rankings import Labels, Run
from rankconv.errors import InputError
from rankconv.inputs import frames, spark_pairs, sparse
from rankconv.inputs.array_interface import is_array
from rankconv.inputs.coding import coded

Read = TypeVar("Read", Labels, Run)


def users_are_numbered(data: Any) -> bool:
    """Whether users are known by their rows alone: in arrays, matrices, and lists with one entry per user."""
    if frames.takes(data):
        return False
    if is_array(data) or sparse.takes(data):
        return True
    if isinstance(data, str) or not isinstance(data, Sequence):
        return False
    tuples = bool(data) and isinstance(data[0], tuple)
    return not tuples or spark_pairs.takes(data)


def numbered_from(read: Read, first: int) -> Read:
    """The data with users numbered from there on."""
    return replace(read, users=Ids(np.arange(first, first + len(read.users)), "integer"))


def called(read: Read, users: Sequence[Any]) -> Read:
    """The data with its users called by these ids."""
    if len(users) != len(read.users):
        raise InputError(
            f"{len(users)} users were named, and there are {len(read.users)} rows",
            where=read.source,
            do="Name one user for each row.",
        )
    ids, codes = coded(list(users), "user", lambda place: f"users=, place {place}")
    if len(ids) < len(users):
        repeated = int(np.argmax(np.diff(codes, prepend=-1) != 1))
        raise InputError(f"user {quoted(ids.id(int(codes[repeated])))} was named twice", do="Name each user once.")
    return replace(read, users=ids)
