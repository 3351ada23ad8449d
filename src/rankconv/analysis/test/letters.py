"""Letters as papers print them: runs that share one are not told apart."""

from collections.abc import Iterable, Sequence
from string import ascii_lowercase


def letters(runs: Sequence[str], apart: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The letters of each run, best first; two runs share a letter if and only if they are not told `apart`.

    Source: Piepho, An algorithm for a letter-based representation of all-pairwise comparisons, Journal of Computational
    and Graphical Statistics 13, 2004 (insert and absorb).

    >>> letters(["x", "y", "z"], [("x", "z")])
    {'x': 'a', 'y': 'ab', 'z': 'b'}
    """
    groups = [frozenset(runs)]
    for one, other in apart:
        split = [group - {left} if {one, other} <= group else group for group in groups for left in (one, other)]
        groups = _without_parts(split)
    place = {run: at for at, run in enumerate(runs)}
    groups.sort(key=lambda group: sorted(place[run] for run in group))
    return {run: "".join(_letter(at) for at, group in enumerate(groups) if run in group) for run in runs}


def _without_parts(groups: Sequence[frozenset[str]]) -> list[frozenset[str]]:
    """The groups, each once, without those that are part of another."""
    different = list(dict.fromkeys(groups))
    return [one for one in different if not any(one < other for other in different)]


def _letter(at: int) -> str:
    """a to z, then a2 to z2, and so on."""
    return ascii_lowercase[at % 26] + (str(at // 26 + 1) if at >= 26 else "")
