"""An explanation as LaTeX, to be put into a document with \\input. It needs the packages booktabs and amsmath."""

from rankconv.escaping import latex as escaped
from rankconv.explaining.equation import Equation
from rankconv.explaining.writing import latex
from rankconv.report.explanation_page import Answers, Page, Piece, Section
from rankconv.report.table import Table

NEEDS = r"% \usepackage[T1]{fontenc} \usepackage{amsmath,booktabs}"
BREAK = " \\\\\n"
"""Ends a line of an align."""
SIGNS = {True: "=", False: r"\approx"}
"""What stands before a side that is equal, and before one that is nearly so."""


def latex_of(page: Page) -> str:
    """The whole page."""
    head = [NEEDS, rf"\section*{{{escaped(page.title)}}}", escaped(page.about)]
    return "\n\n".join([*head, *(_section(section) for section in page.sections)])


def equation_of(equation: Equation, mark: str = "", between: str = "") -> str:
    """The mathematics between the dollars, its signs marked and its sides parted as an align wants them."""
    sides = between.join(f" {mark}{SIGNS[equal]} {latex(side)}" for equal, side in equation.sides)
    return rf"\text{{{escaped(equation.name)}}}{sides}"


def _section(section: Section) -> str:
    return "\n\n".join([rf"\subsection*{{{section.heading}}}", *(_piece(piece) for piece in section.pieces)])


def _piece(piece: Piece) -> str:
    match piece:
        case Answers(pairs):
            items = "\n".join(rf"\item[\texttt{{{escaped(one)}}}] {escaped(words)}" for one, words in pairs)
            return f"\\begin{{description}}\n{items}\n\\end{{description}}"
        case Equation():
            return f"\\begin{{align*}}\n{equation_of(piece, '&', BREAK)}\n\\end{{align*}}"
        case Table():
            return f"{{\\small{piece.latex()}}}"
    return escaped(piece)
