"""An explanation as GitHub Markdown: headings, tables, and equations as mathematics."""

from rankconv.escaping import markdown
from rankconv.explaining.equation import Equation
from rankconv.report.explanation_latex import equation_of
from rankconv.report.explanation_page import Answers, Page, Piece, Section
from rankconv.report.table import Table


def markdown_of(page: Page) -> str:
    """The whole page."""
    parts = [f"## {markdown(page.title)}", markdown(page.about)]
    return "\n\n".join([*parts, *(_section(section) for section in page.sections)])


def _section(section: Section) -> str:
    return "\n\n".join([f"### {section.heading}", *(_piece(piece) for piece in section.pieces)])


def _piece(piece: Piece) -> str:
    match piece:
        case Answers(pairs):
            return "\n".join(f"- `{answer}`: {markdown(words)}" for answer, words in pairs)
        case Equation():
            return f"$${equation_of(piece)}$$"
        case Table():
            return piece.markdown()
    return markdown(piece)
