"""Ids that should match and do not."""

from collections.abc import Iterable

from rankconv.analysis.findings.data import Data, respelled
from rankconv.analysis.findings.finding import Found
from rankconv.analysis.findings.lint import Known, Lint, Other
from rankconv.analysis.findings.tally import Seen
from rankconv.presets.definition import Definition


class RespelledIds(Lint[Seen]):
    """Ids that differ between labels and run only by type, blanks, padding or case."""

    name = "ids-alike"
    title = "ids that differ only by spelling"
    unit = "ids"
    wrong = True
    means = (
        "Labels and run spell the same id differently (by type, blanks, leading zeros, a trailing .0, case), "
        "so it does not match, and its hits are lost."
    )
    do = "Spell ids the same on both sides; read id columns as text in every program that touches the files."
    otherwise = "matching them"
    at_evaluate = False

    def look(self, data: Data) -> Seen:
        """Nothing: ids are looked at for themselves, whoever has which rows."""
        return Seen()

    def tell(self, seen: Seen, known: Known) -> Found | None:
        """Ids of one side only, of which the other has another spelling."""
        return known.spelling.found

    def tried(self, seen: Seen, known: Known) -> str:
        """Nothing, where there are no numbers before ids are mended."""
        return self.otherwise if known.respelled else ""

    def others(self, seen: Seen, known: Known, definition: Definition) -> Iterable[Other]:
        """The data with one spelling for each id."""
        return [Other(turn=respelled)] if known.respelled else []
