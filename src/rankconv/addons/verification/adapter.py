"""How a real library is called: what it is handed, the contract of the adapters, and what they have in common."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from math import fsum, nan
from typing import Any, ClassVar

import numpy as np

from rankconv.basics.errors import ConventionError, InputError
from rankconv.data import inputs
from rankconv.data.arrays import Numbers
from rankconv.data.joined import Joined
from rankconv.data.labels_and_rankings import Labels, Run
from rankconv.evaluation.joining import join
from rankconv.evaluation.results.result import Result


@dataclass(frozen=True)
class User:
    """One user: the list they got, and what is known of their items. Ids are text, but in labels of other ids."""

    name: str
    ranking: tuple[str, ...]
    scores: tuple[float, ...]
    labels: Mapping[str, float]
    repeated_labels: tuple[tuple[str, float], ...] = ()
    """Rows below those of `labels`, of items that have one there."""
    in_labels: bool = True
    """Whether the labels name the user, if only with an empty list."""
    in_run: bool = True
    """Whether the run does."""

    @property
    def relevant(self) -> dict[str, float]:
        """The labels above 0."""
        return {item: grade for item, grade in self.labels.items() if grade > 0}

    @property
    def label_rows(self) -> list[tuple[str, float]]:
        """The labels row by row, with the repeated ones."""
        return [*self.labels.items(), *self.repeated_labels]

    @property
    def relevant_rows(self) -> list[tuple[str, float]]:
        """The rows of labels above 0."""
        return [(item, grade) for item, grade in self.label_rows if grade > 0]

    @property
    def grades(self) -> list[float]:
        """The grade of each item of the list; 0 where it was not judged."""
        return [self.labels.get(item, 0.0) for item in self.ranking]


@dataclass(frozen=True)
class LibraryCase:
    """Some users who are evaluated together."""

    name: str
    users: tuple[User, ...]
    kind: str = ""
    """What makes it hostile."""

    @cached_property
    def joined(self) -> Joined:
        """The users' data as the package reads them: with the order of the lists, with scores, and with empty users."""
        rows = any(user.repeated_labels for user in self.users)
        labels = {user.name: user.label_rows if rows else dict(user.labels) for user in self.users if user.in_labels}
        lists = {user.name: list(zip(user.ranking, user.scores, strict=True)) for user in self.users if user.in_run}
        return join(labels, lists)


def case_of(labels: Any, rankings: Any) -> LibraryCase:
    """A user's own data as a case; a list without scores gets falling ones, so that every library can take it."""
    known, ranked = inputs.labels(labels), inputs.rankings(rankings)
    names = dict.fromkeys([*known.users.values.tolist(), *ranked.users.values.tolist()])
    return LibraryCase("your data", tuple(_user(name, known, ranked) for name in names))


def _user(name: Any, known: Labels, ranked: Run) -> User:
    in_labels, in_run = name in known.users.code_of, name in ranked.users.code_of
    items, scores = ranked.rows_of(name) if in_run else ([], [])
    falling = tuple(float(left) for left in range(len(items), 0, -1))
    return User(
        str(name),
        tuple(map(str, items)),
        falling if scores is None else tuple(scores),
        _labels_of(name, known) if in_labels else {},
        in_labels=in_labels,
        in_run=in_run,
    )


def _labels_of(name: Any, known: Labels) -> dict[str, float]:
    grades = known.rows_of(name)
    if len(grades) < known.lengths[known.users.code_of[name]]:
        raise InputError(
            f"user {name!r} has an item in the labels more than once",
            do="Give each item one grade: libraries do not agree on what a second one means.",
        )
    return {str(item): grade for item, grade in grades.items()}


ADAPTERS: dict[str, type["Adapter"]] = {}
"""Every adapter by the preset that it verifies."""


class NotGiven(Exception):  # noqa: N818
    """An adapter's word for data that its library cannot be handed at all; nothing is compared then."""


@dataclass(frozen=True)
class Tolerance:
    """By how much two numbers may differ and still be equal."""

    relative: float
    absolute: float


DOUBLE = Tolerance(1e-9, 1e-13)
SINGLE = Tolerance(2e-6, 2e-6)
FIVE_DECIMALS = Tolerance(1e-9, 0.5e-5 + 1e-9)
FOUR_DECIMALS = Tolerance(1e-9, 0.5e-4 + 1e-9)


@dataclass(frozen=True)
class Takes:
    """What a library can be handed. What it refuses by an error belongs in: refusals are compared too."""

    grades: tuple[str, ...] = ("binary", "graded", "negative", "fractional", "losses", "fractional losses", "high")
    duplicates: bool = True
    """An item in a list more than once."""
    longest: int = 30
    """Rows of a list."""
    repeated_labels: bool = False
    """An item in the labels of a user more than once."""
    scores: bool = True
    """Scores; else a list is in its order alone."""
    item_ids: bool = False
    """Ids of items, which the library matches itself; else the caller does."""
    absent_users: bool = True
    """A user that one side does not name; else each user has a place on both."""
    empty_lists: bool = True
    """A user who is named on a side without any row there."""
    one_relevant: bool = False
    """One relevant item for each user, which is held out and is in its list; else any number."""

    def fitted(self, case: LibraryCase) -> LibraryCase:
        """A case that was made, as far as the library can be handed it."""
        return replace(case, users=tuple(map(_with_one_relevant, case.users))) if self.one_relevant else case


def _with_one_relevant(user: User) -> User:
    held = [item for item in user.ranking or user.relevant if item in user.relevant][:1]
    return replace(user, labels={item: grade for item, grade in user.labels.items() if grade <= 0 or item in held})


@dataclass(frozen=True)
class LibraryResult:
    """What a library gave: its mean and its values per user, as far as it has them, and the users that it refused."""

    mean: float | None = None
    per_user: Mapping[str, float] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)
    """Why it raised, by user, where it is called for each."""


class Adapter(ABC):
    """The calls of a real library for the metrics of its preset. Defining a subclass registers it.

    A subclass names the preset, the packages and the metrics, says what the library is `given`, if that is not the
    users as they are, and how it is called.
    It imports the library inside its methods only, and computes nothing itself.

    >>> import rankconv as rc
    >>> from rankconv import plugin
    >>> class Average(plugin.Adapter):
    ...     \"\"\"A library of one function, which here is none.\"\"\"
    ...     preset = "elliot"
    ...     packages = ("numpy",)
    ...     install = "pip install numpy"
    ...     calls = {"recall@k": "at most {k}"}
    ...     def ask(self, given, call, k):
    ...         found = [len(user.relevant.keys() & set(user.ranking[:k])) / len(user.relevant) for user in given]
    ...         return sum(found) / len(found)
    >>> rc.verify("elliot", {"u": ["a", "b"]}, {"u": ["b", "c"]}, "recall@1").ok
    True
    >>> rc.addons.verification.adapter.ADAPTERS.pop("elliot").calls
    {'recall@k': 'at most {k}'}
    """

    preset: ClassVar[str] = ""
    packages: ClassVar[tuple[str, ...]] = ()
    """What it is called where packages are installed; one is enough."""
    install: ClassVar[str] = ""
    """The command that installs it."""
    own_environment: ClassVar[str] = ""
    """Why it needs an environment of its own, if it does."""
    calls: ClassVar[Mapping[str, str]] = {}
    """What it calls each metric, by the preset's name for it: `map`, and `map@k` with a cutoff."""
    takes: ClassVar[Takes] = Takes()
    tolerance: ClassVar[Tolerance] = DOUBLE
    tolerance_before: ClassVar[Mapping[str, Tolerance]] = {}
    """That of earlier versions which print fewer digits, by the version of their era."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        known = ADAPTERS.get(cls.preset)
        if known is not None and (known.__module__, known.__qualname__) != (cls.__module__, cls.__qualname__):
            raise ConventionError(
                f"the preset '{cls.preset}' is verified already, by {known.__module__}.{known.__qualname__}"
            )
        if cls.preset:
            ADAPTERS[cls.preset] = cls

    def given(self, users: Sequence[User]) -> Any:
        """What the library is handed for these users; by default the users themselves."""
        return users

    @abstractmethod
    def ask(self, given: Any, call: str, k: int | None) -> float | LibraryResult:
        """What the library gives for one metric; what it raises is its refusal."""

    @classmethod
    def installed(cls) -> tuple[str, str] | None:
        """The package and its version, or None where it is not installed."""
        for package in cls.packages:
            try:
                return package, version(package)
            except PackageNotFoundError:
                continue
        return None


def one_by_one(users: Sequence[User], call: Callable[[User], Any]) -> LibraryResult:
    """A function of one list, called for each user; the mean is the caller's, as it has to be there."""
    values, refused = {}, {}
    for user in users:
        try:
            values[user.name] = float(call(user))
        except Exception as problem:
            refused[user.name] = reason(problem)
    return LibraryResult(None if refused else fsum(values.values()) / len(values) if values else nan, values, refused)


def reason(problem: Exception) -> str:
    """An exception in one line."""
    said = str(problem).strip().split("\n")[0]
    return f"{type(problem).__name__}: {said:.160}"


def library_calls(names: Mapping[str, str], *, at_k: str = "", whole: str = "") -> dict[str, str]:
    """The calls of metrics with a cutoff, without one, or both: in each form {} is the library's name."""
    forms = [(name, form) for name, form in (("{}@k", at_k), ("{}", whole)) if form]
    return {name.format(one): form.format(called) for name, form in forms for one, called in names.items()}


def flat(users: Sequence[User]) -> tuple[list[float], list[float], list[int]]:
    """The grades and the scores of all lists, one below the other, and the length of each list."""
    grades = [grade for user in users for grade in user.grades]
    scores = [score for user in users for score in user.scores]
    return grades, scores, [len(user.ranking) for user in users]


@dataclass(frozen=True)
class NumberPair:
    """Both numbers of one user, or of the mean where the user is empty; None is a refusal, NaN no number."""

    user: str
    ours: float | None
    theirs: float | None
    why: str = ""
    """Why the one that refuses does so."""
    scale: float = 0.0
    """What rounding errors are relative to, where that is more than the numbers themselves."""

    @property
    def distance(self) -> float:
        """How far they differ; 0 where one is no finite number."""
        if self.ours is None or self.theirs is None:
            return 0.0
        difference = abs(self.ours - self.theirs)
        return difference if math.isfinite(difference) else 0.0

    @property
    def refusals(self) -> tuple[bool, bool]:
        """Which of the two refuse."""
        return self.ours is None, self.theirs is None

    def is_equal(self, tolerance: Tolerance) -> bool:
        """Equal to the tolerance; NaN equals only NaN, and a refusal a refusal."""
        if self.ours is None or self.theirs is None:
            return self.ours is self.theirs
        if not (math.isfinite(self.ours) and math.isfinite(self.theirs)):
            return self.ours == self.theirs or (math.isnan(self.ours) and math.isnan(self.theirs))
        scale = max(abs(self.ours), abs(self.theirs), self.scale)
        return self.distance <= tolerance.relative * scale + tolerance.absolute


def pairs_of(spec: str, ours: Result, theirs: LibraryResult) -> Iterator[NumberPair]:
    """Both numbers of each user that the library gives, then both means."""
    errors, scales = ours.errors.get(spec), _scales(ours, spec)
    if theirs.per_user or theirs.refused.keys() - {""}:
        states, values = ours.state[spec].tolist(), ours.per_user[spec].tolist()
        for user, state, value, scale in zip(ours.users.tolist(), states, values, scales.tolist(), strict=True):
            refused = theirs.refused.get(user, "")
            number, refusal = None if refused else theirs.per_user.get(user, math.nan), ": refuse-" in state
            yield NumberPair(user, None if refusal else value, number, refused or (state if refusal else ""), scale)
    if theirs.mean is not None or theirs.refused:
        why = errors[0].why if errors else next(iter(theirs.refused.values()), "")
        yield NumberPair(
            "", None if errors else ours[spec], theirs.mean, why, float(scales.sum() / max(scales.size, 1))
        )


def _scales(ours: Result, spec: str) -> Numbers:
    """The size to which each user's tolerance is relative, shape (users,): the value, and more beyond the range.

    Beyond its range a ratio has a denominator near 0, where losses cancel gains: errors grow as it does.
    """
    values = np.abs(np.nan_to_num(ours.per_user[spec], posinf=0.0, neginf=0.0))
    return values * np.maximum(values / ours.definition(spec).metric.bounds[1], 1.0)
