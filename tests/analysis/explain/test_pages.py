"""An explanation on paper: text, Markdown, LaTeX, data, a picture."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

import rankconv as rc
from rankconv.engine.needs import unmet
from rankconv.metrics.groups.item_groups import OfGroups
from rankconv.preparation.steps.subtopics import NEED
from tests.analysis.explain.test_law import OF_GROUPS
from tests.laws import examples
from tests.laws.test_laws import SIDE_DATA, different

LABELS = {"u": [("1", 1), ("2", 3), ("3", 0), ("4", 2), ("11", 1)], "v": [("1", 1)], "w": []}
RUN = {"u": [("2", 1.0), ("9", 1.0), ("1", 0.5), ("10", 0.25)], "v": [("1", 1.0), ("2", 0.5)]}
AP = rc.explain({"ada": ["a", "b"]}, {"ada": ["a", "x", "b"]}, "map@3", user="ada", preset="mllib")


@pytest.mark.parametrize(
    ("metric", "said"),
    [("precision@2", ["precision-denominator"]), ("recall@2", ["recall-denominator"]), ("nugget_recall@2", ["gain"])],
)
def test_what_the_formula_tells_is_not_said_again(metric: str, said: list[str]) -> None:
    """Of weight-norm=none there is nothing in `hits@2 / 2`; that it is divided by the gains is in `/ gains`."""
    page = rc.explain({"ada": {"a": 1, "b": 2}}, {"ada": ["a", "x"]}, metric, user="ada").to_text()
    formula = page.partition("The formula\n")[2].partition("\n\n")[0]
    assert [line.strip().partition("=")[0] for line in formula.splitlines() if line.startswith("  ")] == said


PAGE = """\
mllib:map@3 of user ada: 0.8333333333
The mean of the precisions at the ranks of the relevant items

Preparation
No changes: the list and its labels are used as given.

The list
rank  item  grade  relevant  hits  precision  sum
────  ────  ─────  ────────  ────  ─────────  ───
1     a         1       yes     1        1/1    1
2     x         –        no     1               1
3     b         1       yes     2        2/3  5/3

The formula
sum of precision@j at the hits j <= 3 / min(3, R)
  ap-denominator=min(k, relevant)   the least of its parts
min(k, R) = min(3, 2) = 2
map@3 = (1/1 + 2/3)/2 = 5/6 ≈ 0.8333333333

Policy
No policy of the preset applies: the formula gives the value.

In the mean
Adds 0.833333/1 = 0.833333 to the mean 0.833333 over 1 user."""


def test_a_page() -> None:
    assert str(AP) == PAGE


@pytest.mark.parametrize(
    "spec",
    [
        "precision(k-accepted=optional)@2", "precision(k-accepted=required)@2", "precision(k-accepted=at-least(2))@2",
        "precision(k-accepted=never)", "precision(k-applies-to=ranking-and-divisors)@2", "precision(hit-weight=one)@2",
        "map(ap-precision=hits, duplicates=each)@2", "ndcg(ideal-cutoff=k)@2", "ndcg(normalization=max)@2",
        *(f"auc(auc-weight={weight}, aggregate=weighted-mean)" for weight in ("pairs", "rows", "positives")),
    ],
)  # fmt: skip
def test_a_setting_that_the_formula_shows_is_not_listed_below_it(spec: str) -> None:
    convention_name = spec.partition("(")[2].partition("=")[0]
    found = rc.explain(LABELS, RUN, spec, user="u")
    assert convention_name in found.definition.metric.settings
    assert f"\n  {convention_name}=" not in str(found)


def test_groups_without_a_name_have_numbers() -> None:
    spec = "precision(subtopics=separate, no-subtopic=own)@2"
    page = str(rc.explain({"u": ["a", "b"]}, {"u": ["x", "a"]}, spec, user="u"))
    assert "\ngroup 1 = 1/2 = 0.5\ngroup 2 = 0\n" in page


def fits(page: str) -> bool:
    """Whether no line is wider than 100 columns, but for a word that is wider than half of them, which is not cut."""
    return all(len(line) <= 100 or max(map(len, line.split())) > 48 for line in page.split("\n"))


def test_pages_fit_a_hundred_columns() -> None:
    sides = {"seen": {"u": ["9"]}, "catalogue": [str(item) for item in range(40)]}
    plain, in_groups = (rc.join(LABELS, RUN, **(given | sides)) for given in (SIDE_DATA, OF_GROUPS))
    of_each = {}
    for one in different():
        joined = in_groups if isinstance(one.metric, OfGroups) else plain
        if unmet(joined, one) is None and not one.preparation.separates_subtopics and NEED not in one.needs:
            of_each[one.metric.name] = joined, one
    assert of_each.keys() >= {"awrf", "fair_ndcg", "expected_exposure", "group_share"}
    for joined, definition in list(of_each.values())[:: examples.of(quick=3, ci=1)]:
        found = rc.explain(joined, definition.text, preset=[None, definition.preset], user="u")
        assert found.agrees, definition.text
        assert fits(found.to_text()), found.to_text()
        assert found.against is not None
        assert fits(found.against.to_text())


def test_two_pages_are_one_after_the_other() -> None:
    found = rc.explain({1: [1, 2, 3], 2: [1]}, {1: [1, 6, 8], 2: [1]}, "ndcg@3", user=1, preset=["blog", "mllib"])
    assert found.against is not None
    first, second = found.to_text().split("\n\nmllib:ndcg@3 of user 1: 0.469278726\n")
    assert first.startswith("blog:ndcg@3 of user 1: 1\n")
    assert found.against.to_text().endswith(second)


def test_a_long_list_is_printed_without_its_middle() -> None:
    items = [f"item {place}" for place in range(100)]
    found = rc.explain({"u": items[::3]}, {"u": items}, "map", user="u")
    assert "\n20    item 19" in found.to_text()
    assert "\n21    item 20" not in found.to_text()
    assert "\n100   item 99" in found.to_text()
    assert len(found.to_dict()["list"]) == 100


def test_ids_are_printed_on_one_line_and_cut() -> None:
    found = rc.explain({"u": ["a\tb\n" + "c" * 50]}, {"u": ["a\tb\n" + "c" * 50]}, "map", user="u")
    assert r"a\tb\n" + "c" * 17 + "…" in found.to_text()


def test_markdown() -> None:
    page = rc.explain({"u": ["*a|"]}, {"u": ["*a|"]}, "map@1", user="u").to_markdown()
    assert page.startswith("## rankconv:map@1 of user u: 1\n")
    assert r"| 1      | \*a\|  |" in page
    assert r"$$\text{map@1} = \frac{1}{1} = 1$$" in page


def test_data_are_complete_and_json() -> None:
    data = json.loads(
        json.dumps(rc.explain(LABELS, RUN, "ndcg(ties=item-ascending)@2", user="u", preset=[None, "sklearn"]).to_dict())
    )
    assert data["definition"] == "rankconv:ndcg(ties=item-ascending)@2"
    assert data["result"]["worked"] == "3/(3 + 2/log2(3))"
    assert data["list"][0] == {
        "rank": 1,
        "item": "2",
        "score": 1.0,
        "grade": 3.0,
        "judged": True,
        "relevant": True,
        "is_hit": True,
        "gain": 3.0,
        "discount": 1.0,
        "product": 3.0,
        "sum": 3.0,
    }
    assert data["ideal"][1]["item"] == "4"
    assert data["value"] == pytest.approx(data["engine"], rel=1e-12)
    assert data["against"]["preparation"][0]["convention"] == "labels-used"


def test_latex_escapes_what_it_would_take_for_a_command() -> None:
    page = rc.explain({"u": ["a_b&c%{}\\"]}, {"u": ["a_b&c%{}\\"]}, "map@1", user="u").to_latex()
    assert r"1 & a\_b\&c\%\{\}\textbackslash{} & 1 & yes & 1/1 & 1 \\" in page
    assert r"\text{map@1} &= \frac{1}{1} \\" in page


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_latex_compiles(tmp_path: Path) -> None:
    labels = {"u_1": {"a_b&c%": 2.5, "x{y}\\z": 1, "<|>~^#$": 3, "…·–": -1, "é": 2}}
    run = {"u_1": [("é", 0.5), ("a_b&c%", 0.5), ("z\tz", 0.4), ("<|>~^#$", 0.1)]}
    joined = rc.join(labels, run, catalogue=20)
    pages = [rc.explain(joined, f"rankconv:{key}", user="u_1").to_latex() for key in rc.preset("rankconv").metrics]
    head = r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage{amsmath,booktabs}\begin{document}"
    (tmp_path / "page.tex").write_text("\n\n".join([head, *pages, r"\end{document}"]), "utf-8")
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "page.tex"], cwd=tmp_path, capture_output=True
    )
    assert done.returncode == 0, done.stdout[-2000:]
