"""A definition on the data at hand, as far as conventions must see it to say whether their settings can matter."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from rankconv.data.arrays import Mask, Numbers
from rankconv.data.joined import Joined
from rankconv.preparation.facts import Compared, Facts, facts_of
from rankconv.preparation.registry import AT_ONCE, plain_where
from rankconv.preparation.rows import LabelRows, ListRows, WorkingBlock
from rankconv.specs.convention import Setting

OF_READING = ("grades", "negative")
"""The conventions whose settings say what a grade is read as."""


def _unknown(policy: str) -> bool:
    return True


@dataclass(frozen=True, eq=False)
class OnData:
    """The settings of a definition or of one part of it, and what labels and lists hold."""

    settings: Mapping[str, Setting]
    joined: Joined
    decides: Callable[[str], bool] = _unknown
    """Whether some user, or the data as a whole, counts as the setting to this special case says."""
    anybody: bool = False
    """Whether any user is known to count."""
    _read: dict[bytes, Numbers] = field(default_factory=dict, repr=False)
    """What grades were read as, by these grades."""

    @property
    def facts(self) -> Facts:
        """What is known of these data, found out once for all who ask."""
        return facts_of(self.joined)

    @cached_property
    def no_ties(self) -> bool:
        """Whether no two rows of a list are tied in the scores compared, also if these are in single precision."""
        return self.facts.no_ties(Compared.of(self.settings))

    def goes_by_grade(self, convention_name: str) -> bool:
        """Whether this step of preparation looks at nothing but the grades of single labels."""
        return all(self.facts.of(fact, None).all() for fact in plain_where(self.settings[convention_name]))

    def leaves_lists(self, convention_name: str) -> bool:
        """Whether this step of preparation leaves all lists as they are."""
        traits = self.settings[convention_name].setting_type.traits
        return self.goes_by_grade(convention_name) and not (traits.get("reads_cutoff") or traits.get("extends_below"))

    @cached_property
    def grades(self) -> Numbers:
        """The different grades as this definition reads them, rising, shape (grades,); NaN last, once."""
        read = self.read_as(self.facts.grades)
        none = np.isnan(read)
        return np.append(np.unique(read[~none]), read[none][:1])

    def read_as(self, grades: Numbers) -> Numbers:
        """What these grades are read as; shape as `grades`."""
        key = grades.tobytes()
        if key not in self._read:
            self._read[key] = self._read_anew(grades)
        return self._read[key]

    def readings(self, other: "OnData") -> "list[OnData]":
        """The ways in which the two read grades: one of them where both read the same."""
        equal = all(
            self.settings[convention_name].text == other.settings[convention_name].text
            for convention_name in OF_READING
        )
        return [self] if equal else [self, other]

    def _read_anew(self, grades: Numbers) -> Numbers:
        nobody = np.zeros(0, np.int64)
        labels = LabelRows(np.zeros(len(grades), np.int64), np.zeros(len(grades), np.int64), grades.copy())
        rows = ListRows(nobody, nobody, nobody, np.zeros(0))
        rows.label = nobody
        block = WorkingBlock(self.joined, nobody, labels, rows, False)
        for convention_name in OF_READING:
            setting = self.settings[convention_name]
            if setting.trait("when", AT_ONCE) == AT_ONCE:
                setting(block=block)
        return labels.grade

    def relevant(self, grades: Numbers) -> Mask:
        """Which labels are relevant if a user has these grades and no others; shape as `grades`."""
        highest = np.full(len(grades), grades.max(initial=-np.inf))
        return np.asarray(self.settings["relevant"](grades=grades, highest=highest))

    def gains(self, grades: Numbers, gain: Setting | None = None) -> Numbers:
        """The gains of these grades, shape as `grades`, under the definition's setting or another one.

        They are those of one user who has all of them; the grades themselves where there is no setting.
        """
        setting = gain or self.settings.get("gain")
        if setting is None:
            return grades
        level = float(self.settings["relevant"].keywords.get("level", 0.0))
        own_highest = np.full(len(grades), grades.max(initial=0.0))
        fields = {"relevant": self.relevant(grades), "level": level, "own_highest": own_highest}
        return np.asarray(setting(grades=grades, **fields), float)

    def never_a_loss(self) -> bool:
        """Whether no label has a gain below zero."""
        return bool((self.grades >= 0).all() and (self.gains(self.grades) >= 0).all())


Rule = Callable[[OnData, OnData], bool]
"""What `Convention.equivalent` takes."""


def leaving_lists(convention_name: str) -> Rule:
    """Two definitions agree where both settings to this convention leave all lists as they are."""
    return lambda ours, other: ours.leaves_lists(convention_name) and other.leaves_lists(convention_name)


def undecided(policy: str) -> Rule:
    """Two definitions agree where neither has anybody who counts as the setting to this special case says."""
    return lambda ours, other: not (ours.decides(policy) or other.decides(policy))
