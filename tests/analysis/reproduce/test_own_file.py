"""A user's own table: verdicts, errata that are none, and errors with file and line."""

import gzip
from pathlib import Path

import pytest

import rankconv as rc
from rankconv.typing import Reproduction

TABLE = """name: table
title: Table 2 of a paper
preset: wikipedia
inputs:
  run: {by-rank: {q1: [1, 0, 1], q2: RNN}, unretrieved: {q2: [1]}}
tables:
  - where: table 2
    numbers:
      - {metric: dcg@3, by-user: {q1: "1.5", q2: "1.00"}}
      - {metric: ndcg, at: {1: "1.000", 3: "0.766"}}
      - {metric: mrr, printed: "100%"}
"""


def reproduced(folder: Path, text: str = TABLE) -> Reproduction:
    (folder / "table.yaml").write_text(text)
    return rc.reproduce(folder / "table.yaml")


def with_number(number: str) -> str:
    return f"{TABLE}      - {number}\n"


def test_a_table_that_comes_out(tmp_path: Path) -> None:
    found = reproduced(tmp_path)
    assert found.ok
    assert [row.verdict for row in found] == ["exact"] * 5
    assert found.summary == "5 numbers, 5 exact, 0 truncated, 0 float32, 0 errata, 0 unexplained, 0 left out"
    assert found.to_dict()["numbers"][0]["ours"] == 1.5


def test_a_wrong_number_is_unexplained_whatever_the_file_says(tmp_path: Path) -> None:
    text = with_number('{metric: mrr@3, printed: "0.75", note: "exact; erratum; status: ok"}')
    found = reproduced(tmp_path, text)
    assert not found.ok
    assert found.failures[0].verdict == "unexplained"
    assert found.failures[0].shown == "1.00"
    assert found.failures[0].note == "it does not come out"


def test_a_right_number_marked_as_an_erratum_fails(tmp_path: Path) -> None:
    found = reproduced(tmp_path, with_number('{metric: mrr@3, printed: "1.0", erratum: true}'))
    assert not found.ok
    assert [row.wrongly_marked for row in found.failures] == [True]
    assert found.summary.endswith("0 unexplained, 1 wrongly marked, 0 left out")


@pytest.mark.parametrize(
    ("number", "verdict"),
    [
        ('{metric: mrr@3, printed: "0.75", erratum: true}', "erratum"),
        ('{metric: mrr@3, printed: "0.75", erratum: {says: "(1 + 1) / 2", gives: "(1 + 1) / 2"}}', "erratum"),
        ('{metric: mrr@3, printed: "0.75", erratum: {says: "as in table 1", gives: "0.80"}}', "unexplained"),
        ('{metric: mrr@3, at: {3: "0.75"}, erratum: true}', "error"),
    ],
)
def test_an_erratum_is_one_where_the_source_bears_it_out(number: str, verdict: str, tmp_path: Path) -> None:
    if verdict == "error":
        with pytest.raises(rc.RankconvError, match=r"table\.yaml, line 12"):
            reproduced(tmp_path, with_number(number))
        return
    assert [row.verdict for row in reproduced(tmp_path, with_number(number))][-1] == verdict


def test_of_two_wrong_numbers_neither_is_an_erratum_by_its_table(tmp_path: Path) -> None:
    wrong = '{metric: mrr@3, printed: "0.75", erratum: true}'
    found = reproduced(tmp_path, with_number(wrong) + f"      - {wrong}\n")
    assert [row.verdict for row in found.failures] == ["unexplained"] * 2
    assert "1 more of its table do not come out" in found.failures[0].note


def test_files_beside_it_and_options_of_the_run(tmp_path: Path) -> None:
    (tmp_path / "a.qrels.gz").write_bytes(gzip.compress(b"1 0 a 1\n1 0 b 2\n"))
    (tmp_path / "a.run").write_text("1 Q0 a 1 0.9 tag and more\n1 Q0 b 2 0.8 tag\n")
    (tmp_path / "out").write_text("runid all tag\nP_1 1 0.0000\nrecip_rank all 0.5000\n")
    text = """name: table
title: A run
preset: trec_eval
inputs: {run: {qrels: a.qrels.gz, run: a.run}}
tables: [{where: out, output: out, settings: {relevant: at-least(2)}}]
"""
    found = reproduced(tmp_path, text)
    assert [(row.metric, row.user, row.verdict) for row in found] == [
        ("P_1", "1", "exact"),
        ("recip_rank", None, "exact"),
    ]


def test_a_preset_beside_it(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("name: mine\ntitle: Mine\nextends: wikipedia\naggregation: {aggregate: sum}\n")
    text = with_number('{metric: mrr, preset: ./mine.yaml, printed: "2"}')
    assert reproduced(tmp_path, text).ok


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            '"100%"',
            "1.0",
            "line 11: 'tables.0.numbers.2.printed': input should be a valid string. Put the number in quotes",
        ),
        ('"100%"', '"all"', "line 11: 'all' is not a number as one prints it"),
        (
            "metric: mrr",
            "metrik: mrr",
            "line 11: 'metrik' is not a key of a file of published numbers. Choose",
        ),
        ("metric: mrr", "metric: mrrr", "line 11, wikipedia: 'mrrr' is not a metric"),
        ("metric: mrr", 'metric: "mrr@1,2"', "line 11: 'mrr@1,2' has several cutoffs"),
        ("metric: mrr", "inputs: runs, metric: mrr", "line 11: 'runs' is not a name of inputs. Choose one of: run."),
        ("metric: mrr", "user: q3, metric: mrr", "line 11: 'q3' is not a known user. Choose one of: q1, q2"),
        ("metric: mrr", 'at: {1: "1"}, metric: mrr', "line 11: a number has exactly one of printed, at, by-user"),
        ("preset: wikipedia", "preset: wikipedai", "line 9: 'wikipedai' is not a preset"),
        ("preset: wikipedia\n", "", "line 8: no preset is named"),
        ("name: table", "name: tabel", "line 1: the file is called 'table' and names its source 'tabel'"),
        ("RNN", "RXN", "line 5: 'RXN' is not a list of marks"),
        ("unretrieved: {q2: [1]}", "labels: {q: [a]}", "line 5: there are both labels and by-rank"),
        (
            "metric: mrr",
            "preset: rankconv, metric: percentile_rank",
            "line 11: the metric percentile_rank needs catalogue",
        ),
    ],
)
def test_a_mistake_is_told_with_file_and_line(old: str, new: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(rc.RankconvError) as raised:
        reproduced(tmp_path, TABLE.replace(old, new))
    assert f"table.yaml, {said}" in str(raised.value)


def test_an_unknown_source_is_told_with_the_nearest() -> None:
    with pytest.raises(rc.ConventionError, match=r"'croft' is not a source.*Did you mean 'croft2009'"):
        rc.reproduce("croft")
    with pytest.raises(rc.ConventionError, match="there is no file"):
        rc.reproduce("nowhere.yaml")


QRELS = "q1 0 a 2\nq1 0 b 3\nq1 0 c 1\nq2 0 d 1\n"
RUN = "q1 Q0 a 1 3 t\nq1 Q0 b 2 2 t\nq1 Q0 x 3 1 t\nq2 Q0 x 1 2 t\nq2 Q0 d 2 1 t\n"


def test_the_table_that_its_page_shows(tmp_path: Path) -> None:
    page = (Path(__file__).parents[3] / "docs" / "how-to" / "reproduce.md").read_text()
    shown = page.partition("<!-- table2.yaml")[2].partition("```yaml\n")[2].partition("```")[0]
    for name, text in {"table2.yaml": shown, "test.qrels": QRELS, "ours.run": RUN}.items():
        (tmp_path / name).write_text(text)
    found = rc.reproduce(tmp_path / "table2.yaml")
    assert found.ok
    assert found.counts == {"exact": 5}


INPUTS = "{by-rank: {q1: [1, 0, 1], q2: RNN}, unretrieved: {q2: [1]}}"


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        ("{qrels: ../secret, run: run}", "'../secret' leads out of the folder. Only files next to this one"),
        (
            "{qrels: /etc/passwd, run: run}",
            "'/etc/passwd' leads out of the folder. Only files next to this one",
        ),
        ("{qrels: link, run: run}", "'link' leads out of the folder. Only files next to this one"),
        ("{qrels: folder, run: run}", "there is no file folder next to it."),
        ("{qrels: torn.gz, run: run}", "torn.gz: the file is not UTF-8 text, plain or gzipped."),
        ("{labels: {u: ['1..99999999999']}}", "one user has over 1,000,000 items."),
        ("{by-rank: {u: 'N*999999 N*999999'}}", "one user has over 1,000,000 items."),
    ],
)
def test_inputs_that_reach_out_or_fill_the_room(tmp_path: Path, inputs: str, said: str) -> None:
    (tmp_path.parent / "secret").write_text("q1 0 a 1\n")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path.parent / "secret")
    (tmp_path / "torn.gz").write_bytes(gzip.compress(b"q1 0 a 1\n" * 99)[:15] + b"xxxxxxxxxxxx")
    with pytest.raises(rc.RankconvError) as error:
        reproduced(tmp_path, TABLE.replace(INPUTS, inputs))
    assert said in str(error.value)


@pytest.mark.parametrize(
    "printed", ["9" * 400, "1e999", "1e999999999", "(" * 5000, "-" * 100_000 + "1", "9**9**9", "exit()"]
)
def test_what_is_printed_is_calculated_within_bounds(tmp_path: Path, printed: str) -> None:
    text = with_number(f'{{metric: mrr, printed: "{printed}"}}')
    with pytest.raises(rc.ConventionError, match=r"is not a number as one prints it|is beyond what a float can hold"):
        reproduced(tmp_path, text)


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        ("{labels: test.csv, run: als.csv}", "'test.csv' is a file: TREC files are 'qrels:' and 'run:'"),
        ("{qrels: test.csv, run: als.csv}", "rankings: {user"),
    ],
)
def test_files_of_other_formats_are_refused_with_the_forms(tmp_path: Path, inputs: str, said: str) -> None:
    (tmp_path / "test.csv").write_text("user,item,rating\nu,a,1\n")
    with pytest.raises(rc.RankconvError, match=said):
        reproduced(tmp_path, TABLE.replace(TABLE.splitlines()[4], f"  run: {inputs}"))
