"""Every setting and every metric has its words and its formula, and what stands in their holes fits."""

import ast
import inspect
from collections.abc import Iterator
from inspect import Parameter
from pathlib import Path
from typing import Literal, get_args, get_origin

import pytest

import rankconv as rc
from rankconv import plugin
from rankconv.aggregation import DATA_POLICIES, POLICIES, PREPARED_DATA_POLICIES
from rankconv.conventions.convention import CONVENTIONS, NUMBER, SettingType
from rankconv.conventions.parameters import Within
from rankconv.evaluation.citing import formula as filling
from rankconv.evaluation.citing.formula import formula
from rankconv.evaluation.citing.paragraph import Statements, paragraph, sources_of
from rankconv.metrics import METRICS
from rankconv.metrics.divisors import K_ACCEPTED

OURS = "rankconv."


def needs_no_words(convention_name: str, name: str) -> bool:
    """A special case that the formula decides is not told; what is a part of a sentence stands there by its rule."""
    decided = name == "as-computed" and convention_name in {**POLICIES, **DATA_POLICIES, **PREPARED_DATA_POLICIES}
    return decided or rc.convention(convention_name).phrase


def test_every_setting_has_words_and_a_source_that_is_known() -> None:
    for convention in CONVENTIONS.values():
        for name, setting_type in convention.setting_types.items():
            if setting_type.function.__module__.startswith(OURS):
                wordless = convention.name == K_ACCEPTED.name or needs_no_words(convention.name, name)
                assert setting_type.says or setting_type.no is not None or wordless, (convention.name, name)
                assert not setting_type.cite or sources_of(setting_type.cite, setting_type.paper)


def test_every_metric_has_a_sentence_and_a_formula_of_its_own() -> None:
    ours = [metric for metric in METRICS.values() if metric.__module__.startswith(OURS)]
    for told in ([metric.says for metric in ours], [metric.tex for metric in ours]):
        assert all(told)
        assert len(set(told)) == len(told) >= 50


def needs(setting_type: SettingType, name: str) -> str:
    """A parameter: 2, or 0.5 where that is too high, or a setting where it is one, or the first of several words."""
    marks = get_args(setting_type.parameters.types.get(name))
    if get_origin(setting_type.parameters.types.get(name)) is Literal:
        return str(marks[0])
    for mark in marks:
        if isinstance(mark, plugin.Convention):
            return next(name for name, one in mark.setting_types.items() if not one.parameters.required)
    return "0.5" if any(isinstance(mark, Within) and mark.most == 1 for mark in marks) else "2"


def as_text(setting_type: SettingType) -> str:
    """The setting, with 2 for whatever it needs."""
    if setting_type.name == NUMBER:
        return "1"
    needed = [p for p in setting_type.parameters.own if p.default is p.empty]
    parts = "0.5, unsatisfied" if setting_type.traits.of_parts else "k, relevant"
    numbers = [
        p for p in needed if any(isinstance(one, Within) for one in get_args(setting_type.parameters.types.get(p.name)))
    ]
    parts = "0.2, 0.5" if any(p.kind is Parameter.VAR_POSITIONAL for p in numbers) else parts
    given = {Parameter.VAR_POSITIONAL: parts, Parameter.VAR_KEYWORD: "1=2"}
    inside = ", ".join(given.get(p.kind, f"{p.name}={needs(setting_type, p.name)}") for p in needed)
    return f"{setting_type.name}({inside})" if inside else setting_type.name


BESIDE = {("item-weight", "length"): (("span-unit", "span"),)}
"""Settings without which another one has no meaning."""


def under_each_setting(key: str, convention_name: str) -> Iterator[rc.Definition]:
    """The default preset's metric under each setting of the convention, at a cutoff where it has one."""
    house = rc.preset("rankconv")
    k = 10 if house.offers(f"{key}@10") else None
    for setting_type in rc.convention(convention_name).setting_types.values():
        if convention_name != K_ACCEPTED.name:
            setting = convention_name, as_text(setting_type)
            yield house.definition(key, (setting, *BESIDE.get(setting, ())), k)


PAIRS = [
    (key, convention_name)
    for key in rc.preset("rankconv").metrics
    for convention_name in METRICS[rc.preset("rankconv").definition(key).metric.name].conventions()
]


def test_whatever_a_metric_asks_can_be_said() -> None:
    for key, convention_name in PAIRS:
        told: dict[str, list[str]] = {}
        for one in under_each_setting(key, convention_name):
            text = paragraph(one)
            assert not set("{}«»") & set(text + formula(one).replace("{", "").replace("}", ""))
            if convention_name not in Statements(one).silent:
                told.setdefault(text, []).append(one.text)
        assert all(len(same) == 1 for same in told.values())


PLAIN_WORDS = ("counts", "k", "value", "rank", "rows", "user", "users", "log")
"""Words of sentences and of their holes that are also names."""


def test_what_cites_names_no_metric_convention_or_setting() -> None:
    settings = {name for convention in CONVENTIONS.values() for name in convention.setting_types}
    names = {*METRICS, *CONVENTIONS, *settings} - set(PLAIN_WORDS)
    for file in Path(inspect.getfile(filling)).parent.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant):
                assert node.value not in names, f"{file.name}, line {node.lineno}: {node.value}"


DIVIDED = "in the first 10 ranks, divided by "


@pytest.mark.parametrize(
    ("convention_name", "setting", "words"),
    [
        (
            "candidates",
            "with-unretrieved(lowest=-1)",
            "of the labels, below the lowest score, and scores are shifted so that the last one is -1",
        ),
        ("grades-allowed", "integer", "grades that are not whole numbers are not allowed"),
        ("grades-allowed", "integer(4)", "grades that are not whole numbers or are above 4 are not allowed"),
        ("discount", "log(base=3, shift=2)", "is divided by log3(j + 2)"),
        ("discount", "log(base=e)", "is divided by ln(j + 1)."),
        ("discount", "log-from-rank(base=2)", "the gain at a rank j above 2 is divided by log2(j)"),
        ("gain", "table(1=1, 2=5.5)", "grades gain 1 for grade 1 and 5.5 for grade 2, and any other grade itself"),
        ("gain", "of-relevant(table(2=5))", "and any other grade itself, but one that is not relevant gains 0"),
        ("gain", "of-relevant(exponential)", "an item of grade g gains 2^g - 1, but one that is not relevant gains 0"),
        ("aggregate", "smoothed(0.5)", "the users counted plus 0.5, divided by their number plus twice 0.5"),
        ("relevant", "at-least(2.5)", "if its grade is at least 2.5"),
        ("max-depth", "50", "only the first 50 rows of a list are read"),
        ("aggregate", "median(lower)", "the median over the users counted (of two middle values, lower)"),
        ("round-mean", "numpy(4)", "the mean is rounded to 4 decimals, half to even"),
        (
            "ap-denominator",
            "min(k, length, relevant)",
            DIVIDED + "the least of 10, the length of the list and the number ",
        ),
        ("ap-denominator", "hits(epsilon=0.001)", DIVIDED + "the number of relevant items found plus 0.001."),
        ("ap-denominator", "labels-above(2)", DIVIDED + "the number of labels with a grade above 2."),
        ("ap-denominator", "hits-in-ranking", DIVIDED + "the number of relevant items in the whole list."),
        (
            "ap-denominator",
            "min(k, nonzero-labels)",
            DIVIDED + "the lesser of 10 and the number of labels with a grade ",
        ),
        ("on-one-user", "0.5", "If there is only one user, every user and the mean count as 0.5."),
    ],
)
def test_parameters_are_said(convention_name: str, setting: str, words: str) -> None:
    metric = "map" if convention_name == "ap-denominator" else "dcg"
    (definition,) = rc.preset("rankconv").define(f"{metric}({convention_name}={setting})@10")
    assert words in paragraph(definition)
