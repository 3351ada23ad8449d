"""A page in LaTeX, for a document with the packages booktabs and amsmath, and in GitHub Markdown."""

from rankconv.basics import escaping
from rankconv.rendering.numbers.exact import equation_sides
from rankconv.rendering.numbers.writing import latex as written
from rankconv.rendering.pages.page import (
    Code,
    Equation,
    Heading,
    Page,
    Paragraph,
    SettingsColumn,
    Simple,
    StatedDefinition,
    Title,
    simple,
)
from rankconv.rendering.pages.table import Table

NEEDS = r"% \usepackage[T1]{fontenc} \usepackage{amsmath,booktabs}"
BREAK = " \\\\\n"
"""Ends a line of an align."""
SIGNS = {True: "=", False: r"\approx"}
"""The sign before a side that is equal, and before one that is nearly so."""


def latex(page: Page) -> str:
    """The whole page."""
    return "\n\n".join([NEEDS, *(_latex(piece) for pieces in page.sections for piece in simple(pieces))])


def equation_of(equation: Equation, mark: str = "", between: str = "") -> str:
    """The mathematics between the dollars, its signs marked and its sides parted as an align wants them."""
    text = between.join(f" {mark}{SIGNS[equal]} {written(side)}" for equal, side in equation_sides(equation.of))
    return rf"\text{{{escaping.latex(equation.name)}}}{text}"


def _latex(piece: Simple) -> str:
    match piece:
        case Title(words):
            return rf"\section*{{{escaping.latex(words)}}}"
        case Heading(words):
            return rf"\subsection*{{{escaping.latex(words)}}}"
        case Paragraph(words):
            return escaping.latex(words)
        case SettingsColumn(pairs):
            items = "\n".join(
                rf"\item[\texttt{{{escaping.latex(one)}}}] {escaping.latex(words)}" for one, words in pairs
            )
            return f"\\begin{{description}}\n{items}\n\\end{{description}}"
        case Code(words):
            return f"\\begin{{verbatim}}\n{words}\n\\end{{verbatim}}"
        case StatedDefinition():
            return _latex_of_stated(piece)
        case Equation():
            return f"\\begin{{align*}}\n{equation_of(piece, '&', BREAK)}\n\\end{{align*}}"
        case Table():
            return "\n\n".join([f"{{\\small{piece.to_latex()}}}", *map(escaping.latex, piece.notes)])


def _latex_of_stated(given: StatedDefinition) -> str:
    signs = "; ".join(f"${sign}$ is {escaping.latex(words)}" for sign, words in given.symbols.items())
    equations = "\n".join(f"\\[ {equation} \\]" for equation in given.formulas)
    where = f"Here {signs}." if signs else ""
    return f"{escaping.latex(given.words)}~\\cite{{{', '.join(given.keys)}}}\n{equations}\n{where}".rstrip()


def markdown(page: Page) -> str:
    """The whole page."""
    return "\n\n".join(_markdown(piece) for pieces in page.sections for piece in simple(pieces))


def _markdown(piece: Simple) -> str:
    match piece:
        case Title(words):
            return f"## {escaping.markdown(words)}"
        case Heading(words):
            return f"### {escaping.markdown(words)}"
        case Paragraph(words):
            return escaping.markdown(words)
        case SettingsColumn(pairs):
            return "\n".join(f"- `{setting}`: {escaping.markdown(words)}" for setting, words in pairs)
        case Code(words, language):
            return f"```{language}\n{words}\n```"
        case StatedDefinition(words, formulas, symbols):
            signs = "; ".join(f"${sign}$: {escaping.markdown(meaning)}" for sign, meaning in symbols.items())
            return "\n\n".join(filter(None, [escaping.markdown(words), *(f"$${one}$$" for one in formulas), signs]))
        case Equation():
            return f"$${equation_of(piece)}$$"
        case Table():
            return piece.to_markdown()
