"""Where no definition gives a number: does it come out at another cutoff, or with another level of relevance?"""

from dataclasses import replace

import numpy as np

from rankconv.definition import Definition
from rankconv.identifying.identified import Row
from rankconv.identifying.rows import Found, as_rows, classes, of_presets
from rankconv.identifying.sought import Sought
from rankconv.identifying.space import entries, every_preset, one_metric
from rankconv.presets.registry import preset
from rankconv.ranking.joined import Joined
from rankconv.ranking.rows import Mask

CUTOFFS = (None, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 100, 200, 500, 1000)
MOST_LEVELS = 10


def elsewhere(joined: Joined, metric: str, sought: Sought, chosen: Mask | None) -> list[Row]:
    """The presets that give the number at a usual cutoff, or where another grade is the lowest relevant one."""
    asked = [*_at_other_cutoffs(metric), *_at_other_levels(joined, metric)]
    found = [
        Found(one, how, 1, 1, of_preset=True)
        for one in of_presets(joined, asked, chosen)
        if (how := sought.how(one.mean)) is not None
    ]
    return as_rows(joined, classes(found, sought))


def cutoffs_tried(metric: str) -> list[int | None]:
    """The cutoffs that are tried beside the one that was asked for."""
    return [k for k in CUTOFFS if k != one_metric(metric).cutoffs[0]]


def _at_other_cutoffs(metric: str) -> list[Definition]:
    head, presets = metric.partition("@")[0], every_preset()
    return [one for k in cutoffs_tried(metric) for one in entries(head if k is None else f"{head}@{k}", presets)]


def _at_other_levels(joined: Joined, metric: str) -> list[Definition]:
    grades = np.unique(joined.labels.grade)
    if not 1 < len(grades) <= MOST_LEVELS or any(question == "relevant" for question, _ in one_metric(metric).answers):
        return []
    told = [("relevant", f"at-least({grade:g})") for grade in grades[1:].tolist()]
    return [_but(one, pair) for one in entries(metric) for pair in told]


def _but(one: Definition, told: tuple[str, str]) -> Definition:
    made = preset(one.preset).definition(one.key, (*one.changed, told), one.asked_k)
    return replace(made, asked_k=one.asked_k)
