"""All protocols by name: those shipped, and files of one's own by their path."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from rankconv.errors import ConventionError, RankconvError, likely, not_among, unknown
from rankconv.presets import folders
from rankconv.presets.bibliography import completed
from rankconv.presets.yaml_file import Document, read_document, read_text, said
from rankconv.protocols.model import ProtocolFile
from rankconv.protocols.protocol import Answers
from rankconv.protocols.registry import PROTOCOL
from rankconv.protocols.split import Protocol
from rankconv.questions.answer_text import split
from rankconv.questions.spec import answer_of

BASE = "base"
protocol_choices = PROTOCOL
"""Every question of protocols by its name, as `protocols.protocol_choices`; a plugin adds answers to them."""
ALL_PROTOCOLS = ("rc.list_protocols()", "rankconv protocols")
_CHANGED = re.compile(r"([\w.+/\\-]+)\((.+)\)")


def protocol(name: "str | Path | Protocol", **answers: Any) -> Protocol:
    """The protocol of that name, or of that YAML file, with these answers in place of its own.

    A name may be followed by other answers too: `fastml(given=nested(20), tested=everyone)`.
    Raises ConventionError for an unknown name, with the nearest, and for answers that do not go together.

    >>> import rankconv as rc
    >>> rc.protocol("fastml", tested="number(100)").answers.given("tested")
    'number(100)'
    """
    if isinstance(name, Protocol):
        return name.replace(**answers).check()
    if not isinstance(name, (str, Path)):
        raise ConventionError(f"{name!r:.100} is not a protocol", allowed="A protocol is a name, a path, or an object")
    told = _CHANGED.fullmatch(name.strip()) if isinstance(name, str) else None
    if told:
        answers = {**dict(answer_of(part, str(name)) for part in split(told[2])), **answers}
    return _named(told[1] if told else str(name)).replace(**answers).check()


def list_protocols() -> list[str]:
    """The names of the protocols that are shipped, and of `base`, the neutral answers.

    >>> import rankconv as rc
    >>> rc.list_protocols()
    ['base', 'fastml', 'koren2008', 'leave-one-out', 'lenskit-crossfold', 'recbole-default', 'rectools-time']
    """
    return list(_shipped())


def neutral() -> Mapping[str, str]:
    """The neutral answer to every question of protocols."""
    return _named(BASE).answers.stated


@cache
def _shipped() -> dict[str, Traversable]:
    return dict(folders.walk(folders.conventions() / "protocols"))


def _named(name: str, children: tuple[str, ...] = (), beside: Path | None = None) -> Protocol:
    if name in children:
        raise ConventionError(f"protocols extend each other in a ring: {' → '.join([*children, name])}")
    if folders.is_path(name):
        path = Path(name)
        if not path.is_file():
            raise ConventionError(f"there is no file of a protocol {path}")
        return _read(path.stem, path, str(path), children, path.parent)
    own = [] if beside is None else [file for end in folders.ENDINGS for file in beside.glob(f"{name}{end}")]
    if name not in _shipped() and own:
        return _read(name, own[0], str(own[0]), children, beside)
    if name not in _shipped():
        raise not_among("protocol", name, likely(name, _shipped()), ALL_PROTOCOLS)
    return (
        _of_package(name)
        if not children
        else _read(name, _shipped()[name], f"conventions/protocols/{name}.yaml", children)
    )


@cache
def _of_package(name: str) -> Protocol:
    return _read(name, _shipped()[name], f"conventions/protocols/{name}.yaml", ())


def _read(name: str, file: Traversable, source: str, children: tuple[str, ...], beside: Path | None = None) -> Protocol:
    document = read_document(read_text(file, source), source)
    told = _file(document)
    if told.name != name:
        wrong = f"the file is called '{name}' and names its protocol '{told.name}'"
        raise ConventionError(wrong, where=document.place(("name",)))
    above: dict[str, str] = {}
    neutral_ones: Answers | None = None
    if told.extends or name != BASE:
        try:
            parent = _named(told.extends or BASE, (*children, name), beside)
            above, neutral_ones = dict(parent.answers.stated), parent.neutral or parent.answers
        except ConventionError as error:
            raise error.at(document.place(("extends",))) from None
    own = {question: _answer(question, given, document) for question, given in told.answers.items()}
    about = (told.version, told.year, told.about.strip(), tuple(map(completed, told.cite)), told.metric)
    try:
        return Protocol(name, told.title, Answers.with_answers(above | own), *about, neutral=neutral_ones).check()
    except ConventionError as error:
        raise error.at(document.place(("answers",))) from None


def _file(document: Document) -> ProtocolFile:
    if not isinstance(document.data, dict):
        raise ConventionError("a protocol is a mapping of keys", where=document.place(()))
    try:
        return ProtocolFile.model_validate(document.data)
    except ValidationError as problem:
        error = problem.errors()[0]
        path = error["loc"]
        if error["type"] == "extra_forbidden" and len(path) == 1:
            keys = list(ProtocolFile.model_fields)
            raise unknown("key of a protocol", str(path[-1]), keys, where=document.place(path)) from None
        raise ConventionError(f"'{'.'.join(map(str, path))}': {said(error)}", where=document.place(path)) from None


def _answer(question: str, given: Any, document: Document) -> str:
    place = document.place(("answers", question))
    if question not in PROTOCOL:
        raise unknown("question of protocols", question, PROTOCOL, where=place)
    try:
        return PROTOCOL[question].validate(given)
    except RankconvError as error:
        raise error.at(place) from None
