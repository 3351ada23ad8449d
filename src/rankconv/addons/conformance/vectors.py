"""Conformance vectors, small data with values of definitions in JSON, and the programs that reply to them."""

import json
import math
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources.abc import Traversable
from pathlib import Path
from queue import Empty, Queue
from threading import Thread, current_thread, main_thread
from typing import Any, Literal, NamedTuple, TypeVar

from pydantic import Field, ValidationError

from rankconv.basics.errors import ConventionError, InputError
from rankconv.data.joined import Joined
from rankconv.evaluation.joining import join
from rankconv.presets.checked_file import Strict
from rankconv.presets.folders import packed_folder

DATA = "data.json"
"""The file with the data of all vectors; the others have the vectors of one metric, or of reports."""
VectorRows = list[tuple[str, str, str]]
"""User, item and value; the value is a decimal that reads back to the same number."""


class NoValue(Strict):
    """The state of a user, or of the data, without a number."""

    state: Literal["skipped", "refused", "nan"]


VectorValue = str | NoValue
"""A decimal that reads back to the same number, or the state of a user without one."""


class VectorData(Strict):
    """Labels and a run, small enough to be worked by hand."""

    about: str
    labels: VectorRows
    run: VectorRows
    """The rows of a user in their order; tied scores are equal numbers."""


class DataFile(Strict):
    """The data of all vectors, by name."""

    format: Literal["rankconv-vectors/2"] = "rankconv-vectors/2"
    license: Literal["CC0-1.0"] = "CC0-1.0"
    data: dict[str, VectorData]


class VectorDefinition(Strict):
    """A definition of the file: its signature, and the presets that have it."""

    signature: str
    presets: list[str]


class Expected(Strict):
    """What some definitions give: the value of each user, and the mean."""

    definitions: list[str]
    mean: VectorValue
    users: dict[str, VectorValue]
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

    format: Literal["rankconv-vectors/2"] = "rankconv-vectors/2"
    license: Literal["CC0-1.0"] = "CC0-1.0"
    definitions: dict[str, VectorDefinition]
    vectors: list[Vector] = Field(min_length=1)


@dataclass(frozen=True)
class VectorCase:
    """A vector with its data."""

    vector: Vector
    data: VectorData

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


def by_user(rows: VectorRows) -> dict[str, list[tuple[str, float]]]:
    """Items and values of each user, in the order of the rows."""
    users: dict[str, list[tuple[str, float]]] = {}
    for user, item, value in rows:
        users.setdefault(user, []).append((item, float(value)))
    return users


def read_vectors(folder: Path | None = None) -> list[VectorCase]:
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
    cases = list[VectorCase]()
    for name in names:
        for vector in _read(place / name, VectorFile).vectors:
            if vector.data not in data:
                raise ConventionError(f"{vector.id} is on data '{vector.data}', which {DATA} lacks", where=name)
            cases.append(VectorCase(vector, data[vector.data]))
    return cases


def schema() -> dict[str, Any]:
    """Return the JSON Schema of a file of vectors."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **VectorFile.model_json_schema()}


Model = TypeVar("Model", bound=Strict)


def _read(file: Traversable, model: type[Model]) -> Model:
    try:
        return model.model_validate_json(file.read_bytes())
    except ValidationError as error:
        first: Mapping[str, Any] = error.errors()[0]
        wrong = f"'{'.'.join(map(str, first['loc']))}': {first['msg'].lower()}"
        raise ConventionError(
            wrong, where=file.name, allowed="The format is rankconv-vectors/2, and its schema is in schema.json"
        ) from None


MOST_FAILURES = 3
"""After so many hangs, crashes and lines that are not replies nothing more is sent."""
SHOWN = 120
"""Letters of a line that is not a reply."""


@dataclass(frozen=True)
class Reply:
    """What a harness says of one vector."""

    mean: float | None = None
    """NaN where it says that there is none; None where it says nothing."""
    users: Mapping[str, float] = field(default_factory=dict)
    has_users: bool = False
    unsupported: str = ""
    failure: str = ""
    """Why there is no reply: a hang, a crash, a line that is not one."""

    @property
    def has_values(self) -> bool:
        """Whether it says any number."""
        return not self.unsupported and not self.failure


class Replied(NamedTuple):
    """A vector and what the harness says of it."""

    case: VectorCase
    reply: Reply


class Harness:
    """A running program; it is started when a vector is sent, and again after a failure."""

    def __init__(self, command: Sequence[str], time_limit: float) -> None:
        self.command, self.time_limit = list(command), time_limit
        self._process: subprocess.Popen[str] | None = None
        self._lines: Queue[str] = Queue()

    def reply(self, case: VectorCase) -> Reply:
        """Send a vector, and return what comes back within the time limit."""
        process = self._process or self._start()
        assert process.stdin is not None
        with suppress(OSError):  # it ended: what it wrote until then is read below
            process.stdin.write(case.line + "\n")
            process.stdin.flush()
        try:
            line = self._lines.get(timeout=self.time_limit)
        except Empty:
            return self._failed(f"no reply within {self.time_limit:g} s")
        if not line:
            self.stop(grace=1.0)
            return Reply(failure=f"the program ended with exit code {process.returncode}")
        try:
            return _reply_of(line, case.vector.id)
        except (ValueError, RecursionError) as error:
            return self._failed(f"{error}: {line.strip()[:SHOWN]!r}")

    def stop(self, grace: float = 0.0) -> None:
        """End the program, by force after so many seconds."""
        if self._process is not None:
            with suppress(OSError):
                self._process.stdin.close()  # type: ignore[union-attr]
            try:
                self._process.wait(grace)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None

    def _start(self) -> subprocess.Popen[str]:
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        try:
            process = subprocess.Popen(self.command, text=True, encoding="utf-8", errors="replace", **pipes)
        except OSError as error:
            wrong = f"the harness cannot be started: {error.strerror or error}"
            do = "Pass the program and each of its arguments as one word: ['python', 'harness.py']."
            shell = "Give the program after --, as in: rankconv conform -- python harness.py"
            raise InputError(wrong, where=" ".join(self.command), do=do, shell=shell) from None
        self._process, self._lines = process, Queue()
        Thread(target=_follow, args=(process.stdout, self._lines.put), daemon=True).start()
        return process

    def _failed(self, why: str) -> Reply:
        self.stop()
        return Reply(failure=why)


def _follow(lines: Any, put: Callable[[str], None]) -> None:
    """Hand on each line, and an empty one at the end."""
    with lines:
        for line in lines:
            put(line)
    put("")


def replies(command: Sequence[str], cases: Sequence[VectorCase], time_limit: float) -> Iterator[Reply]:
    """Yield the reply to each vector; after too many failures the rest is not sent."""
    harness, failures = Harness(command, time_limit), 0
    pipes = hasattr(signal, "SIGPIPE") and current_thread() is main_thread()
    before = signal.signal(signal.SIGPIPE, signal.SIG_IGN) if pipes else None  # a program that ends is no end of ours
    try:
        for case in cases:
            if failures == MOST_FAILURES:
                yield Reply(failure=f"not sent, after {MOST_FAILURES} failures")
                continue
            found = harness.reply(case)
            failures += bool(found.failure)
            yield found
    finally:
        harness.stop()
        if before is not None:
            signal.signal(signal.SIGPIPE, before)


def reply_of_function(function: Callable[[dict[str, Any]], Mapping[str, Any]], case: VectorCase) -> Reply:
    """Return what a Python function gives for a vector; what it raises is a failure."""
    try:
        found = function(json.loads(case.line))
    except Exception as error:
        return Reply(failure=f"it raised {type(error).__name__}: {error}")
    if not isinstance(found, Mapping):
        return Reply(failure=f"it returned {found!r:.60}, which is not a dict of mean, users or unsupported")
    try:
        return _reply_of(json.dumps({"id": case.vector.id, **found}, default=float), case.vector.id)
    except (TypeError, ValueError) as error:
        return Reply(failure=str(error))


def _reply_of(line: str, vector: str) -> Reply:
    """The reply in a line; a ValueError says what is wrong with it."""
    try:
        found = json.loads(line)
    except ValueError:
        raise ValueError("a line is not JSON; logs belong on stderr") from None
    if not isinstance(found, dict) or found.get("id") != vector:
        raise ValueError(f"a line is not a reply to {vector}, whose id it must repeat")
    if "unsupported" in found:
        return Reply(unsupported=str(found["unsupported"]) or "unsupported")
    users = found.get("users")
    if "mean" not in found and users is None:
        raise ValueError("a reply has neither mean, users nor unsupported")
    if not isinstance(users, dict | None):
        raise ValueError("users is not an object of values by user")
    mean = _number(found["mean"], "mean") if "mean" in found else None
    values = {user: _number(value, f"users.{user}") for user, value in (users or {}).items()}
    return Reply(mean, values, users is not None)


def _number(value: Any, name: str) -> float:
    """A value as a number; NaN for null and for a state."""
    if value is None or (isinstance(value, dict) and "state" in value):
        return math.nan
    try:
        if isinstance(value, bool):
            raise TypeError
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} is not a number, a decimal in quotes, null or a state") from None
