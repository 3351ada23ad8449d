"""`list`, `show` and `cite`: the names there are, all that is known of one, and the text for a paper."""

import json
from pathlib import Path

import pytest

import rankconv as rc
from rankconv.analysis.lookup_data import users_of
from rankconv.conventions.convention import CONVENTIONS
from tests.cli.support import refused, rows, run


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("cite", "no metric was given"),
        ("cite mllib:mapp", "Did you mean 'map'?"),
        ("cite map --result none.json", "the file cannot be opened"),
        ("show", "no name was given"),
        ("show hello", "'hello' is not a name"),
        ("show gian", "'gian' is not a name. Did you mean 'gain'?"),
        ("show --schema metric", "There are schemas of preset and published files, and of commands: evaluate"),
        ("show mllib --format csv", "--format csv is not for pages"),
        ("list presets nowhere", "no row holds nowhere"),
    ],
)
def test_mistakes_are_one_message(words: str, said: str) -> None:
    assert said in refused(words)


# list


def test_lists_are_whole_searched_and_short_by_default() -> None:
    presets = json.loads(run("list presets --format json").stdout)
    assert {"blog", "kaggle", "sklearn", "rankconv"} <= {row["preset"] for row in presets}
    assert "base" not in {row["preset"] for row in presets}
    assert all(row["title"] for row in presets)
    assert list(dict.fromkeys(row["group"] for row in presets))[:3] == ["default", "search", "recommender"]
    assert {row["preset"] for row in rows("list presets spark")} == {"mllib", "mllib-graded"}
    assert "average_precision" in {row["metric"] for row in rows("list metrics")}
    whole = rows("list conventions --all")
    assert {row["convention"] for row in whole} == set(CONVENTIONS)
    assert list(dict.fromkeys(row["section"] for row in whole)) == ["preparation", "aggregation", "metrics"]
    assert len(rows("list conventions")) == 25 < len(whole)


# show


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("search", "trec_eval: without -c"),
        ("mllib", "Apache Spark MLlib"),
        ("trec_eval", "Source: trec_eval 10.0-rc3"),
        ("ndcg", "Conventions:"),
        ("mllib:ndcg@10", "fingerprint 803ba240"),
        ("exponential", "gain: "),
        ("gain=exponential", "gain: "),
        ("tested", "tested: "),
        ("lenskit-crossfold", "For a paper:"),
        ("protocol:fastml", "For a paper:"),
        ("803ba240…", "803ba240f99f660e   mllib:ndcg@10   (also mllib@2.1.3:ndcg@10)\n"),
    ],
)
def test_show_takes_any_name(name: str, said: str) -> None:
    assert said in run("show", name).stdout


def test_show_against_prints_only_differences() -> None:
    lines = run("show mllib --against blog").stdout.splitlines()
    assert any(line.split() == ["ideal", "all-labels", "against", "retrieved-at-k"] for line in lines)
    assert not any("order" in line for line in lines)


def test_show_says_where_a_setting_cannot_matter() -> None:
    for words, idle in (("show mllib -m ndcg@10", True), ("show blog -m dcg@10", False)):
        [line] = [line for line in run(words).stdout.splitlines() if "log(base=e)" in line]
        assert ("cannot matter: the base of a plain logarithm cancels" in line) == idle


def test_a_convention_and_its_settings() -> None:
    printed = " ".join(run("show discount").stdout.split())
    for text in (
        "discount: Discount of a rank",
        "1 / log_base(rank + shift)",
        "base: the base of a logarithm, a number above 1 or e; shift: a number from ",
        "Texts also write: ln, log2, log10",
        "Source: jarvelin2002",
        "log(base=2): trec_eval",
        "rankconv show discount --all",
    ):
        assert text in printed
    assert " ".join(str(rc.convention("discount")).split()) == printed
    assert "more" not in run("show discount --all").stdout


def test_who_uses_a_setting_is_who_has_it() -> None:
    for name in ("gain", "labels-used", "on-zero-division", "beta", "aggregate"):
        for setting, users in users_of(rc.convention(name)).items():
            for preset in map(rc.preset, users[:5]):
                specs = [key + k for key in preset.metrics for k in ("", "@10") if preset.offers(key + k)]
                assert setting in {one.settings.get(name) for spec in specs for one in preset.define(spec)}


def test_a_fingerprint() -> None:
    found = json.loads(run("show 803ba240 --format json").stdout)
    assert found == [
        {"fingerprint": "803ba240f99f660e", "definition": "mllib:ndcg@10", "also": ["mllib@2.1.3:ndcg@10"]}
    ]
    done = run("show 0123456789abcdef")
    assert (done.exit_code, done.stdout) == (1, "")
    assert "No definition with the fingerprint 0123456789abcdef was found" in done.stderr


# cite


def test_a_definition_in_each_form() -> None:
    assert run("cite mllib:ndcg@10").stdout.startswith("nDCG@10 is computed as the rankconv preset mllib")
    assert run("cite ndcg@10 -p mllib").stdout == run("cite mllib:ndcg@10").stdout
    starts = {"latex": "\\[ m = \\frac", "markdown": "$$m = \\frac", "bibtex": "@misc{mllib,"}
    for form, start in starts.items():
        assert start in run(f"cite mllib:ndcg@10 --format {form}").stdout
    printed = json.loads(run("cite mllib:ndcg@5,10 --format json").stdout)
    assert [one["metric"] for one in printed] == ["nDCG@5", "nDCG@10"]


def test_a_saved_result() -> None:
    rc.evaluate({"u": ["a"]}, {"u": ["a"]}, ["mllib:ndcg@10", "map"]).save(Path("a.json"))
    assert "The number is 1; of 1 user, 1 was scored." in run("cite --result a.json").stdout.replace("\n", " ")
    assert run("cite map --result a.json").stdout.startswith("MAP is computed")
    assert run("show 803ba240 --result a.json").exit_code == 0
