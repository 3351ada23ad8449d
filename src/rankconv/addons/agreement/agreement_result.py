"""What `rc.agreement` gives: the conclusion, the measures, the grades side by side, the order of runs; or as data."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, NotRequired

import numpy as np
from typing_extensions import TypedDict

from rankconv.addons.agreement.agreement_measures import GradeAgreement
from rankconv.addons.agreement.agreement_page import (
    by_grade_table,
    conclusion,
    confusion_table,
    grade_notes,
    measures_table,
    run_notes,
    runs_sections,
)
from rankconv.addons.agreement.leaderboards import LeaderboardAgreement
from rankconv.basics.errors import unknown
from rankconv.conventions.spec import BETWEEN
from rankconv.engine.saved_result import version_of_rankconv
from rankconv.evaluation.statistics.prediction_powered import PoweredIntervalData
from rankconv.presets.signature import PARTS
from rankconv.rendering.pages.cells import finite
from rankconv.rendering.pages.display import RowTable
from rankconv.rendering.pages.page import Heading, Note, Page, Paragraph
from rankconv.rendering.pages.table import Table


class MeasureData(TypedDict):
    """The value of one measure of two label sets."""

    measure: str
    """As it was written."""
    definition: str
    """With all its settings."""
    value: float | None
    """Null where both sets give one grade to all pairs."""
    pairs: int
    signature: str
    """The definition, the pairs, and digests of both label sets."""


class GradeData(TypedDict):
    """The pairs of one grade in the first label set."""

    grade: float
    pairs: int
    same: float
    """The share to which the second set gives the same grade."""
    mean: float
    """The mean grade in the second set."""


class ConfusionData(TypedDict):
    """The pairs of one grade in the first label set and one in the second."""

    first: float
    second: float
    pairs: int


class RunMeansData(TypedDict):
    """A run under both label sets."""

    run: str
    means: list[float | None]
    """Under the first set and under the second, over the users of both."""
    ranks: list[int]
    interval: PoweredIntervalData | None
    """The mean from both sets; null where the second has no users besides those of the first."""


class SwappedRunsData(TypedDict):
    """Two runs whose order differs between the label sets."""

    runs: list[str]
    """The better one under the first set is the first."""
    differences: list[float | None]
    """By how much the first is better, under either label set."""
    p: list[float | None]
    """Of the test of the difference under either set, corrected for all pairs; null where it was not tested."""
    significant: list[bool]


class LeaderboardAgreementData(TypedDict):
    """The order of runs under both label sets."""

    metric: str
    users: int
    """The users of both label sets."""
    correlations: dict[str, float | None]
    """Null where all runs are equal under a label set."""
    pairs: int
    """Pairs of runs."""
    tied: int
    """Pairs of runs that are equal under one label set alone."""
    swapped: list[SwappedRunsData]
    untested: str
    """Why differences were not tested; empty where they were."""
    alpha: float
    runs: list[RunMeansData]


class AgreementData(TypedDict):
    """How far two label sets agree."""

    names: list[str]
    conclusion: str
    pairs: int
    """Pairs of user and item that are compared."""
    pairs_alone: list[int]
    """How many pairs are in the first set alone, and in the second alone."""
    users: int
    """Users with labels in both sets."""
    users_alone: list[int]
    """How many users are in the first set alone, and in the second alone."""
    higher: float
    """The share of pairs to which the second set gives a higher grade."""
    lower: float
    measures: list[MeasureData]
    by_grade: list[GradeData]
    confusion: list[ConfusionData]
    notes: list[str]
    leaderboards: NotRequired[LeaderboardAgreementData]


@dataclass(frozen=True, eq=False, repr=False)
class AgreementResult(RowTable, Mapping[str, float]):
    """How far two label sets agree: a mapping from each measure, as it was written, to its value."""

    rows_in: ClassVar[str] = "measures"

    grades: GradeAgreement
    """The grades of both label sets, compared."""
    digests: Mapping[str, str]
    """The digests of the items and grades of both label sets, as signatures have them."""
    leaderboards: LeaderboardAgreement | None = None
    """The order of runs under both label sets; None where no runs were given."""

    def __getitem__(self, measure: str) -> float:
        if measure not in self.grades.measures:
            raise unknown("measure here", measure, self.grades.measures)
        return self.grades.value(self.grades.measures[measure])

    def __iter__(self) -> Iterator[str]:
        return iter(self.grades.measures)

    def __len__(self) -> int:
        return len(self.grades.measures)

    @property
    def conclusion(self) -> str:
        """What was found, in a few sentences."""
        return " ".join(conclusion(self.grades, self.leaderboards))

    @property
    def notes(self) -> list[str]:
        """What was left out, and what to know of the values, in sentences."""
        return [*grade_notes(self.grades), *run_notes(self.grades, self.leaderboards)]

    @property
    def signatures(self) -> dict[str, str]:
        """The signature of each value: its definition, the pairs, and digests of both label sets."""
        pairing = [f"{name}:{text}" for name, text in self.grades.pairing.stated.items()]
        stated = {"compared": str(len(self.grades.pairs)), **self.digests, "rankconv": version_of_rankconv()}
        about = BETWEEN.join(f"{name}:{text}" for name, text in stated.items())
        return {
            text: BETWEEN.join([one.name, *(f"{name}:{setting}" for name, setting in one.stated.items()), *pairing])
            + f"{PARTS}{about}"
            for text, one in self.grades.measures.items()
        }

    def table(self, digits: int = 4) -> Table:
        """Return the value of each measure."""
        return measures_table(self.grades, digits)

    def _page(self, digits: int = 4) -> Page:
        """The conclusion first, then what it rests on."""
        runs = [] if self.leaderboards is None else runs_sections(self.grades.names, self.leaderboards, digits)
        return Page(
            [
                [Paragraph(self.conclusion)],
                *runs,
                [Heading("Grades"), self.table(digits)],
                [by_grade_table(self.grades, digits)],
                [confusion_table(self.grades)],
                [*map(Note, self.notes)],
            ]
        )

    def _signatures(self) -> Page:
        from rankconv.evaluation.results.circumstances import paper_page

        return paper_page([*self.signatures.values()])

    def to_dict(self) -> AgreementData:
        """Return everything as plain data; NaN is None, as JSON has it."""
        grades, signatures = self.grades, self.signatures
        pairs, counts, values = grades.pairs, grades.pairs.counts, grades.pairs.grade_values
        data: AgreementData = {
            "names": list(grades.names),
            "conclusion": self.conclusion,
            "pairs": len(pairs),
            "pairs_alone": list(pairs.alone),
            "users": len(pairs.users),
            "users_alone": list(pairs.users_alone),
            "higher": grades.moved[0],
            "lower": grades.moved[1],
            "measures": [
                {
                    "measure": text,
                    "definition": one.text,
                    "value": finite(self[text]),
                    "pairs": len(pairs),
                    "signature": signatures[text],
                }
                for text, one in grades.measures.items()
            ],
            "by_grade": [
                {"grade": one.grade, "pairs": one.pairs, "same": one.same, "mean": one.mean} for one in grades.by_grade
            ],
            "confusion": [
                {"first": float(values[row]), "second": float(values[column]), "pairs": int(counts[row, column])}
                for row, column in zip(*np.nonzero(counts), strict=True)
            ],
            "notes": self.notes,
        }
        if self.leaderboards is not None:
            data["leaderboards"] = _leaderboards_data(self.leaderboards)
        return data


def _leaderboards_data(found: LeaderboardAgreement) -> LeaderboardAgreementData:
    return {
        "metric": found.metric,
        "users": found.users,
        "correlations": {name: finite(value) for name, value in found.correlations.items()},
        "pairs": found.pairs,
        "tied": found.tied,
        "swapped": [
            {
                "runs": list(one.runs),
                "differences": list(map(finite, one.differences)),
                "p": list(map(finite, one.p)),
                "significant": list(one.significant),
            }
            for one in found.swapped
        ],
        "untested": found.untested,
        "alpha": found.alpha,
        "runs": [
            {
                "run": one.run,
                "means": list(map(finite, one.means)),
                "ranks": list(one.ranks),
                "interval": None if one.interval is None else one.interval.to_dict(),
            }
            for one in found.runs
        ],
    }
