"""What plugins say of their own metrics, conventions and settings is cited as ours is."""

from pathlib import Path

import pytest

import rankconv as rc
from rankconv import plugin
from rankconv.evaluation.citing.paragraph import paragraph
from rankconv.metrics import METRICS

PLUGIN = '''
from typing import Annotated

import numpy as np

import rankconv as rc
from rankconv import plugin
from rankconv.metrics import METRICS

TOLL = plugin.Convention("toll", "What does a miss cost?", neutral="0", phrase=True, tells="a list with misses")

@TOLL.number(rule="this much", says="{value} for each item that is not", least=0)
def _(value: float) -> float:
    """So much is taken off."""
    return value

@TOLL.setting("rising", rule="step · rank", says="{step} times the rank of each item that is not", tex="«step» j")
def _(step: float) -> float:
    """Misses further down cost more."""
    return step

VOICE = plugin.Convention("voice", "Who is heard?", neutral="all", tells="users of whom some are heard")

@VOICE.setting("all", rule="everyone", no="choice of who is heard")
def _() -> None:
    """No user is left out."""

@VOICE.setting("loud", rule="who shouts", says="users are heard who shout[{how:?, in the manner of }]")
def _(how: str = "") -> None:
    """The others are not."""

class Tolled(plugin.Metric):
    """What is left after the toll?"""

    name = "tolled"
    called = "tolled gain"
    paper_names = ("ToLLed",)
    says = "the sum of the gains of the items {here}, less {toll}"
    tex = r"\\sum_{j=1}^{«K»} («gain» - \\tau «toll» (1 - r_j))"
    signs = {r"\\tau": "what the toll is multiplied by"}
    gain: Annotated[str, rc.convention("gain")]
    toll: Annotated[str, TOLL]
    voice: Annotated[str, VOICE]

    def per_user(self, block: plugin.Block) -> plugin.Ratio:
        return plugin.Ratio(np.ones(block.size), np.ones(block.size))

@rc.convention("gain").setting(
    "rooted", rule="g^(1/n)", says="an item of grade g gains g^(1/{n})", tex=r"\\sqrt[«n»]{g_j / h}",
    signs={"h": "the highest grade"}, cite="own2026", paper={"title": "Roots", "authors": "A. Root", "year": 2026},
)
def _(grades, n: int = 2):
    """Less than the grade."""
    return grades ** (1 / n)

@rc.convention("gain").setting("squared", rule="g^2", says="an item of grade g gains g^2", tex="g_j^2")
def _(grades):
    """More than the grade."""
    return grades**2

@rc.convention("precision-denominator").setting("twice", rule="2 k", says="twice {k}", tex="2 «k»")
def _(block, k: int | None):
    """Twice the cutoff."""
    return np.full(block.size, 2.0 * (k or 1))
'''


@pytest.fixture(autouse=True)
def _plugin(tmp_path: Path) -> None:
    file = tmp_path / "toll.py"
    file.write_text(PLUGIN)
    rc.load_plugin(file)


def cited(spec: str) -> tuple[str, str]:
    (one,) = rc.cite(spec)
    return one.paragraph, one.formula


def test_a_metric_is_told_in_its_own_words() -> None:
    text, formula = cited("tolled(gain=rooted(3), toll=0.5)@10")
    assert (
        " The tolled gain of a user is the sum of the gains of the items in the first 10 ranks, less 0.5 for each item "
        "that is not, where an item of grade g gains g^(1/3). "
    ) in text
    assert "choice of who is heard" in text.split("There is no ")[1]
    assert formula == r"m = \sum_{j=1}^{10} (\sqrt[3]{g_j / h} - \tau 0.5 (1 - r_j))"
    (one,) = rc.cite("tolled(gain=rooted(3), toll=0.5)@10")
    assert one.symbols == {
        "r_j": "1 if the item at rank j is relevant, else 0",
        "g_j": "the grade of the item at rank j",
        r"\tau": "what the toll is multiplied by",
        "h": "the highest grade",
    }
    assert rc.cite("tolled@10").cited[0].label == "ToLLed@10"


def test_parameters_stand_in_words_and_formula() -> None:
    text, formula = cited("tolled(toll=rising(0.25), voice=loud(how=Ada))")
    assert "the items in the list, less 0.25 times the rank of each item that is not, where " in text
    assert "; users are heard who shout[, in the manner of Ada]." in text
    assert formula == r"m = \sum_{j=1}^{n} (g_j - \tau 0.25 j (1 - r_j))"
    assert "; users are heard who shout[]." in cited("tolled(voice=loud)")[0]


def test_a_setting_is_told_in_metrics_of_ours() -> None:
    text, formula = cited("precision(precision-denominator=twice)@5")
    assert "the number of relevant items in the first 5 ranks divided by twice 5." in text
    assert formula == r"m = \frac{\sum_{j=1}^{5} r_j}{2 5}"
    assert cited("ndcg(gain=squared, discount=reciprocal)@5")[1] == (
        r"m = \mathrm{E}\left[\frac{\sum_{j=1}^{5} \frac{g_j^2}{j}}{\sum_{j=1}^{5} \frac{{g^{*}_j}^2}{j}}\right]"
    )
    assert cited("err(gain=squared, ties=given)@5")[1] == (
        r"m = \sum_{j=1}^{5} \frac{g_j^2}{j} \prod_{i=1}^{j-1} (1 - g_i^2)"
    )
    least = "precision(precision-denominator=min(k, length, hits(epsilon=0.5)))"
    assert (
        "the least of the number of relevant items found plus 0.5, 5 and the length of the list"
        in cited(f"{least}@5")[0]
    )
    assert "the lesser of the number of relevant items found plus 0.5 and the length of the list" in cited(least)[0]
    assert cited(least)[1] == r"m = \mathrm{E}\left[\frac{\sum_{j=1}^{n} r_j}{\min(\sum_{j=1}^{n} r_j + 0.5, n)}\right]"
    assert (
        cited("precision(precision-denominator=min(k))")[1]
        == r"m = \mathrm{E}\left[\frac{\sum_{j=1}^{n} r_j}{n}\right]"
    )


def test_the_paper_of_a_setting_is_cited_where_it_is_used() -> None:
    entry = "@misc{own2026,\n  title = {{Roots}},\n  author = {A. Root},\n  year = {2026}\n}"
    assert entry in rc.cite("tolled(gain=rooted)@10").to_bibtex()
    assert "own2026" not in rc.cite("tolled@10").to_bibtex()


def test_what_would_tell_settings_apart() -> None:
    assert rc.convention("toll").tells == "a list with misses"
    assert rc.convention("on-no-relevant").tells == "a user who has no relevant label"
    assert rc.convention("on-one-user").tells == "data in which there is only one user"
    assert rc.convention("recall-denominator").tells == "a list shorter than k, or fewer relevant labels than k"
    assert rc.convention("auc-pairs").tells == "a user with a value that auc-pairs changes"


@pytest.mark.parametrize(
    ("name", "words", "wrong"),
    [
        ("says", "the gains {her}", r"the words of misspelt: 'her' is not a hole .* Did you mean 'here'"),
        ("tex", "«gian»", r"the words of misspelt: 'gian' is not a hole .* Did you mean 'gain'"),
    ],
)
def test_a_hole_that_nothing_fills_is_an_error(name: str, words: str, wrong: str) -> None:
    body = {"name": "misspelt", name: words, "__doc__": "What?", "__module__": __name__}
    body |= {"__annotations__": METRICS["cg"].__annotations__, "per_user": METRICS["cg"].per_user}
    type(plugin.Metric)("Misspelt", (plugin.Metric,), body)
    with pytest.raises(rc.RankconvError, match=wrong):
        cited("misspelt@3")


def test_a_setting_with_other_words_is_another_setting() -> None:
    setting_type = rc.convention("gain").setting_types["rooted"]
    changed = [
        setting_type.__class__(**{**vars(setting_type), "says": "x"}),
        setting_type.__class__(**{**vars(setting_type), "tex": None}),
    ]
    assert setting_type.same(setting_type.__class__(**vars(setting_type)))
    assert not any(setting_type.same(one) for one in changed)


def test_without_words_the_paragraph_says_the_rule() -> None:
    @rc.convention("gain").setting("cubic", rule="g^3")
    def _(grades):  # type: ignore[no-untyped-def]
        """More than exponential, for grades below 2."""
        return grades**3

    definition = rc.preset("rankconv").definition("cg", (("gain", "cubic"),), 3)
    assert "where gain is cubic (g^3)." in paragraph(definition)
