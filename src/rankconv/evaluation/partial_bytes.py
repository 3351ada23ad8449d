"""A part of the users as bytes and back: one line with the form and a checksum, then JSON in one spelling."""

import json
import zlib
from collections.abc import Mapping
from dataclasses import fields
from functools import cache, lru_cache
from typing import Any

from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from rankconv.engine.exact import Leveled
from rankconv.engine.metric_result import no_users
from rankconv.engine.parts import Counted, PartOfUsers
from rankconv.engine.summed import Summed
from rankconv.errors import InputError, MetricError, RankconvError
from rankconv.presets.defining import define
from rankconv.presets.definition import Definition
from rankconv.presets.registry import neutral_settings
from rankconv.presets.registry import preset as find_preset
from rankconv.specs.table import Registry

FORM = 1
"""Raised when the bytes change in a way that older versions cannot read."""
_HEAD = "rankconv-partial"


@dataclass(frozen=True, config=ConfigDict(strict=True))
class _Number:
    """One metric: its text and fingerprint, and what `Summed` holds."""

    metric: str
    fingerprint: str
    found: Summed


@dataclass(frozen=True, config=ConfigDict(strict=True))
class _Written:
    """All that the bytes say."""

    preset: str
    data: Counted
    numbers: list[_Number]


@cache
def _form() -> TypeAdapter[_Written]:
    return TypeAdapter(_Written)


def fingerprint_of(definition: Definition) -> str:
    """What names a definition, also where a setting is a function: then the text alone."""
    return definition.text if definition.functions else _fingerprint(definition, Registry.generation)


@lru_cache(maxsize=1024)
def _fingerprint(definition: Definition, generation: int) -> str:
    return definition.fingerprint_over(neutral_settings())


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


def written(preset: str, definitions: Mapping[str, Definition], part: PartOfUsers) -> bytes:
    """The bytes of a part; equal parts have equal bytes."""
    numbers = [
        {"metric": spec, "fingerprint": _fingerprint(definition, Registry.generation), "found": _field_texts(summed)}
        for (spec, definition), summed in zip(definitions.items(), part.summed, strict=True)
    ]
    values = {"preset": preset, "data": _field_texts(part.counted), "numbers": numbers}
    body = json.dumps(values, ensure_ascii=True, separators=(",", ":"), sort_keys=True, default=_plain).encode()
    return f"{_HEAD} {FORM} {zlib.crc32(body):08x}\n".encode() + body


def _plain(one: Any) -> Any:
    """What a part holds inside, as JSON has it: each field, or the whole of what grew in pieces."""
    return one.plain() if isinstance(one, Leveled) else {field.name: getattr(one, field.name) for field in fields(one)}


def _field_texts(one: Counted | Summed) -> dict[str, Any]:
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
    return found.preset, known, PartOfUsers(found.data, tuple(one.found for one in found.numbers))


def _parsed(data: bytes) -> _Written:
    head, _, body = bytes(data).partition(b"\n")
    words = head.decode("ascii", "replace").split(" ")
    if len(words) != 3 or words[0] != _HEAD:
        raise InputError("these bytes are no part of an evaluation", do="Read what Partial.to_bytes wrote.")
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
        raise InputError("these bytes are no part of an evaluation", where=where) from None


def _definitions(found: _Written) -> dict[str, Definition]:
    try:
        return define([one.metric for one in found.numbers], find_preset(found.preset))
    except RankconvError as problem:
        raise InputError(
            f"the definitions of the part are not known here: {problem}",
            do="Load the plugin, or pass the metrics and the preset: Partial.from_bytes(data, metrics, preset).",
        ) from None


def _check(definition: Definition, one: _Number) -> None:
    """An InputError where this is not the definition of which the part has numbers."""
    known = fingerprint_of(definition)
    if known != one.fingerprint:
        wrong = f"the part has the definition {one.fingerprint}, and here it is {known}"
        raise InputError(wrong, where=one.metric, do="Use one preset, and one version of rankconv, for all parts.")
    states = len(no_users(definition)) - 1
    if one.found.tally and len(one.found.tally) != states:
        raise InputError(f"the part counts {len(one.found.tally)} states of users, not {states}", where=one.metric)
