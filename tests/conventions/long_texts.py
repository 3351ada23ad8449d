"""Long and nasty texts of metrics: tests read them, and the benchmarks say how long that takes."""

from collections.abc import Iterator

PIECES = (
    " ",
    "1",
    "(",
    ")",
    "@",
    ":",
    ",",
    "=",
    "a",
    "-",
    "_",
    ".",
    "1,",
    "()",
    "(=",
    "\t",
    "a:",
    " (modified)",
    "٣",
    "²",
)
STARTS = ("", "m", "ndcg(", "ndcg@", "ndcg(gain=", "ndcg(relevant=above(", "P_", "iprec_at_recall_", "blog:")
ENDS = ("", "x(", "x", "@3", ")", ")@3")
LISTS = ("_1", "1.", "a@", "(,", " ")
"""Pieces of lists of metrics."""


def long_texts(start: str, signs: int) -> Iterator[str]:
    """Texts of about so many signs: one piece again and again, between this start and each end."""
    yield from (start + piece * (signs // len(piece)) + end for piece in PIECES for end in ENDS)
