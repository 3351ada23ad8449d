"""Measures of how far two label sets agree: Cohen's kappa, Krippendorff's alpha, the share of equal grades."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np

from rankconv.addons.agreement.label_pairs import AGREEMENT, LabelPairs, Pairing
from rankconv.basics.errors import MetricError, unknown
from rankconv.conventions.convention import Convention, Registry
from rankconv.conventions.setting_set import SettingSet
from rankconv.conventions.spec import read_spec
from rankconv.data.arrays import Numbers
from rankconv.presets import arguments

MEASURES: dict[str, type["AgreementMeasure"]] = {}
"""Every measure by its name."""
USUAL = ("share", "kappa", "kappa(weights=quadratic)", "alpha(scale=ordinal)")


class AgreementMeasure(SettingSet):
    """A measure of two label sets under one set of settings; defining a subclass registers it."""

    name: ClassVar[str] = ""
    usual: ClassVar[dict[str, str]] = {}
    """The settings where none are given."""

    @classmethod
    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        MEASURES[cls.name] = cls
        Registry.changed()

    @abstractmethod
    def value(self, grades: Numbers, counts: Numbers) -> float:
        """Return the value; NaN where both sets give one grade to all pairs.

        `grades` are those that occur, ascending; `counts` how many pairs have which in either set, shape (grades,
        grades).
        """

    @property
    def text(self) -> str:
        """The definition: `kappa(weights=none, distance=value)`."""
        given = ", ".join(f"{name}={text}" for name, text in self.stated.items())
        return f"{self.name}({given})" if given else self.name


DISTANCE = Convention("distance", "Distance of two grades", reads=("grades",), registry=AGREEMENT)
"""A setting gives the distances of all grades, shape (grades, grades)."""


@DISTANCE.setting("value", rule="of the grades themselves")
def _(grades: Numbers) -> Numbers:
    """Grades 0 and 4 are four steps away, whatever grades occur."""
    return np.abs(grades[:, None] - grades)


@DISTANCE.setting("place", rule="of their places among the grades that occur")
def _(grades: Numbers) -> Numbers:
    """Grades 0 and 4 are neighbours where no others occur."""
    places = np.arange(len(grades), dtype=float)
    return np.abs(places[:, None] - places)


WEIGHTS = Convention("weights", "Weight of a disagreement", reads=("distance",), registry=AGREEMENT)
"""A setting gives the weights of distances, shape (grades, grades)."""


@WEIGHTS.setting("none", rule="1 for any two grades", cite="cohen1960")
def _(distance: Numbers) -> Numbers:
    """All disagreements are one."""
    return np.asarray(distance > 0, float)


@WEIGHTS.setting("linear", rule="the distance", cite="cohen1968")
def _(distance: Numbers) -> Numbers:
    """Two steps are twice as much as one."""
    return distance


@WEIGHTS.setting("quadratic", rule="the squared distance", cite="cohen1968")
def _(distance: Numbers) -> Numbers:
    """Two steps are four times as much as one."""
    return np.asarray(distance**2)


class Kappa(AgreementMeasure):
    """Compute Cohen's kappa: agreement beyond that of two sets with these grades put together at random.

    1 is full agreement, 0 that of chance. Each set has its own grades in what is expected.
    """

    name = "kappa"
    usual: ClassVar[dict[str, str]] = {"weights": "none", "distance": "value"}
    weights: Annotated[str, WEIGHTS]
    distance: Annotated[str, DISTANCE]

    def value(self, grades: Numbers, counts: Numbers) -> float:
        """See the class."""
        weights = self.settings["weights"](distance=self.settings["distance"](grades=grades))
        expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()
        of_chance = float((weights * expected).sum())
        return 1 - float((weights * counts).sum()) / of_chance if of_chance else np.nan


SCALE = Convention("scale", "Scale of the grades", reads=("grades", "totals"), registry=AGREEMENT)
"""A setting gives the squared differences of all grades, shape (grades, grades); `totals` are how often each occurs."""


@SCALE.setting("nominal", rule="1 for any two grades", cite="krippendorff2011")
def _(grades: Numbers) -> Numbers:
    """Names of classes."""
    return np.asarray(grades[:, None] != grades, float)


@SCALE.setting("ordinal", rule="by how many pairs are between two grades", cite="krippendorff2011")
def _(grades: Numbers, totals: Numbers) -> Numbers:
    """Only the order of grades is read."""
    below = np.cumsum(totals) - totals / 2
    return np.asarray((below[:, None] - below) ** 2)


@SCALE.setting("interval", rule="the squared difference of the grades", cite="krippendorff2011")
def _(grades: Numbers) -> Numbers:
    """Steps between grades are equal."""
    return np.asarray((grades[:, None] - grades) ** 2)


class Alpha(AgreementMeasure):
    """Compute Krippendorff's alpha: disagreement, divided by that of grades put together at random.

    1 is full agreement, 0 that of chance. Both sets have the same grades in what is expected, unlike in kappa.
    """

    name = "alpha"
    usual: ClassVar[dict[str, str]] = {"scale": "ordinal"}
    scale: Annotated[str, SCALE]

    def value(self, grades: Numbers, counts: Numbers) -> float:
        """See the class."""
        coincidences = counts + counts.T
        totals = coincidences.sum(axis=1)
        differences = self.settings["scale"](grades=grades, totals=totals)
        expected = float((np.outer(totals, totals) * differences).sum()) / (totals.sum() - 1)
        return 1 - float((coincidences * differences).sum()) / expected if expected else np.nan


class EqualGrades(AgreementMeasure):
    """Compute the share of pairs to which both sets give the same grade."""

    name = "share"

    def value(self, grades: Numbers, counts: Numbers) -> float:
        """See the class."""
        return float(np.trace(counts) / counts.sum())


def define_measures(measures: str | Sequence[str]) -> dict[str, AgreementMeasure]:
    """Return the measures that these texts ask for, by text."""
    return {text: _defined(text) for text in arguments.measures(measures, "agreement", MEASURES)}


def _defined(text: str) -> AgreementMeasure:
    spec = read_spec(text)
    if spec.metric not in MEASURES:
        raise unknown("measure of agreement", spec.metric, MEASURES)
    kind = MEASURES[spec.metric]
    for name, _ in spec.settings:
        if name not in kind.conventions():
            raise unknown(f"convention of {spec.metric}", name, kind.conventions())
    measure = kind(**kind.usual | dict(spec.settings))
    if spec.preset or spec.cutoffs != (None,):
        raise MetricError(f"'{text}' has a preset or a cutoff", do=f"Write {measure.text}.")
    return measure


@dataclass(frozen=True, eq=False)
class GradeRow:
    """The pairs of one grade in the first label set."""

    grade: float
    pairs: int
    same: float
    """The share to which the second set gives the same grade."""
    mean: float
    """The mean grade in the second set."""


@dataclass(frozen=True, eq=False)
class GradeAgreement:
    """The grades of two label sets, compared."""

    names: tuple[str, str]
    """Of the label sets."""
    pairs: LabelPairs
    pairing: Pairing
    measures: Mapping[str, AgreementMeasure]
    """By text, as they were written."""

    def value(self, measure: AgreementMeasure) -> float:
        """The value of a measure; NaN where it is 0/0."""
        return float(measure.value(self.pairs.grade_values, self.pairs.counts))

    @property
    def moved(self) -> tuple[float, float]:
        """The share of pairs to which the second set gives a higher grade, and a lower one."""
        first, second = self.pairs.grades
        return float((second > first).mean()), float((second < first).mean())

    @property
    def by_grade(self) -> list[GradeRow]:
        """The pairs of each grade of the first label set."""
        counts, grades = self.pairs.counts, self.pairs.grade_values
        totals = counts.sum(axis=1)
        return [
            GradeRow(float(grades[at]), int(totals[at]), counts[at, at] / totals[at], counts[at] @ grades / totals[at])
            for at in np.flatnonzero(totals).tolist()
        ]
