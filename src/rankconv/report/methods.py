"""What a paper says of its numbers, as text, Markdown, LaTeX, BibTeX and plain data."""

from typing import Any

from rankconv.citing.bibtex import Entry, bibtex, entry
from rankconv.citing.methods import Cited, Methods
from rankconv.escaping import latex, markdown
from rankconv.report.explanation_latex import NEEDS
from rankconv.report.wrapping import hanging, prose
from rankconv.saved import version_of_rankconv

ABOUT_US = "rankconv: ranking metrics whose definitions are data"


def text_of(methods: Methods, width: int | None) -> str:
    """Paragraphs filled to this width, then formulas, then BibTeX."""
    parts = []
    for one in methods:
        signs = "; ".join(f"{sign}: {words}" for sign, words in one.symbols.items())
        formulas = (hanging(f"  {formula}", width) for formula in (one.formula, one.mean_formula))
        equations = "\n".join([prose("LaTeX of the value of a user, and of the number:", width), *formulas])
        parts += [prose(one.paragraph, width), equations, prose(f"{signs}.", width)]
    entries = "\n".join(hanging(line, width) for line in bibtex_of(methods).split("\n"))
    return "\n\n".join([*(part for part in parts if part != "."), entries])


def markdown_of(methods: Methods) -> str:
    """Paragraphs, formulas as mathematics, and a block of BibTeX."""
    parts = []
    for one in methods:
        signs = "; ".join(f"${sign}$: {markdown(words)}" for sign, words in one.symbols.items())
        parts += [markdown(one.paragraph), f"$${one.formula}$$", f"$${one.mean_formula}$$", signs]
    return "\n\n".join([*filter(None, parts), f"```bibtex\n{bibtex_of(methods)}\n```"])


def latex_of(methods: Methods) -> str:
    """Paragraphs that cite the sources, each with its two equations."""
    return "\n\n".join([NEEDS, *(_latex_of(one) for one in methods)])


def _latex_of(one: Cited) -> str:
    keys = ", ".join(key for key, _ in _entries(one))
    signs = "; ".join(f"${sign}$ is {latex(words)}" for sign, words in one.symbols.items())
    where = f" Here {signs}." if signs else ""
    equations = "\n".join(f"\\[ {equation} \\]" for equation in (one.formula, one.mean_formula))
    return f"{latex(one.paragraph)}~\\cite{{{keys}}}\n{equations}\n{where.strip()}".rstrip()


def bibtex_of(methods: Methods) -> str:
    """All sources, and rankconv itself."""
    return bibtex(pair for one in methods for pair in _entries(one))


def _entries(one: Cited) -> list[Entry]:
    ours = {"title": f"{{{ABOUT_US}}}", "version": version_of_rankconv()}
    return [*(entry(source) for source in one.sources), ("rankconv", ours)]


def data_of(one: Cited) -> dict[str, Any]:
    """Everything as plain data."""
    counts = {} if one.number is None else {"counts": one.number.counts}
    return {
        "metric": one.label,
        "definition": one.definition.text,
        "preset": one.preset,
        "fingerprint": one.fingerprint,
        "short": one.short,
        "paragraph": one.paragraph,
        "formula": {"user": one.formula, "number": one.mean_formula, "symbols": one.symbols},
        "answers": one.answers,
        "sources": [source.model_dump(exclude_defaults=True) for source in one.sources],
    } | counts
