"""Words of labels and runs as numbers: which grade `vital` is, and which score `partial_support`.

It comes before all other preparation: the result is what the same data would be if they had these numbers.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from rankconv.conventions.convention import Convention, Setting
from rankconv.conventions.parameters import OfWords, Within
from rankconv.data.arrays import Numbers, take_ownership
from rankconv.data.joined import Joined
from rankconv.data.words import Words

_LARGEST = 1e9

GRADE_WORDS = Convention("grade-words", "Grades of words", reads=("words",), tells="labels graded by words")
"""A setting gives the grade of each of the `words`, shape (words,); NaN for one that it does not take."""
SCORE_WORDS = Convention("score-words", "Scores of words", reads=("words",), tells="a run scored by words")
"""A setting gives the score of each of the `words`, shape (words,); NaN for one that it does not take."""


@GRADE_WORDS.setting("none", rule="grades that are words are refused", plain="always", no="")
def _(words: tuple[str, ...]) -> Numbers:
    """Grades are numbers."""
    return np.full(len(words), np.nan)


@GRADE_WORDS.setting(
    "numbers",
    rule="the number of each word; others are refused, or have the number of `other`",
    reads_data=("grades",),
    plain="always",
    says="a label has {numbers:for the word} as its grade{other:?, and for any other word }",
)
def _(
    words: tuple[str, ...],
    *,
    other: Annotated[float, Within(0, _LARGEST)] = np.nan,
    **numbers: Annotated[float, OfWords(0, _LARGEST)],
) -> Numbers:
    """Such as `numbers(vital=2, okay=1)`. Grades that are numbers stay as they are."""
    return _of_words(words, numbers, other)


@SCORE_WORDS.setting("none", rule="scores that are words are refused", plain="always", no="")
def _(words: tuple[str, ...]) -> Numbers:
    """Scores are numbers."""
    return np.full(len(words), np.nan)


@SCORE_WORDS.setting(
    "numbers",
    rule="the number of each word; others are refused, or have the number of `other`",
    reads_data=("scores",),
    plain="always",
    says="a row has {numbers:for the word} as its score{other:?, and for any other word }",
)
def _(
    words: tuple[str, ...],
    *,
    other: Annotated[float, Within(0, _LARGEST)] = np.nan,
    **numbers: Annotated[float, OfWords(0, _LARGEST)],
) -> Numbers:
    """Such as `numbers(support=1, partial_support=0.5)`. Lists keep their order, and numbers stay as they are."""
    return _of_words(words, numbers, other)


def _of_words(words: tuple[str, ...], numbers: Mapping[str, float], other: float) -> Numbers:
    return np.array([numbers.get(word, other) for word in words], np.float64)


def _words_of(joined: Joined) -> Iterator[tuple[Convention, str, Words]]:
    for convention, role, words in (
        (GRADE_WORDS, "grade", joined.labels.words),
        (SCORE_WORDS, "score", joined.rankings.words),
    ):
        if words is not None:
            yield convention, role, words


def in_numbers(joined: Joined, settings: Mapping[str, Setting]) -> Joined:
    """The data with the numbers that the settings give to words; those without words as they are."""
    if joined.labels.words is None and joined.rankings.words is None:
        return joined
    return joined.once(_InNumbers(settings[GRADE_WORDS.name], settings[SCORE_WORDS.name]))


def with_grades(joined: Joined, settings: Mapping[str, Setting]) -> Joined:
    """The data with the grades that the settings give to words, and the run as it is."""
    return joined if joined.labels.words is None else joined.once(_InNumbers(settings[GRADE_WORDS.name]))


@dataclass(frozen=True)
class _InNumbers:
    """The settings under which joined data get numbers once."""

    grades: Setting
    scores: Setting | None = None
    """None where words stay scores."""

    def __call__(self, joined: Joined) -> Joined:
        labels, run = joined.labels, joined.rankings
        if labels.words is not None:
            grade = labels.words.in_place_of(labels.grade, self.grades(words=labels.words.texts))
            labels = labels.replace(grade=take_ownership(grade), words=None)
        if run.words is not None and run.score is not None and self.scores is not None:
            score = run.words.in_place_of(run.score, self.scores(words=run.words.texts))
            run = run.replace(score=take_ownership(score), words=None)
        return replace(joined, labels=labels, rankings=run)


def unknown_words(joined: Joined, settings: Mapping[str, Setting]) -> str:
    """What is wrong with the words of these data, in words; empty where nothing is."""
    for convention, role, words in _words_of(joined):
        setting = settings[convention.name]
        unknown = np.flatnonzero(np.isnan(setting(words=words.texts))).tolist()
        if unknown:
            texts = ", ".join(f"'{words.texts[at]}'" for at in unknown)
            said = f"the {role} {texts} has" if len(unknown) == 1 else f"the {role}s {texts} have"
            return f"{words.places[unknown[0]]}: {said} no number under {convention.name}={setting.text}"
    return ""
