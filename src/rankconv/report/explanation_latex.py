"""An explanation as LaTeX, to be put into a document with \\input. It needs the packages booktabs and amsmath."""

from rankconv.explaining.equation import Equation
from rankconv.explaining.writing import latex
from rankconv.report.explanation_page import Answers, Page, Piece, Section
from rankconv.report.table import Table

NEEDS = r"% \usepackage[T1]{fontenc} \usepackage{amsmath,booktabs}"
SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{sign: f"\\{sign}" for sign in "#$%&_"},
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "·": r"$\cdot$",
    "…": r"\dots{}",
    "–": "--",
    "≈": r"$\approx$",
    "∞": r"$\infty$",
}
"""Signs that LaTeX takes for commands, or lacks, and what prints them."""
BREAK = " \\\\\n"
"""Ends a line of an align."""
SIGNS = {True: "=", False: r"\approx"}
"""What stands before a side that is equal, and before one that is nearly so."""


def latex_of(page: Page) -> str:
    """The whole page."""
    head = [NEEDS, rf"\section*{{{escaped(page.title)}}}", escaped(page.about)]
    return "\n\n".join([*head, *(_section(section) for section in page.sections)])


def escaped(words: str) -> str:
    """Text that LaTeX prints as it is; signs beyond ASCII stay."""
    return "".join(SPECIAL.get(sign, sign if sign.isprintable() else " ") for sign in words)


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
            return _table(piece)
    return escaped(piece)


def _table(table: Table) -> str:
    """A tabular with booktabs rules. Cells are escaped here, since ids may hold any sign."""
    columns = "".join("l" if place < table.labels else "r" for place in range(len(table.headers)))
    rows = [" & ".join(map(escaped, row)) + r" \\" for row in (table.headers, *table.rows)]
    body = "\n".join([r"\toprule", rows[0], r"\midrule", *rows[1:], r"\bottomrule"])
    return f"{{\\small\\begin{{tabular}}{{{columns}}}\n{body}\n\\end{{tabular}}}}"
