"""Pages that describe protocols and splits, and a split in a folder: one table for each part."""

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from typing_extensions import TypedDict

from rankconv.addons.protocols.division import Split
from rankconv.addons.protocols.draws import PROTOCOL
from rankconv.addons.protocols.presets import list_protocols, neutral, protocol
from rankconv.addons.protocols.split import Protocol
from rankconv.analysis.lookup_data import ListedConvention
from rankconv.basics.errors import InputError, nearest
from rankconv.basics.output_files import draft_of, write_table
from rankconv.evaluation.citing.citations import CitationData, citation_data
from rankconv.rendering.pages.page import Heading, Page, Paragraph, Piece, SettingsColumn, TextLine
from rankconv.rendering.pages.table import Table

ENDINGS = ("csv", "parquet", "jsonl")
ABOUT = "split.json"


class SplitData(TypedDict):
    """A split of ratings by a protocol."""

    protocol: str
    settings: dict[str, str]
    """Every setting of the protocol."""
    seed: int
    protocol_fingerprint: str
    split_fingerprint: str
    sentence: str
    """What a paper says of it."""


class WrittenSplitData(SplitData):
    """A split in a folder, as `split.json` there has it too."""

    files: dict[str, int]
    """By file how many rows it has."""


def write(split: Split, folder: Path, ending: str = "csv", *, force: bool = False) -> WrittenSplitData:
    """Write all parts; what `split.json` says is returned. InputError where a file is there already."""
    if ending not in ENDINGS:
        allowed = f"The forms are {', '.join(ENDINGS)}"
        raise InputError(f"'{ending}' is no form of a part", allowed=allowed, nearest=nearest(ending, ENDINGS))
    parts = {f"{name}.{ending}": frame for name, frame in split.to_frames().items()}
    _check(folder, [*parts, ABOUT], force)
    for name, frame in parts.items():
        write_table(frame, folder / name, force=force)
    fields: WrittenSplitData = {**about(split), "files": {name: len(frame) for name, frame in parts.items()}}
    with draft_of(folder / ABOUT, force=force) as draft:
        draft.write_text(json.dumps(fields, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return fields


def about(split: Split) -> SplitData:
    """What a split is: its protocol, each setting, the seed, fingerprints, and the sentence for a paper."""
    return {
        "protocol": split.protocol.text,
        "settings": dict(split.protocol.settings.stated),
        "seed": split.seed,
        "protocol_fingerprint": split.protocol.fingerprint,
        "split_fingerprint": split.fingerprint,
        "sentence": split.sentence,
    }


def _check(folder: Path, names: list[str], force: bool) -> None:
    """An InputError where a file is in the way, before anything is written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise InputError(f"no folder can be made: {problem.strerror}", where=str(folder)) from None
    there = [name for name in names if (folder / name).exists()]
    if there and not force:
        do, shell = (f"Choose another folder, or overwrite with {one}." for one in ("force=True", "--force"))
        raise InputError(f"there is a {there[0]} already", where=str(folder), do=do, shell=shell)


def protocol_page(shown: Protocol) -> Page:
    """What it is, its sources, every setting with its rule, its own first, and the sentence for a paper."""
    version = f" ({shown.version})" if shown.version else ""
    about: list[Piece] = [Paragraph(f"{shown.text}: {shown.title}{version}   fingerprint {shown.fingerprint}")]
    about += [Paragraph(shown.about)] if shown.about else []
    for source in shown.cite:
        where = ", ".join(filter(None, [source.where, source.doi and f"doi:{source.doi}", source.url]))
        by = f"{source.authors}{f' ({source.year})' if source.year else ''}: " if source.authors else ""
        about.append(Paragraph(f"Source: {by}{source.title}{f', {where}' if where else ''}", rest="  "))
    about += [TextLine(f"Metric: {shown.metric}")] if shown.metric else []
    own = {q: setting for q, setting in shown.settings.stated.items() if setting != neutral()[q]}
    other = {q: setting for q, setting in shown.settings.stated.items() if q not in own}
    sections: list[list[Piece]] = [about]
    sections += [[Heading("Its own settings:"), _rules(own)]] if own else []
    sections += [[Heading("As all that say nothing else:"), _rules(other)]] if other else []
    return Page([*sections, [Heading("For a paper:"), Paragraph(shown.sentence)]])


def _rules(settings: dict[str, str]) -> SettingsColumn:
    return SettingsColumn([(f"{q}={text}", PROTOCOL[q](text).setting_type.rule) for q, text in settings.items()])


def protocol_difference(ours: Protocol, other: Protocol) -> Page:
    """The conventions on which two protocols differ."""
    found = ours.diff(other)
    rows = [[convention_name, mine, theirs] for convention_name, (mine, theirs) in found.items()]
    piece: Piece = (
        Table(["convention", ours.text, other.text], rows, labels=3) if rows else TextLine("No setting differs.")
    )
    return Page([[Heading(f"{ours.text} against {other.text}")], [piece]])


class ShownProtocol(TypedDict):
    """A protocol with its settings."""

    protocol: str
    title: str
    version: str
    """The version of the system; empty where it has none."""
    fingerprint: str
    about: str
    sources: list[CitationData]
    metric: str
    """The metric that it names; empty where it names none."""
    settings: dict[str, str]
    """The setting of each convention."""
    sentence: str
    """What a paper says of it."""


def shown_protocol(shown: Protocol) -> ShownProtocol:
    """Describe a protocol with its settings."""
    return {
        "protocol": shown.text,
        "title": shown.title,
        "version": shown.version,
        "fingerprint": shown.fingerprint,
        "about": shown.about,
        "sources": list(map(citation_data, shown.cite)),
        "metric": shown.metric,
        "settings": dict(shown.settings.stated),
        "sentence": shown.sentence,
    }


class ProtocolDifference(TypedDict):
    """The settings in which two protocols differ."""

    a: str
    """The first protocol."""
    b: str
    settings: dict[str, list[str]]
    """By convention the setting of the first and that of the second."""


def protocol_difference_data(a: Protocol, b: Protocol) -> ProtocolDifference:
    """Compare two protocols."""
    return {"a": a.text, "b": b.text, "settings": {name: list(pair) for name, pair in a.diff(b).items()}}


class ListedProtocol(TypedDict):
    """A protocol."""

    protocol: str
    title: str
    fingerprint: str


class ProtocolsData(TypedDict):
    """All protocols, and their conventions."""

    protocols: list[ListedProtocol]
    conventions: list[ListedConvention]


def listed_protocols() -> list[ListedProtocol]:
    """All protocols that are shipped, with their fingerprints."""
    return [
        {"protocol": name, "title": one.title, "fingerprint": one.fingerprint}
        for name in list_protocols()
        for one in [protocol(name)]
    ]


def listed_protocol_conventions() -> list[ListedConvention]:
    """All conventions of protocols with their settings."""
    return [
        {"convention": name, "section": "protocols", "description": one.description, "settings": list(one.names)}
        for name, one in PROTOCOL.items()
    ]


def protocols_table() -> Table:
    """All protocols that are shipped, with their fingerprints."""
    rows = [[one["protocol"], one["title"], one["fingerprint"]] for one in listed_protocols()]
    return Table(["protocol", "what it is", "fingerprint"], rows, labels=3, prose=frozenset({1}))


def protocol_conventions() -> Table:
    """All conventions of protocols with their settings."""
    rows = [
        [one["convention"], one["description"], ", ".join(one["settings"])] for one in listed_protocol_conventions()
    ]
    return Table(["convention", "description", "settings"], rows, labels=3, prose=frozenset({1, 2}))


def split_page(split: Split, files: Mapping[str, int], folder: str) -> Page:
    """The rows of each file, users and points, fingerprints, and the sentence."""
    rows = [[f"{folder}/{name}", f"{count:,}"] for name, count in files.items()]
    tested, points = len(np.unique(split.points.user)), len(split.points)
    text = f"{tested:,} users are tested" + (f", {points:,} times in all" if points != tested else "")
    named = f"{text}. Protocol {split.protocol.fingerprint}, seed {split.seed}, split {split.fingerprint}."
    return Page([[Table(["file", "rows"], rows)], [TextLine(named)], [Paragraph(split.sentence)]])
