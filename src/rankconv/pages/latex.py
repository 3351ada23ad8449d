"""A page as LaTeX, to be put into a document with \\input. It needs the packages booktabs and amsmath."""

from rankconv.escaping import latex as escaped
from rankconv.numbers.exact import sides
from rankconv.numbers.writing import latex as written
from rankconv.pages.page import Code, Equation, Heading, Page, Paragraph, Settings, Simple, Stated, Title, simple
from rankconv.pages.table import Table

NEEDS = r"% \usepackage[T1]{fontenc} \usepackage{amsmath,booktabs}"
BREAK = " \\\\\n"
"""Ends a line of an align."""
SIGNS = {True: "=", False: r"\approx"}
"""The sign before a side that is equal, and before one that is nearly so."""


def latex(page: Page) -> str:
    """The whole page."""
    return "\n\n".join([NEEDS, *(_piece(piece) for pieces in page.sections for piece in simple(pieces))])


def equation_of(equation: Equation, mark: str = "", between: str = "") -> str:
    """The mathematics between the dollars, its signs marked and its sides parted as an align wants them."""
    text = between.join(f" {mark}{SIGNS[equal]} {written(side)}" for equal, side in sides(equation.of))
    return rf"\text{{{escaped(equation.name)}}}{text}"


def _piece(piece: Simple) -> str:
    match piece:
        case Title(words):
            return rf"\section*{{{escaped(words)}}}"
        case Heading(words):
            return rf"\subsection*{{{escaped(words)}}}"
        case Paragraph(words):
            return escaped(words)
        case Settings(pairs):
            items = "\n".join(rf"\item[\texttt{{{escaped(one)}}}] {escaped(words)}" for one, words in pairs)
            return f"\\begin{{description}}\n{items}\n\\end{{description}}"
        case Code(words):
            return f"\\begin{{verbatim}}\n{words}\n\\end{{verbatim}}"
        case Stated():
            return _stated(piece)
        case Equation():
            return f"\\begin{{align*}}\n{equation_of(piece, '&', BREAK)}\n\\end{{align*}}"
        case Table():
            return "\n\n".join([f"{{\\small{piece.to_latex()}}}", *map(escaped, piece.notes)])


def _stated(given: Stated) -> str:
    signs = "; ".join(f"${sign}$ is {escaped(words)}" for sign, words in given.symbols.items())
    equations = "\n".join(f"\\[ {equation} \\]" for equation in given.formulas)
    where = f"Here {signs}." if signs else ""
    return f"{escaped(given.words)}~\\cite{{{', '.join(given.keys)}}}\n{equations}\n{where}".rstrip()
