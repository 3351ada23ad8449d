"""The smallest data on which the settings of a convention differ, found by trial."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import product
from typing import Any, NamedTuple

from linking import Links

import rankconv as rc
from rankconv.analysis.lookup_data import users_of
from rankconv.basics.errors import RankconvError
from rankconv.conventions.convention import NUMBER, Convention
from rankconv.data.joined import Joined
from rankconv.engine import measure
from rankconv.presets.definition import Definition
from rankconv.presets.preset_page import any_definition
from rankconv.presets.preset_registry import HOUSE
from rankconv.rendering.numbers.exact import decimal
from rankconv.rendering.pages.markup import equation_of
from rankconv.rendering.pages.page import Equation
from rankconv.rendering.pages.web.elements import Child, element
from rankconv.rendering.pages.web.html import mathematics

LONGEST = 240
"""Letters of an equation that is shown."""
SIDE_DATA: dict[str, Any] = {
    "catalogue": 7,
    "seen": {"u": ["c"], "ann": ["x"]},
    "train": {"u": ["c", "c", "a"], "ann": ["x", "a"], "bob": ["a"]},
    "item_features": {"a": [1.0, 0.0], "b": [1.0, 1.0], "c": [0.0, 2.0], "x": [0.0, 1.0]},
}
"""Features are known of every item but y."""
REQUIRED = {
    "ties": ("order", "score"),
    "min-rows": ("on-too-few-rows", "0"),
    "score-dtype": ("order", "score"),
    "beta-form": ("beta", "2"),
}
"""The setting of another convention without which this one has no effect."""
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
    "Items that serve groups": ({"u": {1: ["a", "b"], 2: ["a", "c"], 3: ["d"]}}, {"u": ["c", "b", "x", "a"]}),
    "Two users, and no list of the second's": ({"ann": {1: ["a"], 2: ["b"]}, "bob": {1: ["c"]}}, {"ann": ["a", "b"]}),
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
"""Labels and lists, each with one peculiarity."""


class Contrast(NamedTuple):
    """Labels and lists, and the value under each setting."""

    title: str
    metric: str
    preset: str
    values: Sequence[tuple[Sequence[str], Child]]
    """Settings that give the same value, with its equation."""

    def block(self, links: Links) -> str:
        """Write the lists, then the values."""
        labels, run = LISTS[self.title]
        lines = [*_lines("labels", labels), *_lines("list", run)]
        values = [
            part
            for settings, value in self.values
            for part in (element("dt", ", ".join(settings)), element("dd", value))
        ]
        about = element("p", f"{self.title}. {self.metric} under the preset {self.preset}, with each setting in turn:")
        return links.html([about, element("pre", element("code", "\n".join(lines))), element("dl", *values)])


def _lines(name: str, data: dict[str, Any]) -> Iterator[str]:
    for user, items in data.items():
        rows = items.items() if isinstance(items, dict) else items
        yield f"{name} of {user}: {', '.join(map(_row, rows)) or 'none'}"


def _row(row: Any) -> str:
    """Write an item, with its grade or score where it has one; items of one subtopic in brackets."""
    if isinstance(row, str):
        return row
    item, value = row
    return f"[{' '.join(value)}]" if isinstance(value, list) else f"{item} {value:.10g}"


def contrast(convention: Convention) -> Contrast | None:
    """Find the data and the metric that distinguish most settings; None where no data does.

    Other conventions have the settings of the default preset. Where these leave the convention without effect, presets
    with a setting of their own are tried.
    """
    return _best(convention, _first_metrics(convention)) or _best(convention, _own_metrics(convention))


def _best(convention: Convention, metrics: Iterable[tuple[str, str]]) -> Contrast | None:
    settings, most, best = _forms(convention), 1, None
    for (owner, key), title, k in product(metrics, LISTS, (2, None)):
        outcomes = _outcomes(convention, owner, key, k, title, settings)
        if len(outcomes) > most:
            most, best = len(outcomes), _contrast(convention, owner, title, outcomes)
        if most == len(settings):
            break
    return best


def _place(key: str) -> int:
    return METRICS.index(key) if key in METRICS else len(METRICS)


def _first_metrics(convention: Convention) -> list[tuple[str, str]]:
    """Return two metrics of the default preset that have this convention."""
    owner = rc.preset(HOUSE)
    keys = [key for key in owner.metrics if convention.name in any_definition(owner, key).settings]
    return [(HOUSE, key) for key in sorted(keys, key=_place)[:2]]


def _own_metrics(convention: Convention) -> Iterator[tuple[str, str]]:
    """Yield metrics of six presets whose setting is not the default preset's."""
    usual = {
        any_definition(rc.preset(HOUSE), key).settings.get(convention.name) for _, key in _first_metrics(convention)
    }
    owners = [name for setting, names in users_of(convention).items() if setting not in usual for name in names[:2]]
    for name in list(dict.fromkeys(owners))[:6]:
        owner = rc.preset(name)
        settings = {key: any_definition(owner, key).settings.get(convention.name) for key in owner.metrics}
        own = [key for key, setting in settings.items() if setting is not None and setting not in usual]
        yield from ((name, key) for key in sorted(own, key=_place)[:2])


def _forms(convention: Convention) -> list[str]:
    """Return up to 12 settings: each by name, or with the arguments that presets give it; of a number two values."""
    used = [*users_of(convention)]
    forms = []
    for name, setting_type in convention.setting_types.items():
        plain = ["0", "1"] if name == NUMBER else [name] if not setting_type.parameters.required else []
        forms += [text for text in (*used, *plain) if _is(convention, text, name)][: 2 if name == NUMBER else 1]
    return list(dict.fromkeys(forms))[:12]


def _is(convention: Convention, text: str, name: str) -> bool:
    try:
        return convention(text).setting_type.name == name
    except RankconvError:
        return False


@cache
def _joined(title: str) -> Joined:
    return rc.join(*LISTS[title], **SIDE_DATA)


def _outcomes(
    convention: Convention, owner: str, key: str, k: int | None, title: str, settings: Sequence[str]
) -> dict[str, list[Definition]]:
    """Return each value, or reason for a refusal, with the definitions that give it."""
    definitions: list[Definition] = []
    required = [REQUIRED[convention.name]] if convention.name in REQUIRED else []
    for setting in settings:
        try:
            definitions.append(rc.preset(owner).definition(key, ((convention.name, setting), *required), k))
        except RankconvError:
            continue
    outcomes: dict[str, list[Definition]] = {}
    for definition, measured in zip(definitions, measure(_joined(title), definitions, None), strict=True):
        value = measured.refusals[0].why if measured.refusals else decimal(measured.mean)
        outcomes.setdefault(value, []).append(definition)
    return {value: which for value, which in outcomes.items() if "needs" not in value}


def _contrast(convention: Convention, owner: str, title: str, outcomes: dict[str, list[Definition]]) -> Contrast:
    values = [
        ([f"{convention.name}={one.settings[convention.name]}" for one in which], _equation(title, value, which[0]))
        for value, which in outcomes.items()
    ]
    first = next(iter(outcomes.values()))[0]
    at = "" if first.requested_k is None else f"@{first.requested_k}"
    return Contrast(title, f"{first.key}{at}", owner, values)


def _equation(title: str, value: str, definition: Definition) -> Child:
    """Return the equation of a single user's value; of several users, or where there is none, the value alone."""
    joined = _joined(title)
    if len(joined.users) > 1:
        return value
    try:
        explanation = rc.explain(joined, definition, user=joined.users.id(0))
    except RankconvError:
        return value
    equations = [one for section in explanation._page().sections for one in section if isinstance(one, Equation)]
    latex = equation_of(equations[-1]) if equations and decimal(explanation.value) == value else ""
    return mathematics(latex, alone=False) if latex and len(latex) < LONGEST else value
