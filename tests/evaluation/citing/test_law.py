"""Over all presets and metrics: nothing is left unsaid, and what is written can be read."""

import re
from collections.abc import Iterator

import pytest

import rankconv as rc
from rankconv.aggregation.data_policies import POLICY_ORDER
from rankconv.analysis import cite as finding
from rankconv.evaluation.citing.citations import Cited, Methods
from rankconv.evaluation.citing.paragraph import Statements, paragraph
from rankconv.presets.neutral import neutral_settings
from tests.laws import examples


def definitions(preset: str, cutoffs: tuple[int | None, ...] = (None, 10)) -> Iterator[rc.Definition]:
    owner = rc.preset(preset)
    for key in owner.metrics:
        for k in cutoffs:
            if owner.offers(key if k is None else f"{key}@{k}"):
                yield owner.definition(key, (), k)


def test_every_setting_that_is_not_neutral_is_said() -> None:
    neutral, seen = neutral_settings(), set()
    for definition in (one for preset in rc.list_presets(eras=True) for one in definitions(preset)):
        if definition.setting_sets in seen:
            continue
        seen.add(definition.setting_sets)
        text, told = paragraph(definition), Statements(definition)
        for convention_name, setting in definition.settings.items():
            if convention_name == POLICY_ORDER.name:  # said by the order in which the cases are told
                places = [text.lower().index(who.lower()) for who, _ in told.special_users.values()]
                assert places == sorted(places), definition.text
            elif neutral[convention_name] != setting and convention_name not in told.silent:
                for words in told.words(convention_name).split(": "):
                    assert words.lower() in text.lower(), (definition.text, convention_name, setting)
        assert not re.search(r"[{}«»]|  |\bNone\b|<", text), text
        assert all(re.match(r"[A-Z0-9].*[\w)]$", sentence) for sentence in text[:-1].split(". ")), text


def test_what_is_silent_says_nothing_of_the_number() -> None:
    definition, of_groups = rc.preset("mllib").definition("ndcg", (), 10), ("no-subtopic", "subtopic-weight")
    of_weights = ("missing-weight", "weight-clip")
    never = {"k-accepted", "ties", "score-dtype", "min-rows", "on-invalid", "span-match"}
    assert Statements(definition).silent == {*never, *of_groups, *of_weights}


def test_different_definitions_have_different_paragraphs() -> None:
    by_text: dict[str, set[object]] = {}
    for preset in rc.list_presets(eras=True):
        for definition in definitions(preset, (10,)):
            silent = Statements(definition).silent
            said = {
                convention_name: setting
                for convention_name, setting in definition.settings.items()
                if convention_name not in silent
            }
            by_text.setdefault(paragraph(definition), set()).add((definition.metric.name, tuple(said.items())))
    assert len(by_text) > 250
    assert not [text for text, same in by_text.items() if len(same) > 1]


def test_every_formula_is_mathematics() -> None:
    pytest.importorskip("matplotlib").use("agg")
    from matplotlib.mathtext import MathTextParser

    parser, written = MathTextParser("path"), set[str]()
    for preset in rc.list_presets(eras=True):
        for definition in definitions(preset, (None, 10) if preset == "rankconv" else (10,)):
            one = Cited(definition)
            written |= {one.formula, one.mean_formula, *one.symbols}
    assert len(written) > 150
    shapes = {re.sub(r"\d+", "", formula): formula for formula in sorted(written)}
    for formula in list(shapes.values())[:: examples.of(quick=3, ci=1)]:
        assert not re.search(r"[«»]", formula)
        assert formula.count("{") == formula.count("}")
        parser.parse(f"${formula}$")


VALUE = r"\{([^{}]|\\[{}]|\{([^{}]|\\[{}])*\})+\}"
ENTRY = re.compile(rf"@(?:article|inproceedings|incollection|book|misc)\{{[\w.+-]+(,\n  [a-z]+ = {VALUE})+\n\}}")


def test_the_sources_are_bibtex() -> None:
    for preset in rc.list_presets(eras=True):
        by_key = {definition.key: definition for definition in definitions(preset)}  # a cutoff has no source
        written = Methods(tuple(map(Cited, by_key.values()))).to_bibtex()
        entries = written.split("\n\n")
        assert len(entries) > 1
        assert all(ENTRY.fullmatch(entry) and "title = " in entry for entry in entries), written
        keys = [entry.split("{")[1].split(",")[0] for entry in entries]
        assert len(set(keys)) == len(keys)


def test_every_definition_is_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "CUTOFFS", (1, 10))
    every = (one for preset in rc.list_presets(eras=True) for one in finding.forms(rc.preset(preset)))
    found = finding.matching(every, "")
    names = {(one.text, name) for name, one in found}
    for preset in rc.list_presets(eras=True):
        for definition in definitions(preset, (None, 1, 10)):
            assert (definition.text, definition.fingerprint) in names
