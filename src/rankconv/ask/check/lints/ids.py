"""Ids that should match and do not."""

from collections.abc import Iterable

from rankconv.ask.check.data import Data
from rankconv.ask.check.found import Found
from rankconv.ask.check.lint import Lint, Other
from rankconv.presets.definition import Definition


class IdsAlike(Lint):
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

    def find(self, data: Data) -> Found | None:
        """Ids of one side only, of which the other has another spelling."""
        return data.spelling.found

    def tried(self, data: Data) -> str:
        """Nothing, where there are no numbers before ids are mended."""
        return self.otherwise if data.respelled else ""

    def others(self, data: Data, definition: Definition) -> Iterable[Other]:
        """The data with one spelling for each id."""
        return [] if data.respelled is None else [Other(joined=data.respelled)]
