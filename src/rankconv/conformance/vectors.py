"""Conformance vectors: small data with the values that definitions give, in JSON that other programs can use."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import Field, ValidationError

from rankconv.data.joined import Joined
from rankconv.errors import ConventionError, InputError
from rankconv.evaluation.joining import join
from rankconv.presets.folders import packed_folder
from rankconv.presets.yaml_file import Strict

DATA = "data.json"
"""The file with the data of all vectors; the others have the vectors of one metric, or of reports."""
Rows = list[tuple[str, str, str]]
"""User, item and value; the value is a decimal that reads back to the same number."""


class NoValue(Strict):
    """The state of a user, or of the data, without a number."""

    state: Literal["skipped", "refused", "nan"]


Value = str | NoValue
"""A decimal that reads back to the same number, or the state of a user without one."""


class Data(Strict):
    """Labels and a run, small enough to be worked by hand."""

    about: str
    labels: Rows
    run: Rows
    """The rows of a user in their order; tied scores are equal numbers."""


class DataFile(Strict):
    """The data of all vectors, by name."""

    format: Literal["rankconv-vectors/1"] = "rankconv-vectors/1"
    license: Literal["CC0-1.0"] = "CC0-1.0"
    data: dict[str, Data]


class Stated(Strict):
    """A definition of the file: its signature, and the presets that have it."""

    signature: str
    presets: list[str]


class Expected(Strict):
    """What some definitions give: the value of each user, and the mean."""

    definitions: list[str]
    mean: Value
    users: dict[str, Value]
    role: Literal["", "reported", "corrected"] = ""
    """Of a report: the number that was reported as wrong, or the one that it was to be."""


class Vector(Strict):
    """One metric on one data set."""

    id: str
    data: str
    metric: str
    k: int | None
    tolerance: str = "1e-9"
    """How far a value may differ from the expected one, relative to the larger of 1 and that value."""
    expected: list[Expected]
    catches: list[str]
    """The conventions of which another setting gives another number here, under the first definition."""
    source: str
    about: str = ""


class VectorFile(Strict):
    """The vectors of one metric, or of the reports."""

    format: Literal["rankconv-vectors/1"] = "rankconv-vectors/1"
    license: Literal["CC0-1.0"] = "CC0-1.0"
    definitions: dict[str, Stated]
    vectors: list[Vector] = Field(min_length=1)


@dataclass(frozen=True)
class Case:
    """A vector with its data."""

    vector: Vector
    data: Data

    @property
    def spec(self) -> str:
        """The metric and its cutoff as text."""
        return self.vector.metric if self.vector.k is None else f"{self.vector.metric}@{self.vector.k}"

    @cached_property
    def joined(self) -> Joined:
        """The data as they are evaluated."""
        return join(*(by_user(rows) for rows in (self.data.labels, self.data.run)))

    @property
    def line(self) -> str:
        """The line that a harness reads."""
        vector, data = self.vector, self.data
        given = {"id": vector.id, "metric": vector.metric, "k": vector.k, "labels": data.labels, "run": data.run}
        return json.dumps(given, ensure_ascii=False)


def by_user(rows: Rows) -> dict[str, list[tuple[str, float]]]:
    """Items and values of each user, in the order of the rows."""
    users: dict[str, list[tuple[str, float]]] = {}
    for user, item, value in rows:
        users.setdefault(user, []).append((item, float(value)))
    return users


def read_vectors(folder: Path | None = None) -> list[Case]:
    """Return all vectors of a folder, by default those that are shipped.

    Raises
    ------
    InputError
        If the folder has no vectors.
    ConventionError
        If a file is not one of vectors.

    Examples
    --------
    >>> cases = read_vectors()
    >>> next(case.vector.id for case in cases if case.vector.metric == "ndcg")
    'ndcg@3/binary'
    """
    place: Traversable = packed_folder("vectors") if folder is None else folder
    if not (place / DATA).is_file():
        raise InputError(f"the folder has no {DATA}", where=str(place), do="Give a folder of conformance vectors.")
    data = _read(place / DATA, DataFile).data
    names = sorted(
        one.name for one in place.iterdir() if one.name.endswith(".json") and one.name not in (DATA, "schema.json")
    )
    cases = list[Case]()
    for name in names:
        for vector in _read(place / name, VectorFile).vectors:
            if vector.data not in data:
                raise ConventionError(f"{vector.id} is on data '{vector.data}', which {DATA} lacks", where=name)
            cases.append(Case(vector, data[vector.data]))
    return cases


def schema() -> dict[str, Any]:
    """Return the JSON Schema of a file of vectors."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **VectorFile.model_json_schema()}


Model = TypeVar("Model", bound=Strict)


def _read(file: Traversable, model: type[Model]) -> Model:
    try:
        return model.model_validate_json(file.read_text("utf-8"))
    except ValidationError as error:
        first: Mapping[str, Any] = error.errors()[0]
        wrong = f"'{'.'.join(map(str, first['loc']))}': {first['msg'].lower()}"
        raise ConventionError(
            wrong, where=file.name, allowed="The format is rankconv-vectors/1, and its schema is in schema.json"
        ) from None
