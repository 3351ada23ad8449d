"""A definition in words: every convention with its setting and what it means."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from rankconv.conventions.convention import CONVENTIONS
from rankconv.conventions.setting_set import SettingSet
from rankconv.metrics.base import Metric
from rankconv.rendering.pages.page import Fold, Heading, Page, Paragraph, Piece, SettingsColumn, TextLine

PARTS = ("Preparation", "Metric", "Users and means")


class DescribedDefinition(Protocol):
    """What a page tells of a definition; definitions import this module, so that it does not import them."""

    @property
    def text(self) -> str:
        """How it is written."""

    @property
    def metric(self) -> Metric:
        """The metric with its settings."""

    @property
    def setting_sets(self) -> Sequence[SettingSet]:
        """Preparation, metric and aggregation."""

    def notes(self) -> Mapping[str, str]:
        """What is to be said of some settings."""


def definition_page(definition: DescribedDefinition, fingerprint: str) -> Page:
    """Every convention of one definition, with its setting and what it means."""
    sections = ([Heading(f"{title}:"), *pieces] for title, pieces in _part_pieces(definition))
    return Page([_about(definition, fingerprint), *sections])


def notebook_page(definition: DescribedDefinition, fingerprint: str) -> Page:
    """The settings of the metric, and below folds those of preparation and aggregation."""
    own, folds = list[Piece](), list[Piece]()
    for title, pieces in _part_pieces(definition):
        if title == "Metric":
            own = pieces
        else:
            folds.append(Fold(title, pieces))
    return Page([_about(definition, fingerprint), own, folds])


def _about(definition: DescribedDefinition, fingerprint: str) -> list[Piece]:
    named = f"   fingerprint {fingerprint}" if fingerprint else ""
    return [
        TextLine(f"{definition.text}{named}"),
        TextLine(f"{definition.metric.about()}   {definition.metric.formula}"),
    ]


def _part_pieces(definition: DescribedDefinition) -> Iterator[tuple[str, list[Piece]]]:
    """Each part of the definition with its settings."""
    for title, part in zip(PARTS, definition.setting_sets, strict=True):
        plain = [name for name, setting in part.settings.items() if setting.traits.by_formula]
        fields = {name: setting for name, setting in part.stated.items() if name not in plain}
        given = [Paragraph(f"As computed by the formula: {', '.join(plain)}", "  ", "    ")] if plain else []
        yield title, [rules(fields, definition.notes()), *given]


def rules(settings: Mapping[str, str], notes: Mapping[str, str] = {}) -> SettingsColumn:
    """Settings with what they mean, and what is to be noted of them."""
    pairs = []
    for name, text in settings.items():
        words = [CONVENTIONS[name](text).setting_type.rule, *([notes[name]] if name in notes else [])]
        pairs.append((f"{name}={text}", "; ".join(words)))
    return SettingsColumn(pairs)
