"""The definitions that differ from one of a preset in one setting, or in two; and users in all special situations."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from zlib import crc32

import rankconv as rc
from rankconv.analysis.identify.candidates import settings_to
from rankconv.basics.errors import RankconvError
from tests.laws.test_laws import definitions, of_users_alone

OTHERS = {
    "candidates": (
        "padded(rows=6)",
        "padded(rows=20)",
        "with-unretrieved(lowest=1)",
        "with-unretrieved(lowest=0.001)",
        "with-unretrieved(lowest=-2)",
        "with-unretrieved + padded",
        "padded + with-unretrieved(lowest=1)",
    ),
    "max-depth": ("4", "score-at-least(0.5)"),
    "exclude": ("identical-ids",),
    "ties": ("rank(min)", "rank(average)"),
    "relevant": ("above(1)", "at-least(-1)"),
}
"""Settings with parameters that no preset has."""
ITEMS = [str(number) for number in range(1, 31)]
SIDE_DATA: dict[str, Any] = {
    "catalogue": 60,
    "train": {"1": ["1", "2"], "u1": ["2", "9", "77"], "3": ["2"], "away": ["11", "10"]},
    "seen": {"1": ["3", "4"], "u1": ["5"], "u2": ["1", "2", "3"], "7": ["9"]},
    "item_features": {item: [float(len(item)), float(place)] for place, item in enumerate(ITEMS)},
}
"""For those who ask for more than labels and lists."""
KINDS = [
    *["ordinary"] * 6, "negative", "fractions", "no labels", "no list", "empty list", "only zeros", "all relevant",
    "labelled twice", "listed twice", "all listed", "long", "one row", "named as an item",
]  # fmt: skip
GRADES = {"only zeros": [0.0], "negative": [-1.0, -1.0, 0, 1, 2], "fractions": [0, 0.1, 0.7, 1.7], "all relevant": [1]}
EXTREME = [1e308, -1e308, 1e20, -1e20, 1e-320, 1e-50, 0.0, -0.0, -1.0, 3.0, 1e9, 1e9 + 1]
SCORES = ("falling", "tied", "in disorder", "extreme", "none")


class Change(NamedTuple):
    """One setting of a definition that is another."""

    base: rc.Definition
    part: int
    """Of preparation, metric and aggregation."""
    convention_name: str
    setting: str


def bases() -> list[rc.Definition]:
    """Every metric of every preset, over the whole list and at 3, each once."""
    return list({one.setting_sets: one for one in definitions(None, 3)}.values())


@cache
def changes() -> list[Change]:
    """All single changes of all of these."""
    occurring: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for base in bases():
        for convention_name, setting in base.settings.items():
            occurring[convention_name][setting] = None
    settings = {
        convention_name: settings_to(convention_name, [*known, *OTHERS.get(convention_name, ())])
        for convention_name, known in occurring.items()
    }
    return [
        Change(base, place, convention_name, setting)
        for base in bases()
        for place, part in enumerate(base.setting_sets)
        for convention_name in part.conventions()
        for setting in settings[convention_name]
        if setting != part.given(convention_name)
    ]


def changed(definition: rc.Definition, *more: Change) -> Iterator[rc.Definition]:
    """The definition with these settings; nothing where they are not possible together."""
    parts: list[Any] = list(definition.setting_sets)
    told = tuple((change.convention_name, change.setting) for change in more)
    try:
        for change in more:
            parts[change.part] = parts[change.part].replace({change.convention_name: change.setting})
        preparation, metric, aggregation = parts
        all_changed = (*definition.changed, *told)
        new = replace(definition, preparation=preparation, metric=metric, aggregation=aggregation, changed=all_changed)
        yield of_users_alone(new.check())
    except RankconvError:
        return


def one_away(some: Iterable[Change]) -> Iterator[rc.Definition]:
    """The definitions that these changes make."""
    for change in some:
        yield from changed(change.base, change)


def two_away(random: Random, count: int) -> Iterator[rc.Definition]:
    """Definitions that differ in two settings of preparation, from the default preset or another one."""
    of_preparation = [one for one in changes() if one.part == 0]
    house = [one for one in of_preparation if one.base.preset == "rankconv"]
    for of in random.choices((house, of_preparation), k=count):
        first = random.choice(of)
        second = random.choice(of)
        if first.convention_name != second.convention_name:
            yield from changed(first.base, first, second)


def commit() -> Random:
    """Draws that are the same wherever this source is tested, and others for the next change of it."""
    files = sorted(Path(rc.__file__).parent.rglob("*.py"))
    return Random(crc32(b"".join(file.read_bytes() for file in files)))


def users(random: Random, count: int, scores: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Labels and lists of so many users, whose scores are of one of `SCORES`."""
    labels: dict[str, Any] = {}
    run: dict[str, Any] = {}
    names = iter(ITEMS)
    for number in range(count):
        kind = random.choice(KINDS)
        user = next(names, f"u{number}") if kind == "named as an item" else f"u{number}"
        labelled, listed = _user(random, kind)
        if user in ITEMS:
            labelled, listed = [*labelled, (user, 1.0)][-6:], listed + [user][: random.choice((0, 1))]
            listed = list(dict.fromkeys(listed))
        labels[user] = labelled
        if kind != "no list":
            run[user] = (
                listed if scores == "none" else list(zip(listed, _scores(random, len(listed), scores), strict=True))
            )
    return labels, run


def _user(random: Random, kind: str) -> tuple[list[tuple[str, float]], list[str]]:
    grades = GRADES.get(kind, [0, 1, 1, 2, 3])
    labelled = [(item, random.choice(grades)) for item in random.sample(ITEMS, random.randint(1, 8))]
    listed = random.sample(ITEMS, {"long": 25, "one row": 1, "empty list": 0}.get(kind, random.randint(2, 12)))
    if kind == "no labels":
        labelled = []
    if kind == "labelled twice":
        labelled.append((labelled[0][0], random.choice(grades)))
    if kind == "listed twice":
        listed.append(random.choice(listed))
    if kind == "all listed":
        listed = list(dict.fromkeys([*listed, *(item for item, _ in labelled)]))
    return labelled, listed


def _scores(random: Random, count: int, scores: str) -> list[float]:
    if scores == "in disorder":
        return [random.choice([random.random(), float(random.randint(-3, 3))]) for _ in range(count)]
    drawn = [random.choice(EXTREME) if scores == "extreme" else float(random.randint(-2, 5)) for _ in range(count)]
    if scores == "falling":
        drawn = [30.0 - place - random.random() / 2 for place in range(count)]
    return sorted(drawn, reverse=True) if scores != "extreme" or random.random() < 0.5 else drawn
