"""A page as GitHub Markdown: headings, tables, and equations as mathematics."""

from rankconv.escaping import markdown as escaped
from rankconv.pages.latex import equation_of
from rankconv.pages.page import Code, Equation, Heading, Page, Paragraph, Settings, Simple, Stated, Title, simple
from rankconv.pages.table import Table


def markdown(page: Page) -> str:
    """The whole page."""
    return "\n\n".join(_piece(piece) for pieces in page.sections for piece in simple(pieces))


def _piece(piece: Simple) -> str:
    match piece:
        case Title(words):
            return f"## {escaped(words)}"
        case Heading(words):
            return f"### {escaped(words)}"
        case Paragraph(words):
            return escaped(words)
        case Settings(pairs):
            return "\n".join(f"- `{setting}`: {escaped(words)}" for setting, words in pairs)
        case Code(words, language):
            return f"```{language}\n{words}\n```"
        case Stated(words, formulas, symbols):
            signs = "; ".join(f"${sign}$: {escaped(meaning)}" for sign, meaning in symbols.items())
            return "\n\n".join(filter(None, [escaped(words), *(f"$${one}$$" for one in formulas), signs]))
        case Equation():
            return f"$${equation_of(piece)}$$"
        case Table():
            return piece.to_markdown()
