"""A result in a file: one JSON with all numbers, and with what they mean."""

import json
import math
import os
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rankconv.definition import fingerprint
from rankconv.errors import InputError, MetricError
from rankconv.writing import beside

if TYPE_CHECKING:
    from rankconv.measured import Measured
    from rankconv.results import Result

FORM = 1
"""Raised when the file changes in a way that older versions cannot read."""


@dataclass(frozen=True)
class SavedDefinition:
    """The definition of a number as it was when the number was saved."""

    text: str
    fingerprint: str
    answers: dict[str, str] = field(repr=False)
    metric: str
    """The strategy."""
    k: int | None
    """The cutoff."""
    version: str = ""
    """The version of rankconv that computed the number."""

    @property
    def spec(self) -> str:
        """Without its preset."""
        return self.text.partition(":")[2]

    def check(self, neutral: dict[str, str], where: str) -> None:
        """An InputError where the fingerprint is not that of the answers.

        Questions that are not known here, as the plugin that asks them is not loaded, cannot be checked.
        """
        if not self.answers.keys() <= neutral.keys():
            return
        told = {question: answer for question, answer in self.answers.items() if neutral[question] != answer}
        found = fingerprint(self.metric, self.k, told)
        if found != self.fingerprint:
            raise InputError(
                f"{self.text} has the fingerprint {self.fingerprint}, and that of its answers is {found}",
                where=where,
                do="The file was changed after it was saved: evaluate anew, and save that",
            )


@dataclass(frozen=True)
class SavedRefusal:
    """Why a number is missing."""

    definition: SavedDefinition
    why: str

    @property
    def error(self) -> MetricError:
        """As an exception."""
        return MetricError(self.why, where=self.definition.text)


@dataclass(frozen=True, eq=False)
class SavedNumber:
    """What came out of one definition, read from a file."""

    definition: SavedDefinition
    mean: float
    values: NDArray[np.float64]
    states: NDArray[np.int8]
    state_names: list[str]
    counts: dict[str, int]
    refusals: list[SavedRefusal]


def save(result: "Result", path: str | os.PathLike[str], *, force: bool) -> None:
    """The result as JSON; NaN is null there."""
    numbers = {spec: _written(one) for spec, one in result.by_spec.items()}
    about = {"rankconv": version_of_rankconv(), "form": FORM, "preset": result.preset, "run": result.run}
    with beside(Path(path), force=force) as draft:
        text = json.dumps({**about, "users": result.users.tolist(), "numbers": numbers}, ensure_ascii=False, indent=1)
        draft.write_text(text + "\n", encoding="utf-8")


def version_of_rankconv() -> str:
    """The version that is installed."""
    try:
        return version("rankconv")
    except PackageNotFoundError:  # run from a folder that is not installed
        return "unknown"


def _written(one: "Measured") -> dict[str, Any]:
    from rankconv.presets.registry import neutral_answers

    definition: Any = one.definition
    saved = isinstance(definition, SavedDefinition)
    return {
        "definition": definition.text,
        "fingerprint": definition.fingerprint if saved else definition.fingerprint_over(neutral_answers()),
        "metric": definition.metric if saved else definition.metric.name,
        "k": definition.k,
        "answers": definition.answers,
        "mean": _or_null(one.mean),
        "counts": one.counts,
        "refused": [refusal.why for refusal in one.refusals],
        "values": [_or_null(value) for value in one.values.tolist()],
        "states": one.states.tolist(),
        "state_names": one.state_names,
    }


def load(path: str | os.PathLike[str]) -> dict[str, Any]:
    """What a `Result` is made of."""
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as problem:
        raise InputError(f"the file cannot be opened: {problem.strerror}", where=str(path)) from None
    except ValueError:
        data = None
    if not isinstance(data, dict) or data.get("form") != FORM or "numbers" not in data:
        raise InputError("this is no saved result", where=str(path), do="Load what result.save(path) wrote")
    numbers = {spec: _read(one, data["rankconv"], str(path)) for spec, one in data["numbers"].items()}
    return {"preset": data["preset"], "run": data["run"], "users": _users(data["users"]), "by_spec": numbers}


def _users(ids: list[Any]) -> NDArray[Any]:
    return np.array(ids, np.int64 if ids and isinstance(ids[0], int) else object)


def _read(one: dict[str, Any], version: str, where: str) -> SavedNumber:
    from rankconv.presets.registry import neutral_answers

    saved = (one["definition"], one["fingerprint"], one["answers"], one["metric"], one["k"])
    definition = SavedDefinition(*saved, version)
    definition.check(neutral_answers(), where)
    refusals = [SavedRefusal(definition, why) for why in one["refused"]]
    values, states = np.array(one["values"], np.float64), np.array(one["states"], np.int8)
    mean = math.nan if one["mean"] is None else one["mean"]
    return SavedNumber(definition, mean, values, states, one["state_names"], one["counts"], refusals)


def _or_null(value: float) -> float | None:
    return None if math.isnan(value) else value
