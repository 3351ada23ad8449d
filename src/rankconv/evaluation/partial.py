"""The numbers of some users in a few bytes: parts from many processes or machines add up to one result."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

import numpy as np

from rankconv.engine.parts import PartOfUsers
from rankconv.engine.summed import spanning, why_not_summed
from rankconv.errors import MetricError, RankconvError
from rankconv.evaluation.partial_bytes import check_same, read, written
from rankconv.evaluation.result import Errors, Result, raise_first
from rankconv.presets import arguments
from rankconv.presets.defining import Metrics, define
from rankconv.presets.definition import Definition
from rankconv.presets.folders import shipped
from rankconv.presets.registry import preset as find_preset
from rankconv.presets.resolved import Preset


@dataclass(frozen=True, eq=False)
class Partial:
    """Partial sums: sums and counts of some users, in a form that no order or grouping changes.

    Made by `Evaluator.partial()`; `Partial.merged` puts parts together, of which no two may have a user in common: that
    is not checked, since no ids are kept. `to_bytes` is equal for equal contents. A mean or a sum takes about 150
    bytes a metric; a median 20 bytes a user more, since it needs their values. A pickle of it is these bytes.

    >>> import rankconv as rc
    >>> from rankconv.typing import Partial
    >>> def part(labels, run):
    ...     numbers = rc.Evaluator("map@3", "mllib", per_user=False, repeated_users="unchecked")
    ...     numbers.update(labels, run)
    ...     return numbers.partial().to_bytes()
    >>> sent = [part({"ada": ["a"]}, {"ada": ["a"]}), part({"bob": ["b"]}, {"bob": ["x", "b"]})]
    >>> both = Partial.merged(Partial.from_bytes(one) for one in sent)
    >>> both, both.compute()["map@3"]
    (Partial(mllib, 2 users; map@3), 0.75)
    """

    preset: str
    """The preset that answered where a spec named none."""
    definitions: dict[str, Definition] = field(repr=False)
    """What was requested, by its text."""
    part: PartOfUsers = field(repr=False)

    @property
    def users(self) -> int:
        """How many users there are."""
        return self.part.counted.size

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Partial):
            return NotImplemented
        return (self.preset, self.definitions, self.part) == (other.preset, other.definitions, other.part)

    __hash__ = None  # type: ignore[assignment]

    def merge(self, other: "Partial") -> "Partial":
        """Both together.

        Raises MetricError where they are of other metrics, InputError where ids are text here and integers
        there, or lists have scores in one alone.
        """
        check_same(self.definitions, other.definitions)
        return Partial(self.preset, self.definitions, self.part.plus(other.part, [*self.definitions.values()]))

    @classmethod
    def merged(cls, parts: "Iterable[Partial]") -> "Partial":
        """Merge parts in any order and grouping.

        Parameters
        ----------
        parts : iterable of Partial
            Parts of the same metrics; no two may have a user in common, which is not checked.

        Returns
        -------
        Partial
            The part of all users.

        Raises
        ------
        MetricError
            If there is no part, or parts are of other metrics.
        InputError
            If parts are of data that do not fit each other.
        """
        each = list(parts)
        for one in each:
            if not isinstance(one, Partial):
                do = "Read bytes with Partial.from_bytes."
                raise MetricError(f"{one!r:.100} is not a Partial", allowed="Pass a list of Partial", do=do)
        if not each:
            raise MetricError("there is no part to merge", do="Where there may be none, put an empty one first.")
        return reduce(cls.merge, each)

    def compute(self, on_error: Errors = "raise") -> Result:
        """The numbers, where these are all users; `on_error` as in `rc.evaluate`. It has no ids and no values of users.

        Of the users that a preset refuses, the one of the least id is named. Raises MetricError for a number that a
        preset refuses to give, InputError where no user has both labels and a list.
        """
        arguments.word(on_error, Errors, "on_error")
        measured = self.part.measured([*self.definitions.values()])
        by_spec = dict(zip(self.definitions, measured, strict=True))
        result = Result(self.preset, np.empty(0, np.int64), by_spec, unnamed=self.users)
        if on_error == "raise":
            raise_first(result.errors)
        return result

    def to_bytes(self) -> bytes:
        """All of it in bytes: a line that tells the form and a checksum, and JSON with fingerprints; nothing to run.

        Raises MetricError where a setting is a function, which no text can name.
        """
        return written(self.preset, self.definitions, self.part)

    @classmethod
    def from_bytes(cls, data: bytes, metrics: Metrics | None = None, preset: str | Preset | None = None) -> "Partial":
        """What `to_bytes` wrote. Its metrics are read by their texts; pass them where their preset has no name here.

        Raises InputError for other bytes and for metrics that differ from those that were written.
        """
        if metrics is None and preset is None:
            return cls(*read(data))
        chosen = find_preset("rankconv" if preset is None else preset)
        return cls(*read(data, define(metrics, chosen)))

    def __reduce__(self) -> tuple[Any, ...]:
        """What `to_bytes` gives, where the definitions are those of presets that every process has; else all of it."""
        if self._is_read_by_texts():
            return Partial.from_bytes, (self.to_bytes(),)
        return Partial, (self.preset, self.definitions, self.part)

    def _is_read_by_texts(self) -> bool:
        if not {self.preset, *(one.preset for one in self.definitions.values())} <= shipped().keys():
            return False
        try:
            return define([*self.definitions], find_preset(self.preset)) == self.definitions
        except RankconvError:
            return False

    def __repr__(self) -> str:
        return f"Partial({self.preset}, {self.users:,} user{'s' * (self.users != 1)}; {', '.join(self.definitions)})"


def check_summable(definitions: dict[str, Definition], *, labelled: bool) -> None:
    """A MetricError for the first number whose users do not add up without being kept.

    `labelled` says whether the items that any user has a label for are known.
    """
    for spec, definition in definitions.items():
        if spanning(definition) and not labelled:
            do, shell = (
                "Say which items any user has a label for: labelled=[…].",
                "Evaluate all users at once, in memory.",
            )
            raise MetricError(
                f"{spanning(definition)} looks at the labels of all users", where=spec, do=do, shell=shell
            )
        why = why_not_summed(definition)
        if why:
            do = "Leave it out, or evaluate all users at once, in memory."
            raise MetricError(f"it cannot be put together from parts: {why}", where=spec, do=do)


def nobody(preset: str, definitions: dict[str, Definition], *, labelled: bool = False) -> Partial:
    """The part without a user: merged with any other it changes nothing.

    `labelled` says whether the items that any user has a label for are known.
    """
    check_summable(definitions, labelled=labelled)
    return Partial(preset, definitions, PartOfUsers.nobody([*definitions.values()]))
