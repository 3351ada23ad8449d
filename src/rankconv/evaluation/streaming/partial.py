"""Partial results of parts of the users, which merge, and their bytes."""

import json
import zlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import cache, reduce
from typing import Any

import numpy as np
from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass as checked_dataclass

from rankconv.basics.errors import InputError, MetricError, RankconvError, RespelledIds, warn
from rankconv.engine.exact_sums import Leveled
from rankconv.engine.metric_result import no_users
from rankconv.engine.user_sums import Summed, check_summable
from rankconv.evaluation.results.circumstances import SignedData
from rankconv.evaluation.results.data_sums import DataSums
from rankconv.evaluation.results.result import Errors, Result, raise_first
from rankconv.evaluation.streaming.user_parts import DataCounts, PartOfUsers
from rankconv.presets import arguments
from rankconv.presets.arguments import Metrics, define
from rankconv.presets.definition import Definition
from rankconv.presets.preset import Preset
from rankconv.presets.preset_registry import preset as find_preset

FORM = 4
"""Raised when the bytes change in a way that older versions cannot read."""
_HEAD = "rankconv-partial"
_STRICT = ConfigDict(strict=True, extra="forbid")
"""Also of what the fields hold: a field that is not known would be a number left out in silence."""


@checked_dataclass(frozen=True, config=_STRICT)
class _PartialNumber:
    """One metric: its text and fingerprint, and what `Summed` holds."""

    metric: str
    fingerprint: str
    found: Summed


@checked_dataclass(frozen=True, config=_STRICT)
class _PartialModel:
    """All that the bytes say."""

    preset: str
    data: DataCounts
    numbers: list[_PartialNumber]
    digests: DataSums


@cache
def _form() -> TypeAdapter[_PartialModel]:
    return TypeAdapter(_PartialModel)


def fingerprint_of(definition: Definition) -> str:
    """What names a definition, also where a setting is a function: then the text alone."""
    return definition.fingerprint or definition.text


def check_same(ours: Mapping[str, Definition], theirs: Mapping[str, Definition]) -> None:
    """A MetricError where two parts are of other metrics."""
    if ours is theirs:
        return
    if list(ours) != list(theirs):
        parts = [", ".join(one) for one in (ours, theirs)]
        raise MetricError(
            f"the parts have other metrics: {parts[0]} here, {parts[1]} there",
            do="Evaluate all parts with the same arguments.",
        )
    for spec, definition in ours.items():
        if fingerprint_of(definition) != fingerprint_of(theirs[spec]):
            raise MetricError(
                "it is defined otherwise in another part", where=spec, do="Evaluate all parts with the same arguments."
            )


def bytes_of_part(preset: str, definitions: Mapping[str, Definition], part: PartOfUsers) -> bytes:
    """The bytes of a part; equal parts have equal bytes."""
    for definition in definitions.values():
        if definition.functions:
            do = "Register it under a name: @rc.convention(…).setting(…) in a plugin file."
            raise MetricError(f"bytes cannot hold it: {definition.why_no_fingerprint}", where=definition.text, do=do)
    numbers = [
        {"metric": spec, "fingerprint": definition.fingerprint, "found": _field_texts(summed)}
        for (spec, definition), summed in zip(definitions.items(), part.summed, strict=True)
    ]
    values = {"preset": preset, "data": _field_texts(part.counted), "numbers": numbers, "digests": part.digests}
    body = json.dumps(values, ensure_ascii=True, separators=(",", ":"), sort_keys=True, default=_plain).encode()
    return f"{_HEAD} {FORM} {zlib.crc32(body):08x}\n".encode() + body


def _plain(one: Any) -> Any:
    """What a part holds inside, as JSON has it: each field, or the whole of what grew in levels."""
    return one.plain() if isinstance(one, Leveled) else {field.name: getattr(one, field.name) for field in fields(one)}


def _field_texts(one: DataCounts | Summed) -> dict[str, Any]:
    """The fields that say something."""
    empty, values = type(one)(), ((field.name, getattr(one, field.name)) for field in fields(one))
    return {name: value for name, value in values if value != getattr(empty, name)}


def read(
    data: bytes, definitions: Mapping[str, Definition] | None = None
) -> tuple[str, dict[str, Definition], PartOfUsers]:
    """The preset, what was requested, and the part that these bytes hold; InputError where they hold none."""
    found = _parsed(data)
    known = dict(definitions) if definitions is not None else _definitions(found)
    if list(known) != [one.metric for one in found.numbers]:
        text = ", ".join(one.metric for one in found.numbers)
        raise InputError(f"the part has the metrics {text}, and those passed are {', '.join(known)}")
    for one in found.numbers:
        _check(known[one.metric], one)
    return found.preset, known, PartOfUsers(found.data, tuple(one.found for one in found.numbers), found.digests)


def _parsed(data: bytes) -> _PartialModel:
    head, _, body = bytes(data).partition(b"\n")
    words = head.decode("ascii", "replace").split(" ")
    if len(words) != 3 or words[0] != _HEAD:
        raise InputError("these bytes are not a part of an evaluation", do="Read what Partial.to_bytes wrote.")
    if words[1] != str(FORM):
        do = "Write and read parts with one version of rankconv."
        raise InputError(f"the part is of form {words[1]}, and this version reads form {FORM}", do=do)
    if words[2] != f"{zlib.crc32(body):08x}":
        raise InputError("the part was cut off or changed on its way: its checksum differs", do="Send it anew.")
    try:
        return _form().validate_json(body)
    except ValidationError as problem:
        first = problem.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise InputError("these bytes are not a part of an evaluation", where=where) from None


def _definitions(found: _PartialModel) -> dict[str, Definition]:
    try:
        return define([one.metric for one in found.numbers], find_preset(found.preset))
    except RankconvError as problem:
        raise InputError(
            f"the definitions of the part are not known here: {problem}",
            do="Load the plugin, or pass the metrics and the preset: Partial.from_bytes(data, metrics, preset).",
        ) from None


def _check(definition: Definition, one: _PartialNumber) -> None:
    """An InputError where this is not the definition of which the part has numbers."""
    known = fingerprint_of(definition)
    if known != one.fingerprint:
        wrong = f"the part has the definition {one.fingerprint}, and here it is {known}"
        raise InputError(wrong, where=one.metric, do="Use one preset, and one version of rankconv, for all parts.")
    states = len(no_users(definition)) - 1
    if one.found.tally and len(one.found.tally) != states:
        raise InputError(f"the part counts {len(one.found.tally)} states of users, not {states}", where=one.metric)


@dataclass(frozen=True, eq=False)
class Partial:
    """Partial sums: sums and counts of some users, in a form that no order or grouping changes.

    Made by `Evaluator.partial()`; `Partial.merged` puts parts together, of which no two may have a user in common: that
    is not checked, since no ids are kept. `to_bytes` is equal for equal contents. A mean or a sum takes about 150
    bytes a metric; a median 20 bytes a user more, since it needs their values.

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
    """The preset that was taken where a spec named none."""
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
        return self.compute_with((), on_error)

    def compute_with(self, respelled: Collection[str], on_error: Errors) -> Result:
        """The numbers, where sentences on spellings of ids were said of a batch already."""
        arguments.word(on_error, Errors, "on_error")
        measured = self.part.measured([*self.definitions.values()])
        by_spec = dict(zip(self.definitions, measured, strict=True))
        signed = SignedData(self.definitions.values(), sums=self.part.digests)
        notes = noted(self.part, respelled)
        result = Result(self.preset, np.empty(0, np.int64), by_spec, unnamed=self.users, notes=notes, signed=signed)
        if on_error == "raise":
            raise_first(result.errors)
        return result

    def to_bytes(self) -> bytes:
        """All of it in bytes: a line that tells the form and a checksum, and JSON with fingerprints; nothing to run.

        Raises MetricError where a setting is a function, which no text can name.
        """
        return bytes_of_part(self.preset, self.definitions, self.part)

    @classmethod
    def from_bytes(cls, data: bytes, metrics: Metrics | None = None, preset: str | Preset | None = None) -> "Partial":
        """What `to_bytes` wrote. Its metrics are read by their texts; pass them where their preset has no name here.

        Raises InputError for other bytes and for metrics that differ from those that were written.
        """
        if metrics is None and preset is None:
            return cls(*read(data))
        chosen = find_preset("rankconv" if preset is None else preset)
        return cls(*read(data, define(metrics, chosen)))

    def __repr__(self) -> str:
        return f"Partial({self.preset}, {self.users:,} user{'s' * (self.users != 1)}; {', '.join(self.definitions)})"


def noted(part: PartOfUsers, respelled: Collection[str]) -> tuple[str, ...]:
    """Return what is said of the ids of all users, and warn of it; but of spellings, which a batch was warned of."""
    found = part.counted.notes(respelled)
    for said in found:
        if said not in respelled:
            warn(said, RespelledIds)
    return found


def nobody(preset: str, definitions: dict[str, Definition], *, labelled: bool = False, digests: bool = True) -> Partial:
    """The part without a user: merged with any other it changes nothing.

    `labelled` says whether the items that any user has a label for are known; without `digests` no part has any.
    """
    check_summable(definitions, labelled=labelled)
    return Partial(preset, definitions, PartOfUsers.nobody([*definitions.values()], digests=digests))
