"""Three lines on which the settings to a convention differ, found by trying: small lists, and metrics that ask it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

from places import Places
from writer import elements

import rankconv as rc
from rankconv.analysis.show import users_of
from rankconv.data.joined import Joined
from rankconv.engine import measure
from rankconv.engine.metric_result import Measured
from rankconv.errors import RankconvError
from rankconv.numbers.exact import decimal
from rankconv.pages.latex import equation_of
from rankconv.pages.page import Equation
from rankconv.pages.web.elements import Child, element, mathematics
from rankconv.presets.definition import Definition
from rankconv.presets.preset_page import any_definition
from rankconv.presets.registry import HOUSE
from rankconv.specs.convention import NUMBER, Convention

FEW, LONG = 6, 240
"""Settings that are shown of a convention at most, and letters of a working that is not too long to read."""
CUTOFFS = (2, None)
SEEN = {"u": ["c"], "ann": ["x"]}
TRAIN = {"u": ["c", "c", "a"], "ann": ["x", "a"], "bob": ["a"]}
FEATURES = {"a": [1.0, 0.0], "b": [1.0, 1.0], "c": [0.0, 2.0], "x": [0.0, 1.0]}
"""What is known of every item but y."""
OWNERS = 6
"""So many presets that set a convention in their own way are tried, where the neutral settings leave it idle."""
SIDE_DATA = {
    "ties": ("order", "score"),
    "min-rows": ("on-too-few-rows", "0"),
    "score-dtype": ("order", "score"),
    "beta-form": ("beta", "2"),
}
"""What must be answered so, that a convention matters at all."""
METRICS = ("ndcg", "map", "precision", "recall", "mrr", "dcg", "f", "err", "auc", "alpha_ndcg")
"""The metrics that are tried first, as most readers know them."""
LISTS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "Grades": ({"u": {"a": 3, "b": 1, "c": 2}}, {"u": ["c", "x", "a"]}),
    "One list, two relevant items": ({"u": ["a", "b"]}, {"u": ["a", "x", "b"]}),
    "A short list": ({"u": ["a", "b", "c"]}, {"u": ["a"]}),
    "Tied scores": ({"u": {"b": 1}}, {"u": {"a": 1.0, "b": 1.0, "c": 1.0}}),
    "An item twice": ({"u": ["a", "b"]}, {"u": ["a", "a", "b"]}),
    "A negative grade": ({"u": {"a": -1, "b": 2, "c": 1}}, {"u": ["a", "c", "b"]}),
    "A fraction of a grade": ({"u": {"a": 0.5, "b": 1, "c": 2}}, {"u": ["a", "c", "b"]}),
    "A grade of 0, and an unjudged item": ({"u": {"a": 0, "b": 1, "c": 1}}, {"u": ["x", "a", "b"]}),
    "Scores below 0": ({"u": ["a", "b"]}, {"u": {"x": 0.5, "a": -1.0, "b": -2.0}}),
    "A user whose id is an item's": ({"a": ["b"]}, {"a": ["a", "x", "b"]}),
    "Nothing relevant for bob": ({"ann": {"a": 1}, "bob": {"b": 0}}, {"ann": ["x", "a"], "bob": ["b"]}),
    "No labels for bob": ({"ann": ["a"], "bob": []}, {"ann": ["x", "a"], "bob": ["b"]}),
    "No list for bob": ({"ann": ["a"], "bob": ["b"]}, {"ann": ["x", "a"]}),
    "An empty list for bob": ({"ann": ["a"], "bob": ["b"]}, {"ann": ["x", "a"], "bob": []}),
    "No hit for bob": ({"ann": ["a"], "bob": ["b"]}, {"ann": ["x", "a"], "bob": ["y", "z"]}),
    "Nothing but relevant items for bob": (
        {"ann": {"a": 1, "x": 0}, "bob": {"b": 1}},
        {"ann": ["x", "a"], "bob": ["b"]},
    ),
    "Bob is in the lists alone": ({"ann": ["a"]}, {"ann": ["x", "a"], "bob": ["b"]}),
    "Three users": (
        {"ann": ["a", "b"], "bob": ["a"], "cem": ["c", "d"]},
        {"ann": ["a", "b"], "bob": ["x", "a"], "cem": ["x", "y", "c"]},
    ),
    "Nobody": ({"ann": []}, {"ann": []}),
    "A list that does not stand by score": ({"u": ["a"]}, {"u": [("x", 1.0), ("a", 2.0)]}),
    "Scores that are equal to seven digits": ({"u": ["a"]}, {"u": [("x", 1.0), ("a", 1.000000001)]}),
    "Large scores": ({"u": ["a"]}, {"u": [("x", 40.0), ("a", 50.0)]}),
    "Items that serve groups": ({"u": [["a", "b"], ["a", "c"], ["d"]]}, {"u": ["c", "b", "x", "a"]}),
    "Two users, and no list of the second's": ({"ann": [["a"], ["b"]], "bob": [["c"]]}, {"ann": ["a", "b"]}),
    "An item that another user judged": ({"ann": {"a": 1, "b": 0}, "bob": {"x": 1}}, {"ann": ["x", "b", "a"]}),
    "Users of different weight": (
        {"ann": {"a": 1, "b": 0, "c": 0}, "bob": {"a": 1, "b": 1, "c": 0}},
        {"ann": ["a", "b", "c"], "bob": ["a", "c", "b"]},
    ),
    "Grades of 0 alone": ({"ann": {"a": 0}, "bob": {"b": 0}}, {"ann": ["a"], "bob": ["b"]}),
    "Negative grades alone": ({"u": {"a": -1, "b": -2}}, {"u": ["b", "a"]}),
    "Known items": ({"u": ["b"]}, {"u": ["a", "b", "c", "y"]}),
    "Equal scores for bob": (
        {"ann": {"a": 1}, "bob": {"b": 1, "c": 0}},
        {"ann": {"x": 2.0, "a": 1.0}, "bob": {"c": 1.0, "b": 1.0}},
    ),
}
"""The smallest data on which one thing or another is peculiar."""


@dataclass(frozen=True)
class Example:
    """Labels and lists, and what came out under each setting."""

    title: str
    metric: str
    preset: str
    numbers: Sequence[tuple[Sequence[str], Child]]
    """Settings that give the same, with the number and the way to it."""

    def block(self, places: Places) -> str:
        """The lines, then the settings."""
        labels, run = LISTS[self.title]
        lines = [*_lines("labels", labels), *_lines("list", run)]
        listed = [
            part
            for settings, value in self.numbers
            for part in (element("dt", ", ".join(settings)), element("dd", value))
        ]
        wanted = element("p", f"{self.title}. {self.metric} under the preset {self.preset}, with each setting in turn:")
        return elements([wanted, element("pre", element("code", "\n".join(lines))), element("dl", *listed)], places)


def _lines(name: str, data: dict[str, Any]) -> Iterator[str]:
    for user, items in data.items():
        each = items.items() if isinstance(items, dict) else items
        yield f"{name} of {user}: {', '.join(map(_row, each)) or 'none'}"


def _row(row: Any) -> str:
    """An item, with its grade or score where it has one; items of a group together."""
    if isinstance(row, list):
        return f"[{' '.join(row)}]"
    return row if isinstance(row, str) else f"{row[0]} {row[1]:.10g}"


def example(convention: Convention) -> Example | None:
    """The data and the metric that distinguish most settings; None where none of them does.

    All else is answered as the house's preset does; where that leaves the convention idle, as one of those presets do
    that set it in their own way.
    """
    return _best(convention, _metrics(convention, HOUSE)) or _best(convention, _own(convention))


def _best(convention: Convention, wanted: Iterable[tuple[str, str]]) -> Example | None:
    best: tuple[int, Example | None] = (1, None)
    settings = _settings(convention)
    for (owner, key), title in product(wanted, LISTS):
        for k in CUTOFFS:
            found = _outcomes(convention, owner, key, k, title, settings)
            if len(found) > best[0]:
                best = len(found), _example(convention, owner, title, found)
            if best[0] == len(settings):
                return best[1]
    return best[1]


def _metrics(convention: Convention, name: str) -> list[tuple[str, str]]:
    """Two metrics of a preset that ask the convention, those first that most readers know."""
    owner = rc.preset(name)
    asking = [key for key in owner.metrics if convention.name in any_definition(owner, key).settings]
    first = [key for key in METRICS if key in asking]
    return [(name, key) for key in [*first, *(key for key in asking if key not in first)]][:2]


def _own(convention: Convention) -> Iterator[tuple[str, str]]:
    """Metrics of presets that give the convention a setting of their own."""
    usual = {
        any_definition(rc.preset(HOUSE), key).settings.get(convention.name) for _, key in _metrics(convention, HOUSE)
    }
    owners = [name for setting, names in users_of(convention).items() if setting not in usual for name in names[:2]]
    for name in list(dict.fromkeys(owners))[:OWNERS]:
        owner = rc.preset(name)
        wanted = {key: any_definition(owner, key).settings.get(convention.name) for key in owner.metrics}
        own = [key for key, setting in wanted.items() if setting is not None and setting not in usual]
        yield from ((name, key) for key in sorted(own, key=_known_first)[:2])


def _known_first(key: str) -> int:
    return METRICS.index(key) if key in METRICS else len(METRICS)


def _settings(convention: Convention) -> list[str]:
    """One form of each setting: its name, or with the parameters that presets give it."""
    used = [*users_of(convention)]
    found = []
    for name, setting_type in convention.setting_types.items():
        forms = [one for one in used if _is(convention, one, name)]
        plain = ["0", "1"] if name == NUMBER else [name] if not setting_type.parameters.required else []
        found += [one for one in (*forms, *plain) if _is(convention, one, name)][: 2 if name == NUMBER else 1]
    return list(dict.fromkeys(found))[: 2 * FEW]


def _is(convention: Convention, text: str, name: str) -> bool:
    try:
        return convention(text).setting_type.name == name
    except RankconvError:
        return False


@cache
def _joined(title: str) -> Joined:
    return rc.join(*LISTS[title], catalogue=7, seen=SEEN, train=TRAIN, item_features=FEATURES)


def _outcomes(
    convention: Convention, owner: str, key: str, k: int | None, title: str, settings: Sequence[str]
) -> dict[str, list[tuple[Definition, Measured]]]:
    """What came out, with the definitions that give it."""
    given: list[Definition] = []
    other_settings = [SIDE_DATA[convention.name]] if convention.name in SIDE_DATA else []
    for setting in settings:
        try:
            given.append(rc.preset(owner).definition(key, ((convention.name, setting), *other_settings), k))
        except RankconvError:
            continue
    found: dict[str, list[tuple[Definition, Measured]]] = {}
    for definition, measured in zip(given, measure(_joined(title), given, None), strict=True):
        value = measured.refusals[0].why if measured.refusals else decimal(measured.mean)
        found.setdefault(value, []).append((definition, measured))
    return {value: which for value, which in found.items() if "needs" not in value}


def _example(
    convention: Convention, owner: str, title: str, found: dict[str, list[tuple[Definition, Measured]]]
) -> Example:
    definitions = {value: [definition for definition, _ in which] for value, which in found.items()}
    numbers = [
        ([f"{convention.name}={one.settings[convention.name]}" for one in which], _worked(title, value, which[0]))
        for value, which in definitions.items()
    ]
    shown = next(iter(definitions.values()))[0]
    at = "" if shown.requested_k is None else f"@{shown.requested_k}"
    return Example(title, f"{shown.key}{at}", owner, numbers)


def _worked(title: str, value: str, definition: Definition) -> Child:
    """The equation of a single user's number; the number alone of several users, or where there is none."""
    joined = _joined(title)
    if len(joined.users) > 1:
        return value
    try:
        explained = rc.explain(joined, definition, user=joined.users.id(0))
    except RankconvError:
        return value
    equations = [one for section in explained._page().sections for one in section if isinstance(one, Equation)]
    latex = equation_of(equations[-1]) if equations and decimal(explained.value) == value else ""
    return mathematics(latex, alone=False) if latex and len(latex) < LONG else value
