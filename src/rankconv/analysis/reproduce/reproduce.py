"""The question: does every number that a source prints come out of its preset?"""

from collections.abc import Iterator
from pathlib import Path

from rankconv.analysis.reproduce.comparing import judged, shown
from rankconv.analysis.reproduce.outcomes import outcomes
from rankconv.analysis.reproduce.printed_numbers import of_contradiction, read_printed
from rankconv.analysis.reproduce.reproduction import Disagreement, Reproduction
from rankconv.analysis.reproduce.sources import Source, left_out, named, published, source
from rankconv.analysis.reproduce.verdicts import EXACT, reproduced
from rankconv.errors import ConventionError


def reproduce(*sources: str | Path) -> Reproduction:
    """Does every number that a source prints come out of the preset that its file names?

    `sources` are names of shipped files of published numbers (`conventions/published/`), presets, for those that print
    their numbers, or paths of your own; without any, all shipped ones. The verdicts are computed: a number is exact,
    truncated, float32, an erratum that the source itself bears out, or unexplained. A number must come out of the
    preset that the file names; if only another one gives it, it is unexplained, and the note says which one would.

    Returns a `Reproduction`: `rows`, `summary`, `ok`.
    Raises ConventionError for a source that is unknown or a file that does not hold together, with file and line.

    >>> import rankconv as rc
    >>> found = rc.reproduce("ndcg-video")
    >>> found.summary
    '3 numbers, 2 exact, 0 truncated, 0 float32, 1 errata, 0 unexplained, 0 left out'
    >>> [(row.metric, row.printed, row.shown) for row in found if row.verdict == "erratum"]
    [('ndcg@3', '0.94', '0.9501')]
    """
    for one in sources:
        if not isinstance(one, (str, Path)):
            allowed = "A source is a name or a path; several stand side by side, reproduce('a', 'b')"
            raise ConventionError(f"{one!r:.100} is not a source", allowed=allowed)
    known = published()
    chosen = [source(name) for name in dict.fromkeys(one for given in sources or known for one in named(given))]
    names = {one.file.name for one in chosen}
    return Reproduction(
        {one.file.name: one.file.title for one in chosen},
        tuple(row for one in chosen for row in judged(one)),
        tuple(found for one in chosen for found in _disagreements(one)),
        tuple(entry for entry in left_out() if not sources or entry.source in names & known.keys()),
        tuple((one.file.name, slip) for one in chosen for slip in one.file.slips),
    )


def _disagreements(source: Source) -> Iterator[Disagreement]:
    for place, one in enumerate(source.file.contradictions):
        reading, against = of_contradiction(source, place, one)
        found = outcomes(source, [reading, against])
        gives, ours = found[reading].value, found[against].value
        printed = read_printed(one.printed)
        yield Disagreement(
            source=source.file.name,
            where=one.where,
            says=one.says,
            reading=one.reading,
            gives=gives,
            against=one.against,
            printed=one.printed,
            ours=ours,
            failed=reproduced(printed, gives) is not None or reproduced(printed, ours) != EXACT,
            shown=shown(gives, printed),
        )
