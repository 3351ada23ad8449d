"""A result in a file: one JSON with all numbers, and with what they mean."""

import json
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from rankconv.aggregation import Aggregation
from rankconv.basics.errors import InputError, MetricError, RankconvError
from rankconv.basics.output_files import draft_of
from rankconv.conventions.convention import CONVENTIONS
from rankconv.conventions.custom_setting import CUSTOM
from rankconv.data.arrays import FrozenArrays
from rankconv.data.inputs.json_files import RepeatedKeyError, distinct_keys
from rankconv.engine.metric_result import Measured
from rankconv.metrics.base import METRICS
from rankconv.preparation.pipeline import Preparation
from rankconv.presets.definition import Definition

FORM: Final = 3
"""Raised when the file changes, or its words do: form 1 has the names of conventions before 1.0, form 2 other
fingerprints."""


@dataclass(frozen=True)
class SavedDefinition:
    """The definition of a number as it was when the number was saved."""

    text: str
    fingerprint: str
    """Empty where a setting is a function."""
    settings: dict[str, str] = field(repr=False)
    metric: str
    """The strategy."""
    k: int | None
    """The cutoff."""
    version: str = ""
    """The version of rankconv that computed the number."""

    def __post_init__(self) -> None:
        CONVENTIONS.make(*self.settings)

    @property
    def functions(self) -> dict[str, str]:
        """The conventions whose setting is a function, of which the file has no more than its name."""
        return {
            convention_name: setting
            for convention_name, setting in self.settings.items()
            if setting.startswith(f"{CUSTOM}(")
        }

    @property
    def spec(self) -> str:
        """The definition as text, without its preset."""
        return self.text.partition(":")[2]

    def check(self, where: str) -> None:
        """An InputError where the fingerprint is not that of the settings.

        Metrics and conventions that are not known here, as their plugin is not loaded, cannot be checked.
        """
        if not self.settings.keys() <= CONVENTIONS.keys() or self.metric not in METRICS:
            return
        if self.functions and not self.fingerprint:
            return
        found = self._fingerprint_of_settings()
        if found != self.fingerprint:
            raise InputError(
                f"{self.text} has the fingerprint {self.fingerprint}, and that of its settings is {found}",
                where=where,
                do="The file was changed after it was saved: evaluate anew, and save that",
            )

    def _fingerprint_of_settings(self) -> str:
        strategy, (preset, _, key) = METRICS[self.metric], self.text.partition(":")
        preparation, metric, aggregation = (
            {name: text for name, text in self.settings.items() if name in kind.conventions()}
            for kind in (Preparation, strategy, Aggregation)
        )
        try:
            return Definition(
                preset,
                key,
                Preparation.with_settings(preparation),
                strategy.with_settings({**metric, "k": self.k}),
                Aggregation.with_settings(aggregation),
            ).fingerprint
        except RankconvError as error:
            return f"none: {error}"


@dataclass(frozen=True)
class SavedRefusal:
    """Why a number is missing."""

    definition: SavedDefinition
    why: str

    @property
    def error(self) -> MetricError:
        """The refusal as an exception."""
        return MetricError(self.why, where=self.definition.text)


@dataclass(frozen=True, eq=False)
class SavedNumber(FrozenArrays):
    """What came out of one definition, read from a file."""

    definition: SavedDefinition
    mean: float
    values: NDArray[np.float64]
    states: NDArray[np.int8]
    state_names: list[str]
    counts: dict[str, int]
    refusals: list[SavedRefusal]
    note: str = ""
    """What was said of values outside the bounds of the metric."""


def save(
    preset: str,
    run: str,
    users: NDArray[Any],
    by_spec: Mapping[str, Measured],
    path: str | os.PathLike[str],
    *,
    force: bool,
) -> None:
    """Write what a `Result` is made of as JSON; NaN is null there, `users` are ids of shape (users,)."""
    numbers = {spec: _number_fields(one) for spec, one in by_spec.items()}
    about = {"rankconv": version_of_rankconv(), "form": FORM, "preset": preset, "run": run}
    with draft_of(Path(path), force=force) as draft:
        text = json.dumps({**about, "users": users.tolist(), "numbers": numbers}, ensure_ascii=False, indent=1)
        draft.write_text(text + "\n", encoding="utf-8")


@cache
def version_of_rankconv() -> str:
    """The version that is installed."""
    try:
        return version("rankconv")
    except PackageNotFoundError:  # run from a folder that is not installed
        return "unknown"


def _number_fields(one: Measured) -> dict[str, Any]:
    definition: Any = one.definition
    saved = isinstance(definition, SavedDefinition)
    return {
        "definition": definition.text,
        "fingerprint": definition.fingerprint,
        "metric": definition.metric if saved else definition.metric.name,
        "k": definition.k,
        "settings": definition.settings,
        "mean": _or_null(one.mean),
        "counts": one.counts,
        "refused": [refusal.why for refusal in one.refusals],
        "values": [_or_null(value) for value in one.values.tolist()],
        "states": one.states.tolist(),
        "state_names": one.state_names,
        "note": one.note,
    }


_Integer = Annotated[int, Field(ge=-(2**63), lt=2**63)]


class _NumberModel(BaseModel):
    """One number, as `save` writes it."""

    model_config = ConfigDict(strict=True, defer_build=True)

    definition: str
    fingerprint: str
    settings: dict[str, str]
    metric: str
    k: int | None
    mean: float | None
    counts: dict[str, int]
    refused: list[str]
    values: list[float | None]
    states: list[Annotated[int, Field(ge=0, lt=128)]]
    state_names: list[str]
    note: str = ""


class _Saved(BaseModel):
    """The whole file."""

    model_config = ConfigDict(strict=True, defer_build=True)

    rankconv: str
    form: Literal[3]
    preset: str
    run: str
    users: list[_Integer] | list[str] | list[list[_Integer | str]]
    numbers: dict[str, _NumberModel]

    @model_validator(mode="after")
    def _fits(self) -> Self:
        for one in self.numbers.values():
            if not len(one.values) == len(one.states) == len(self.users):
                raise ValueError("there is not one value and one state for each user")
            if max(one.states, default=-1) >= len(one.state_names):
                raise ValueError("a state has no name")
        return self


def load(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read what a `Result` is made of from a file that `save` wrote."""
    try:
        text = Path(path).read_bytes()
        found = _Saved.model_validate_json(text)
        json.loads(text, object_pairs_hook=distinct_keys)
    except RepeatedKeyError as problem:
        raise problem.at(str(path)) from None
    except OSError as problem:
        raise InputError(f"the file cannot be opened: {problem.strerror}", where=str(path)) from None
    except ValidationError as problem:
        raise _unreadable(problem, path) from None
    numbers = {spec: _read(one, found.rankconv, str(path)) for spec, one in found.numbers.items()}
    return {"preset": found.preset, "run": found.run, "users": _ids(found.users), "by_spec": numbers}


def _ids(users: Sequence[Any]) -> NDArray[Any]:
    """The ids as they were saved, shape (users,); lists of parts become tuples again."""
    whole = [tuple(one) if isinstance(one, list) else one for one in users]
    if isinstance(next(iter(whole), None), int):
        return np.array(whole, np.int64)
    return np.fromiter(whole, object, len(whole))


def _unreadable(problem: ValidationError, path: str | os.PathLike[str]) -> InputError:
    errors = problem.errors(include_url=False)
    form = next((error["input"] for error in errors if error["loc"] == ("form",)), None)
    if type(form) is int:
        wrong = f"the saved result has form {form}, and this version of rankconv reads form {FORM}"
        return InputError(wrong, where=str(path), do="Evaluate again, and save that")
    where = ".".join(map(str, errors[0]["loc"][:3]))
    do = "Load what result.save(path) wrote"
    return InputError("this is not a saved result", where=f"{path}, {where}" if where else str(path), do=do)


def _read(one: _NumberModel, version: str, where: str) -> SavedNumber:
    definition = SavedDefinition(one.definition, one.fingerprint, one.settings, one.metric, one.k, version)
    definition.check(where)
    refusals = [SavedRefusal(definition, why) for why in one.refused]
    values, states = np.array(one.values, np.float64), np.array(one.states, np.int8)
    mean = math.nan if one.mean is None else one.mean
    return SavedNumber(definition, mean, values, states, one.state_names, one.counts, refusals, one.note)


def _or_null(value: float) -> float | None:
    return None if math.isnan(value) else value


def is_saved(path: str | os.PathLike[str]) -> bool:
    """Whether a file begins as `save` writes it; False for what cannot be read."""
    try:
        with Path(path).open("rb") as file:
            return b"".join(file.read(64).split()).startswith(b'{"rankconv":')
    except OSError:
        return False
