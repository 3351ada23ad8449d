"""Files of users, checked by pydantic: the base of their models, and errors with the line and the keys allowed."""

from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from functools import cache
from typing import Any, TypeVar, get_args, get_type_hints

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from rankconv.basics.errors import ConventionError, RankconvError, unknown
from rankconv.presets.preset_file import STRICT, yaml_key
from rankconv.presets.yaml_file import Document, Path


class Strict(BaseModel):
    """Unknown keys are errors."""

    model_config = ConfigDict(**STRICT, frozen=True, defer_build=True)


UNKNOWN = ("extra_forbidden", "unexpected_keyword_argument")
"""What pydantic calls a key that a model, or a dataclass, does not have."""


def problem_text(error: Mapping[str, Any]) -> str:
    """What a pydantic error says, as a part of a sentence of ours."""
    text = str(error["ctx"]["error"]) if error["type"] in ("value_error", "assertion_error") else str(error["msg"])
    return f"{text[:1].lower()}{text[1:]}"


FileModel = TypeVar("FileModel", bound=BaseModel)


def validated(kind: type[FileModel], document: Document, called: str) -> FileModel:
    """What a file says, by its model; a ConventionError with the line of what is not allowed in it."""
    if not isinstance(document.data, dict):
        raise ConventionError(f"{called} is a mapping of keys", where=document.place(()))
    try:
        return kind.model_validate(document.data)
    except ValidationError as problem:
        first = min(problem.errors(), key=lambda error: error["type"] not in UNKNOWN)
        raise shape_error(kind, first, document, called) from None


_checker = cache(TypeAdapter)
"""That of a type; making one takes longer than checking a file."""


def problems(kind: Any, data: Any) -> list[ErrorDetails]:
    """What pydantic finds wrong with data of this type."""
    try:
        _checker(kind).validate_python(data)
    except ValidationError as problem:
        return problem.errors(include_url=False)
    return []


def shape_error(kind: type, error: ErrorDetails, document: Document, called: str) -> RankconvError:
    """What a model says of a file, with the line, and the keys that are allowed where one is not."""
    path, place = error["loc"], document.place(error["loc"])
    if error["type"] in UNKNOWN:
        return unknown(f"key of {called}", str(path[-1]), _keys(kind, path), where=place)
    number = isinstance(error["input"], (int, float)) and error["type"] == "string_type"
    do = "Put the number in quotes, so that all its digits stay." if number else ""
    return ConventionError(f"'{'.'.join(map(str, path))}': {problem_text(error)}", where=place, do=do)


def fields(kind: type) -> dict[str, Any]:
    """The types of what a file of this kind may say, by key."""
    hints = {name: hint for name, hint in get_type_hints(kind).items() if name[0] != "_" and name != "model_config"}
    return {yaml_key(name): hint for name, hint in hints.items()}


def _keys(kind: type, path: Path) -> list[str]:
    """The keys that are allowed where the last one of this path is."""
    for part in path[:-1]:
        kind = next(_kinds(fields(kind).get(str(part))), kind)
    return list(fields(kind))


def _kinds(annotation: Any) -> Iterator[type]:
    if isinstance(annotation, type) and (issubclass(annotation, BaseModel) or is_dataclass(annotation)):
        yield annotation
    for part in get_args(annotation):
        yield from _kinds(part)
