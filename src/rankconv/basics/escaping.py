"""What users bring, such as ids and names of files, made harmless where it is shown: one function for each form."""

import re

_FORMULA = re.compile(r"\s*[=+@-]")
_NUMBER = re.compile(r"\s*[+-]?(\d[\d,]*\.?\d*|\.\d+)(e[+-]?\d+)?\s*%?\s*|[+-](inf|infinity|nan)", re.IGNORECASE)
_MARKDOWN = str.maketrans({sign: f"\\{sign}" for sign in "\\|*[`$"} | {"<": "&lt;", "&": "&amp;"})
_LATEX = str.maketrans(
    {
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
)
"""Signs that LaTeX takes for commands, or lacks, and what prints them."""


def printable(text: str) -> str:
    r"""Text for a terminal: what would move its cursor, colour it or break a line is written as Python writes it.

    >>> print(printable("a\x1b[31mb\nc"))
    a\x1b[31mb\nc
    """
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)


def markdown(text: str) -> str:
    r"""Text that GitHub Markdown shows as it is, in a table too.

    >>> print(markdown("a|b <i> [c](d)"))
    a\|b &lt;i> \[c](d)
    """
    return printable(text).translate(_MARKDOWN)


def latex(text: str) -> str:
    r"""Text that LaTeX prints as it is; letters beyond ASCII stay.

    >>> print(latex("50% & a_b"))
    50\% \& a\_b
    """
    return printable(text).translate(_LATEX)


def spreadsheet(text: str) -> str:
    """Text of a table for people, which spreadsheets do not take for a formula; numbers stay.

    Tables that rankconv reads again (splits, values of users, runs) keep their ids, and are written without it.

    >>> [spreadsheet(cell) for cell in ("=1+1", "-0.25", "+3 %", "-0.1 to 0.2", "@me", "a-b")]
    ["'=1+1", '-0.25', '+3 %', "'-0.1 to 0.2", "'@me", 'a-b']
    """
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def plotted(text: str) -> str:
    r"""Text that matplotlib draws as it is, in SVG too.

    >>> print(plotted("$x$"))
    \$x\$
    """
    return printable(text).replace("$", r"\$")
