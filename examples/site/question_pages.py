"""A page for each question: what it asks, its answers with rule and formula, three lines on which they differ."""

from collections.abc import Iterator, Mapping, Sequence

from decided import Dispute
from places import Places
from three_lines import Example
from writer import anchor, elements, heading, html, pieces, site_page

from rankconv.ask.show.choice_pages import choice_page
from rankconv.pages.page import Beside, Heading, Piece
from rankconv.pages.web.elements import element, mathematics
from rankconv.questions.choice import Choice


def question_page(
    choice: Choice, example: Example | None, disputes: Sequence[Dispute], parts: Mapping[str, str], places: Places
) -> str:
    """All that is known of one question."""
    first, *answers = choice_page(choice, every=True).sections
    about = [piece for piece in first if not isinstance(piece, Heading)]
    blocks = [f"**{choice.question}** A question on {parts[choice.name]}.", pieces(about, places)]
    blocks += [part for section in answers for part in _answer(choice, section, places)]
    blocks += [heading("Three lines on which they differ"), example.block(places)] if example else []
    blocks += [heading("Disputes that it decided"), *(one.link for one in disputes)] if disputes else []
    return site_page(choice.name, *blocks, about=choice.question)


def _answer(choice: Choice, section: Sequence[Piece], places: Places) -> Iterator[str]:
    """One answer: its name, its rule, its formula where it has one of its own, and who gives it."""
    first, *more = section
    assert isinstance(first, Beside)
    yield heading(first.head, 2, anchor(first.head))
    yield elements([element("p", first.words, class_="rule")], places)
    option = choice.options[
        next(name for name, one in choice.options.items() if one.parameters.shown(name) == first.head)
    ]
    if option.tex and "«" not in option.tex:
        yield elements([mathematics(option.tex)], places)
    yield html(more, places)
