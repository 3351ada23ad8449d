"""What `choices` prints: the questions on which systems differ, and all that is known of one."""

from collections.abc import Iterator, Sequence
from inspect import Parameter
from typing import Any, Literal, get_args, get_origin

from rankconv.averaging import Averaging
from rankconv.judging.pipeline import Judging
from rankconv.metrics import METRICS
from rankconv.pages import forms
from rankconv.pages.page import Beside, Heading, Line, Page, Piece
from rankconv.pages.table import Table
from rankconv.presets.order import place
from rankconv.presets.preset_page import any_definition
from rankconv.presets.registry import list_presets, preset
from rankconv.questions.answer_text import number_text, read_call, read_number
from rankconv.questions.choice import NUMBER, QUESTIONS, Choice, Option
from rankconv.questions.parameters import Above, Base, InOrder, Within

FEW = 6
"""So many presets are named, unless all are asked for."""


def choices_table() -> Table:
    """All questions with their answers, those of lists and labels first, then of users and means, then of metrics."""
    shared = {"lists and labels": [*Judging.questions()], "users and means": [*Averaging.questions()]}
    known = {name for names in shared.values() for name in names}
    parts = {**shared, "metrics": [name for name in QUESTIONS if name not in known]}
    rows = [
        [name, part, QUESTIONS[name].question, ", ".join(QUESTIONS[name].names)]
        for part, names in parts.items()
        for name in names
    ]
    return Table(["question", "of", "what it asks", "answers"], rows, labels=4, prose=frozenset({1, 2, 3}))


def choice_table(choice: Choice) -> Table:
    """One question: each answer with its rule, what it takes, where it stands, and who uses it."""
    used = users_of(choice)
    rows = [
        [
            option.parameters.shown(option.name),
            option.rule,
            _takes(option),
            option.cite,
            _names(used, option),
        ]
        for option in choice.options.values()
    ]
    return Table(["answer", "rule", "takes", "source", "used by"], rows, labels=5, prose=frozenset({1, 2, 4}))


def choice_page(choice: Choice, *, every: bool = False) -> Page:
    """One question in words; `every` preset that uses an answer is named, or only those that most people know."""
    used = users_of(choice)
    metrics = [name for name, kind in METRICS.items() if choice.name in kind.questions()]
    asked = [Beside("Asked by", ", ".join(metrics))] if 0 < len(metrics) < len(METRICS) else []
    sections: list[list[Piece]] = [[Heading(f"{choice.name}: {choice.question}"), *asked]]
    for option in choice.options.values():
        named = [Beside("  ", told) for told in (*_told(choice, option), *_users(used, option, every))]
        sections.append([Beside(option.parameters.shown(option.name), option.rule), *named])
    if any(len(names) > FEW for names in used.values()) and not every:
        sections.append([Line(f"All presets of each setting: rankconv show {choice.name} --all")])
    return Page(sections)


def choice_text(choice: Choice) -> str:
    """One question in words, as Python shows it."""
    return forms.text(choice_page(choice))


def users_of(choice: Choice) -> dict[str, list[str]]:
    """Answer → the presets that give it for any of their metrics, those that most people use first."""
    found: dict[str, list[str]] = {}
    for owner in map(preset, sorted(list_presets(), key=place)):
        given = {any_definition(owner, key).answers.get(choice.name) for key in owner.metrics}
        for answer in sorted(given - {None}, key=str):
            found.setdefault(str(answer), []).append(owner.name)
    return found


def _told(choice: Choice, option: Option) -> Iterator[str]:
    """What else is known of an answer."""
    about, takes = option.about, _takes(option)
    written = [word for word, answer in choice.words.items() if choice(answer).option is option]
    yield from [about] if about else []
    yield from [f"Takes: {takes}."] if takes else []
    yield from [f"Texts also write: {', '.join(written)}."] if written else []
    yield from [f"Source: {option.cite}."] if option.cite else []


def _takes(option: Option) -> str:
    """The parameters of an answer with their types; of a number its range."""
    if "least" in option.traits:
        return _range(option.traits["least"], option.traits["most"])
    return "; ".join(_parameter(one, option.parameters.types.get(one.name, str)) for one in option.parameters.own)


def _range(least: float, most: float) -> str:
    ends = [f"at least {least:g}"] * (least > -float("inf")) + [f"at most {most:g}"] * (most < float("inf"))
    return " and ".join(ends or ["any number"])


def _parameter(one: Parameter, kind: Any) -> str:
    if one.kind is one.VAR_KEYWORD:
        return "grade=number, as many as there are"
    name = "each part" if one.kind is one.VAR_POSITIONAL else one.name
    default = "" if one.default is one.empty else f", {_default(one.default)} unless said"
    return f"{name}: {_kind(kind)}{default}"


def _default(value: Any) -> str:
    return number_text(float(value)) if isinstance(value, (int, float)) else str(value)


def _kind(kind: Any) -> str:
    mark = get_args(kind)[1] if len(get_args(kind)) > 1 and get_origin(kind) is not Literal else None
    if isinstance(mark, Base):
        return "the base of a logarithm, a number above 1 or e"
    if isinstance(mark, Above):
        return f"a number above {mark.limit:g}"
    if isinstance(mark, Within):
        return f"a number from {mark.least:g} to {mark.most:g}"
    if isinstance(mark, InOrder):
        return f"at least {mark.least} in their order, each one of {', '.join(mark.of)}"
    if isinstance(mark, Choice):
        return f"one of {', '.join(mark.names)}"
    if mark is not None:
        return _kind(get_args(kind)[0])
    if get_origin(kind) is Literal:
        return f"one of {', '.join(map(str, get_args(kind)))}"
    return {int: "a whole number", float: "a number"}.get(kind, "text")


def _answers(used: dict[str, list[str]], option: Option) -> dict[str, list[str]]:
    """What is given of this option, each with who gives it."""
    return {
        answer: names
        for answer, names in used.items()
        if (option.name == NUMBER and read_number(answer) is not None) or read_call(answer)[0] == option.name
    }


def _names(used: dict[str, list[str]], option: Option) -> str:
    return ", ".join(dict.fromkeys(name for names in _answers(used, option).values() for name in names))


def _users(used: dict[str, list[str]], option: Option, every: bool) -> Iterator[str]:
    """Who gives each answer of this option."""
    for answer, names in _answers(used, option).items():
        told = "Used by" if answer == option.name else answer
        yield f"{told}: {_listed(names, every)}"


def _listed(names: Sequence[str], every: bool) -> str:
    more = "" if every or len(names) <= FEW else f" and {len(names) - FEW} more"
    return ", ".join(names if every else names[:FEW]) + more
