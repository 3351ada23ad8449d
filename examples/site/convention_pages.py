"""A page for each convention: what it is about, its settings with rule and formula, and three differing lines."""

from collections.abc import Iterator, Mapping, Sequence

from decided import Dispute
from places import Places
from three_lines import Example
from writer import anchor, elements, heading, html, pieces, site_page

from rankconv.analysis.show import convention_page
from rankconv.pages.page import Aside, Heading, Piece
from rankconv.pages.web.elements import element, mathematics
from rankconv.specs.convention import Convention


def page_of_convention(
    convention: Convention,
    example: Example | None,
    disputes: Sequence[Dispute],
    parts: Mapping[str, str],
    places: Places,
) -> str:
    """All that is known of one convention."""
    first, *settings = convention_page(convention, every=True).sections
    about = [piece for piece in first if not isinstance(piece, Heading)]
    blocks = [f"**{convention.description}** A convention on {parts[convention.name]}.", pieces(about, places)]
    blocks += [part for section in settings for part in _setting(convention, section, places)]
    blocks += [heading("Three lines on which they differ"), example.block(places)] if example else []
    blocks += [heading("Disputes that it decided"), *(one.link for one in disputes)] if disputes else []
    return site_page(convention.name, *blocks, about=convention.description)


def _setting(convention: Convention, section: Sequence[Piece], places: Places) -> Iterator[str]:
    """One setting: its name, its rule, its formula where it has one of its own, and who gives it."""
    first, *more = section
    assert isinstance(first, Aside)
    yield heading(first.head, 2, anchor(first.head))
    yield elements([element("p", first.words, class_="rule")], places)
    setting_type = convention.setting_types[
        next(name for name, one in convention.setting_types.items() if one.parameters.shown(name) == first.head)
    ]
    if setting_type.tex and "«" not in setting_type.tex:
        yield elements([mathematics(setting_type.tex)], places)
    yield html(more, places)
