"""Each sentence of a preset on how its system behaves has a check that would fail if it were false, or a source."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

import rankconv as rc
from rankconv.analysis.reproduce.checks import claims_table, run_checks
from rankconv.basics.errors import RankconvError
from rankconv.presets.preset_file import Claim, ContrastedCheck
from rankconv.presets.preset_page import claim_text, preset_page
from rankconv.rendering.pages.page import Paragraph
from tests.together import together

NAMES = [name for name in rc.list_presets(eras=True, collections=True) if "+" not in name]
NOT_HELD = 16
"""Sentences in `says:` with neither check nor source. It may only fall."""
BEHAVIOUR_IN_ABOUT = 0
"""Sentences in `about:` that tell how a system behaves. It may only fall."""
BEHAVIOUR = re.compile(
    r"\b(counts?|counted|drops|dropped|ignore[sd]?|divide[sd]?|divisor|ranked|ranks|refuse[sd]?|ties?|tied|raises?|returns"
    r"|left out|leaves? out|removed|removes|keeps?|kept|NaN|fails?|rounded|rounds|repeated|twice|cuts?|skip(s|ped)?"
    r"|ordered|sorted|replaced|padded|does not exist|exceed|stays|are relevant|is relevant|is [01]|are [01]"
    r"|takes?|looks for|reads|gains|gain is|pools?|weighs?|weights?|compares|double precision|single precision)\b"
)
CODE_FILE = re.compile(
    r"[\w@/-]+\.(?:c|cc|cpp|cu|cuh|ex|exs|go|h|hpp|ipynb|java|jl|js|m|php|pl|py|pyx|R|rb|rs|scala|ts)\b"
)
LINES = re.compile(r"\b(lines?|cells?) \d")
PLACE_IN_TEXT = re.compile(
    rf"{LINES.pattern}|\b(run|test|docstring|example)s? of\b|\b(sections?|page|table|equation|algorithm)s? \S"
)
"""What is not code names: a part of a page, post or paper, or a run of the program."""
AROUND = re.compile(r"\band (its|their) ")
"""Lines next to those that are named, which a reader would have to look for."""


def claims(name: str) -> list[Claim]:
    return rc.preset(name).file.says


def cases() -> Iterator[Any]:
    for name in NAMES:
        for claim in claims(name):
            if claim.check:
                yield pytest.param(name, claim.check, id=f"{name}: {claim.text[:60]}")


def value(name: str, check: ContrastedCheck, spec: str) -> float:
    result = rc.evaluate(check.labels, check.scores or check.rankings, spec, preset=name, **check.side_data)
    (found,) = result.specs
    if check.user is None:
        return result[found]
    return float(result.per_user[found][[str(user) for user in result.users].index(str(check.user))])


@pytest.mark.filterwarnings("ignore")
@together("name, check", cases(), by=lambda name, check: name)
def test_a_claim_holds_and_its_contrary_gives_another_number(
    name: str, check: ContrastedCheck, expression: Callable[[str], float]
) -> None:
    other = value(name, check, check.unlike)
    if check.value == "refused":
        if first_word(check.metric) != first_word(check.unlike):
            rc.preset(name).define(check.metric)  # a word that is not known would be refused too
        with pytest.raises(RankconvError):
            value(name, check, check.metric)
        return
    expected, found = expression(check.value), value(name, check, check.metric)
    if check.printed:
        found, other = (round(one, len(check.value.partition(".")[2])) for one in (found, other))
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-15, nan_ok=True)
    assert other != pytest.approx(found, rel=1e-9, nan_ok=True), f"{check.unlike} gives the same"


def first_word(spec: str) -> str:
    return re.split("[(@]", spec.rpartition(":")[2])[0]


def names_a_place(source: str) -> bool:
    """Whether a reader opens each part of a source without a search: lines or cells of code, a place in a text."""
    for part in source.split(";"):
        files = list(CODE_FILE.finditer(part))
        place = LINES.search(part, files[-1].end()) if files else PLACE_IN_TEXT.search(part)
        if place is None or AROUND.search(part):
            return False
    return True


def test_a_source_names_a_place() -> None:
    vague = [f"{name}: {one.source}" for name in NAMES for one in claims(name) if one.source]
    vague = [shown for shown in vague if not names_a_place(shown)]
    assert not vague, "name lines (a cell of a notebook, a section of a text) in:\n" + "\n".join(vague)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("ndeval 4.5, src/ndeval.c, lines 536 to 539 and 847", True),
        ("Quepid 8.0.1, db/scorers/ndcg@10.js, line 29", True),
        ("recsys_metrics 0.0.4, precision.py and recall.py, line 11; normalized_dcg.py, line 18 (topk)", True),
        ("vae_cf ad103c5, VAE_ML20M_WWW2018.ipynb, cells 49 and 54 (from 0)", True),
        ("post of 2017, section 5.4, last row of the table", True),
        ("run of XGBoost 3.2.0 with the labels 2.5 and 40", True),
        ("ndeval.c, function computeMetrics", False),
        ("ndeval.c, line 500 and its function", False),
        ("mlr_test.m, lines 84 to 88; separationOracle/separationOracleNDCG.m", False),
        ("line 9 of main.py", False),  # the name first
        ("run of 002_module_evaluation.ipynb", False),
        ("function range_PR of Faiss", False),
        ("the post of 2017", False),
    ],
)
def test_what_names_a_place(source: str, expected: bool) -> None:
    assert names_a_place(source) is expected


def test_a_claim_has_a_check_or_a_source() -> None:
    bare = [f"{name}: {one.text}" for name in NAMES for one in claims(name) if not one.is_held]
    said = "set NOT_HELD where it fell; else give a check or source to:\n" + "\n".join(bare)
    assert len(bare) == NOT_HELD, said


def test_about_has_history_and_context_alone() -> None:
    told = [
        f"{name}: {one}" for name in NAMES for one in sentences(rc.preset(name).file.about) if BEHAVIOUR.search(one)
    ]
    said = "set BEHAVIOUR_IN_ABOUT where it fell; else move these to says:\n" + "\n".join(told)
    assert len(told) == BEHAVIOUR_IN_ABOUT, said


def sentences(text: str) -> list[str]:
    return re.split(r"(?<=\.)\s+", " ".join(text.split())) if text else []


def test_sentences_of_a_preset_are_told_apart() -> None:
    for name in NAMES:
        texts = [one.text for one in claims(name)]
        assert len(set(texts)) == len(texts), name
        assert all(re.search(r"[.)]$", text.strip()) for text in texts), name


def test_the_page_shows_each_claim_and_what_holds_it() -> None:
    first, *_ = preset_page(rc.preset("trec_eval")).sections
    shown = [piece.words for piece in first if isinstance(piece, Paragraph)]
    for one in claims("trec_eval"):
        assert (f"{one.text} (Source: {one.source})" if one.source else one.text) in shown
    assert claim_text(Claim(text="Ties are lost.")) == "Ties are lost. (not checked)"


def test_the_table_shows_the_source_next_to_the_check() -> None:
    preset = rc.preset("msmarco-document")
    both = [one for one in claims(preset.name) if one.check and one.source]
    shown = [row[0] for row in claims_table(preset).rows]
    assert both
    assert all(f"{one.text} (Source: {one.source})" in shown for one in both)


def test_the_checks_of_a_file_include_those_of_its_claims() -> None:
    """The neighbour of a false sentence gives what the preset gives, or nothing."""
    preset = rc.preset("trec_eval")
    held = [claim.check for claim in claims("trec_eval") if claim.check]
    assert [one.unlike for one in rc.check_preset("trec_eval").checks if one.claim] == [one.unlike for one in held]
    false = [
        (replace(held[0], unlike="recip_rank"), "gives the same"),
        (replace(held[0], unlike="recip_ranks"), "is not a metric"),
        (replace(held[0], value="refused"), "is no refusal"),
    ]
    for check, why in false:
        file = replace(preset.file, says=[Claim(text="Ties are lost.", check=check)], checks=[])
        (found,) = run_checks([replace(preset, file=file)])
        assert not found.ok
        assert why in found.why
