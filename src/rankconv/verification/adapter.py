"""How a real library is called: the contract of the adapters, and what they have in common."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from math import fsum, nan
from typing import Any, ClassVar

from rankconv.errors import ConventionError
from rankconv.verification.cases import User

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
FOUR_DECIMALS = Tolerance(1e-9, 0.5e-4 + 1e-9)


@dataclass(frozen=True)
class Takes:
    """What a library can be handed. What it refuses by an error belongs in: refusals are compared too."""

    grades: tuple[str, ...] = ("binary", "graded", "negative", "fractional", "losses", "fractional losses", "high")
    duplicates: bool = True
    longest: int = 30
    """Rows of a list."""


@dataclass(frozen=True)
class LibraryResult:
    """What a library gave: its mean, if it has one, its values per user, if it tells them, and whom it refused."""

    mean: float | None = None
    per_user: Mapping[str, float] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)
    """Why it raised, by user, where it is called for each."""


class Adapter(ABC):
    """How is a real library called for the metrics of its preset? Defining a subclass registers it.

    A subclass names the preset, the packages and the metrics, says what the library is `given`, and how it is asked.
    It imports the library inside its methods only, and computes nothing itself.

    >>> import rankconv as rc
    >>> from rankconv import plugin
    >>> class Average(plugin.Adapter):
    ...     \"\"\"A library of one function, which here is none.\"\"\"
    ...     preset = "beir"
    ...     packages = ("numpy",)
    ...     install = "pip install numpy"
    ...     calls = {"recall@k": "at most {k}"}
    ...     def given(self, users):
    ...         return users
    ...     def ask(self, given, call, k):
    ...         found = [len(user.relevant.keys() & set(user.ranking[:k])) / len(user.relevant) for user in given]
    ...         return sum(found) / len(found)
    >>> rc.verify("beir", {"u": ["a", "b"]}, {"u": ["b", "c"]}, "recall@1").ok
    True
    >>> rc.verification.adapter.ADAPTERS.pop("beir").calls
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

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        known = ADAPTERS.get(cls.preset)
        if known is not None and (known.__module__, known.__qualname__) != (cls.__module__, cls.__qualname__):
            raise ConventionError(
                f"the preset '{cls.preset}' is verified already, by {known.__module__}.{known.__qualname__}"
            )
        if cls.preset:
            ADAPTERS[cls.preset] = cls

    @abstractmethod
    def given(self, users: Sequence[User]) -> Any:
        """What the library is handed for these users."""

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


def joined(lists: Iterable[Sequence[float]]) -> list[float]:
    """The columns of all users, one below the other."""
    return [value for one in lists for value in one]
