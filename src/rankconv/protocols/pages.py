"""Pages that describe protocols and splits."""

from collections.abc import Mapping

import numpy as np

from rankconv.pages.page import Heading, Line, Page, Paragraph, Piece, Rule
from rankconv.pages.table import Table
from rankconv.protocols.draws import PROTOCOL
from rankconv.protocols.presets import list_protocols, neutral, protocol
from rankconv.protocols.split import Protocol, Split


def protocol_page(shown: Protocol) -> Page:
    """What it is, its sources, every setting with its rule, its own first, and the sentence for a paper."""
    version = f" ({shown.version})" if shown.version else ""
    about: list[Piece] = [Paragraph(f"{shown.text}: {shown.title}{version}   fingerprint {shown.fingerprint}")]
    about += [Paragraph(shown.about)] if shown.about else []
    for source in shown.cite:
        where = ", ".join(filter(None, [source.where, source.doi and f"doi:{source.doi}", source.url]))
        by = f"{source.authors}{f' ({source.year})' if source.year else ''}: " if source.authors else ""
        about.append(Paragraph(f"Source: {by}{source.title}{f', {where}' if where else ''}", rest="  "))
    about += [Line(f"Metric: {shown.metric}")] if shown.metric else []
    own = {q: setting for q, setting in shown.settings.stated.items() if setting != neutral()[q]}
    other = {q: setting for q, setting in shown.settings.stated.items() if q not in own}
    sections: list[list[Piece]] = [about]
    sections += [[Heading("Its own settings:"), *_rules(own)]] if own else []
    sections += [[Heading("As all that say nothing else:"), *_rules(other)]] if other else []
    return Page([*sections, [Heading("For a paper:"), Paragraph(shown.sentence)]])


def _rules(settings: dict[str, str]) -> list[Rule]:
    return [Rule(f"{q}={setting}", PROTOCOL[q](setting).setting_type.rule) for q, setting in settings.items()]


def protocol_difference(ours: Protocol, other: Protocol) -> Page:
    """The conventions on which two protocols differ."""
    found = ours.diff(other)
    rows = [[convention_name, mine, theirs] for convention_name, (mine, theirs) in found.items()]
    piece: Piece = Table(["convention", ours.text, other.text], rows, labels=3) if rows else Line("No setting differs.")
    return Page([[Heading(f"{ours.text} against {other.text}")], [piece]])


def protocols_table() -> Table:
    """All protocols that are shipped, with their fingerprints."""
    rows = [[name, protocol(name).title, protocol(name).fingerprint] for name in list_protocols()]
    return Table(["protocol", "what it is", "fingerprint"], rows, labels=3, prose=frozenset({1}))


def protocol_conventions() -> Table:
    """All conventions of protocols with their settings."""
    rows = [[name, convention.description, ", ".join(convention.names)] for name, convention in PROTOCOL.items()]
    return Table(["convention", "description", "settings"], rows, labels=3, prose=frozenset({1, 2}))


def split_page(split: Split, files: Mapping[str, int], folder: str) -> Page:
    """The rows of each file, users and points, fingerprints, and the sentence."""
    rows = [[f"{folder}/{name}", f"{count:,}"] for name, count in files.items()]
    tested, points = len(np.unique(split.points.user)), len(split.points)
    text = f"{tested:,} users are tested" + (f", {points:,} times in all" if points != tested else "")
    named = f"{text}. Protocol {split.protocol.fingerprint}, seed {split.seed}, split {split.fingerprint}."
    return Page([[Table(["file", "rows"], rows)], [Line(named)], [Paragraph(split.sentence)]])
