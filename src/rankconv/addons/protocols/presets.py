"""All protocols by name: those shipped, and files of one's own by their path."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from rankconv.addons.protocols.draws import PROTOCOL
from rankconv.addons.protocols.protocol import ProtocolSettings
from rankconv.addons.protocols.split import Protocol
from rankconv.basics.errors import ConventionError, RankconvError, likely, not_among, unknown
from rankconv.conventions.spec import setting_of, split
from rankconv.presets import folders
from rankconv.presets.checked_file import Strict, validated
from rankconv.presets.folders import completed
from rankconv.presets.preset_file import Citation, Name, YamlSetting
from rankconv.presets.yaml_file import Document, read_document, read_text


class ProtocolFile(Strict):
    """A protocol as its file states it: only where it differs from the one it extends."""

    name: Name
    """The name that users type; equal to the file's stem."""
    title: str
    """What it is, in one line."""
    version: str = ""
    """Of the software that it describes."""
    year: int | None = None
    extends: Name | None = None
    """The protocol on which this one is based; `base` where nothing is said."""
    about: str = ""
    """What is peculiar, and which readings were taken where the source is silent."""
    cite: tuple[Citation, ...] = ()
    metric: str = ""
    """The metric that the source reports under it, as a spec."""
    settings: Mapping[str, YamlSetting] = {}
    """Its settings by convention."""


BASE = "base"
protocol_conventions = PROTOCOL
"""Every convention of protocols by its name, as `protocols.protocol_conventions`; a plugin adds settings to them."""
ALL_PROTOCOLS = ("rc.list_protocols()", "rankconv list protocols")
_CHANGED = re.compile(r"([\w.+/\\-]+)\((.+)\)")


def protocol(name: "str | Path | Protocol", **settings: Any) -> Protocol:
    """Return the protocol of that name or file.

    Parameters
    ----------
    name : str, path or Protocol
        A name of `rc.list_protocols()`, or a YAML file; may be followed by other settings,
        `fastml(given=nested(20), tested=everyone)`.
    **settings
        Other settings, by convention.

    Returns
    -------
    Protocol
        The protocol; `.split(ratings)` applies it.

    Raises
    ------
    ConventionError
        If the name is unknown, or settings do not go together.

    Examples
    --------
    >>> import rankconv as rc
    >>> rc.protocol("fastml", tested="number(100)").settings.given("tested")
    'number(100)'
    """
    if isinstance(name, Protocol):
        return name.replace(**settings).check()
    if not isinstance(name, (str, Path)):
        raise ConventionError(f"{name!r:.100} is not a protocol", allowed="A protocol is a name, a path, or an object")
    changed = _CHANGED.fullmatch(name.strip()) if isinstance(name, str) else None
    if changed:
        settings = {**dict(_given(part, str(name)) for part in split(changed[2])), **settings}
    return _protocol_named(changed[1] if changed else str(name)).replace(**settings).check()


def _given(part: str, text: str) -> tuple[str, str]:
    """A convention and its setting."""
    if "=" not in part:
        wrong = f"'{part.strip()}' in '{text}' is not of the form convention=setting"
        raise ConventionError(wrong, allowed="Write protocol(convention=setting), such as fastml(given=nested(20))")
    return setting_of(part, text)


def list_protocols() -> list[str]:
    """List the names of the shipped protocols, and of `base`, the neutral settings.

    Returns
    -------
    list of str
        The names.

    Examples
    --------
    >>> import rankconv as rc
    >>> rc.list_protocols()
    ['base', 'fastml', 'koren2008', 'leave-one-out', 'lenskit-crossfold', 'recbole-default', 'rectools-time']
    """
    return list(_shipped())


def neutral() -> Mapping[str, str]:
    """The neutral setting of every convention of protocols."""
    return _protocol_named(BASE).settings.stated


@cache
def _shipped() -> dict[str, Traversable]:
    return dict(folders.walk(folders.conventions() / "protocols"))


def _protocol_named(name: str, children: tuple[str, ...] = (), folder: Path | None = None) -> Protocol:
    if name in children:
        raise ConventionError(f"protocols extend each other in a ring: {' → '.join([*children, name])}")
    if folders.is_path(name):
        path = Path(name)
        if not path.is_file():
            raise ConventionError(f"there is no file of a protocol {path}")
        return _read(path.stem, path, str(path), children, path.parent)
    own = [] if folder is None else [file for end in folders.ENDINGS for file in folder.glob(f"{name}{end}")]
    if name not in _shipped() and own:
        return _read(name, own[0], str(own[0]), children, folder)
    if name not in _shipped():
        raise not_among("protocol", name, likely(name, _shipped()), ALL_PROTOCOLS)
    return _of_package(name, children)


@cache
def _of_package(name: str, children: tuple[str, ...]) -> Protocol:
    return _read(name, _shipped()[name], f"conventions/protocols/{name}.yaml", children)


def _read(name: str, file: Traversable, source: str, children: tuple[str, ...], folder: Path | None = None) -> Protocol:
    document = read_document(read_text(file, source), source)
    stated = validated(ProtocolFile, document, "a protocol")
    if stated.name != name:
        wrong = f"the file is called '{name}' and names its protocol '{stated.name}'"
        raise ConventionError(wrong, where=document.place(("name",)))
    above: dict[str, str] = {}
    neutral_ones: ProtocolSettings | None = None
    if stated.extends or name != BASE:
        try:
            parent = _protocol_named(stated.extends or BASE, (*children, name), folder)
            above, neutral_ones = dict(parent.settings.stated), parent.neutral or parent.settings
        except ConventionError as error:
            raise error.at(document.place(("extends",))) from None
    own = {q: _setting(q, given, document) for q, given in stated.settings.items()}
    about = (stated.version, stated.year, stated.about.strip(), tuple(map(completed, stated.cite)), stated.metric)
    try:
        settings = ProtocolSettings.with_settings(above | own)
        return Protocol(name, stated.title, settings, *about, neutral=neutral_ones).check()
    except ConventionError as error:
        raise error.at(document.place(("settings",))) from None


def _setting(convention_name: str, given: Any, document: Document) -> str:
    place = document.place(("settings", convention_name))
    if convention_name not in PROTOCOL:
        raise unknown("convention of protocols", convention_name, PROTOCOL, where=place)
    try:
        return PROTOCOL[convention_name].validate(given)
    except RankconvError as error:
        raise error.at(place) from None
