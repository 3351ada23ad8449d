"""`check`, `explain`, `why`, `identify`, `sensitivity` and `reproduce`: output, forms and exit codes."""

import json
import re
from hashlib import sha256
from pathlib import Path

import pytest

from tests.cli.support import refused, rows, run

QUICK = Path(__file__).parents[2] / "examples" / "quickstart"
FILES = f"{QUICK}/labels.csv {QUICK}/run.csv"
OURS = "labels.csv run.csv"
PRESETS = "-p mllib -p rankconv -p blog"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("check labels.csv broken.csv", "broken.csv"),
        ("check labels.csv nowhere.csv", "nowhere.csv"),
        ("explain -m map -u 9", "there is no user '9'"),
        ("explain -m mapp -u 1", "mapp"),
        ("explain labels.csv -m map -u 1", "labels were given, and no run"),
        ("explain -m map -u 1 --by-rank --against blog", "--against is not for --by-rank"),
        ("why -m map@3 blog", "two presets, not 1 argument"),
        ("why -m map@3 blog mlib", "Did you mean 'mllib'?"),
        (f"why {FILES} -m ndcg@3 mllib trec_eval", "With on-no-ranking=as-computed, as mllib says"),
        ("why labels.csv run.csv -m ndcg@3", "why takes labels, a run and two presets, not 2 arguments"),
        ("why labels.csv run.csv mllib -m ndcg@3", "two presets, not 3 arguments"),
        ("why labels.csv run.csv -m map@2 -p blog", "not 2 arguments and 1 preset"),
        ("why labels.csv -m ndcg@3", "two presets, not 1 argument"),
        ("identify -m map@3 --value many", "'many' is not a number as one prints it"),
        ("identify --value 0.3", "comes without a metric"),
        ("identify -m map@3", "a metric and the number"),
        ("identify -m map@3 --value 0.1 --value 0.2", "two numbers are given for map@3"),
        ("identify labels.csv -m map --value 1", "labels were given, and no run"),
        ("sensitivity -m map -k 1.5", "'1.5' is not a cutoff"),
        ("curve labels.csv run.csv -m map --plot x.pdf", "x.pdf is no picture"),
        ("sensitivity labels.csv run.csv -m ndcg -k 5,10", "has several cutoffs"),
        ("sensitivity labels.csv -m map", "labels were given, and no run"),
        ("reproduce kagle", "Did you mean 'kaggle'?"),
    ],
)
def test_mistakes_are_one_message(words: str, said: str) -> None:
    Path("broken.csv").write_text("user,item\nada\n")
    assert said in refused(words)


@pytest.mark.parametrize("file", ["drawn.svg", "drawn.png"])
def test_a_picture(file: str) -> None:
    pytest.importorskip("matplotlib")
    run(f"curve {FILES} -m ndcg --plot {file}")
    assert Path(file).stat().st_size > 1000


# check


def test_check_has_exit_code_0_where_all_is_well_and_1_where_something_is_found() -> None:
    done = run(f"check {OURS} -k 2")
    assert (done.exit_code, "No problem was found" in done.stdout) == (0, True)
    assert json.loads(run(f"check {OURS} -k 2 --format json").stdout)["clean"] is True
    done = run("check labels.csv tied.csv -m mrr@2,ndcg@2 -p trec_eval -p rankconv")
    assert done.exit_code == 1
    assert "ties: ties at or above the cutoff" in done.stdout
    assert "user 'ada': score 2 at ranks 2 to 3" in done.stdout
    said = json.loads(run("check labels.csv tied.csv -m ndcg@2 -p rankconv -p trec_eval --format json").stdout)
    [ties] = [finding for finding in said["findings"] if finding["name"] == "ties"]
    assert (said["cutoff"], ties["count"], ties["of"], ties["examples"][0]["user"]) == (2, 1, 2, "ada")
    assert {(move["preset"], move["metric"]) for move in ties["moves"]} == {("trec_eval", "ndcg@2")}
    assert "### ties" in run("check labels.csv tied.csv -k 2 --format markdown").stdout


def test_check_takes_training_data_and_several_cutoffs() -> None:
    assert "3 of 3 label rows, the labels are the training data." in run(f"check {OURS} -k 2 --train labels.csv").stdout
    assert json.loads(run(f"check {OURS} -k 1,2 -p rankconv --format json").stdout)["cutoff"] == 2


def test_evaluate_says_one_line_on_a_finding() -> None:
    words, metric = "evaluate labels.csv tied.csv -m", "ndcg(ties=item-descending)@2"
    loud, quiet = run(words, metric), run(f"{words} {metric} --quiet")
    assert loud.stderr.count("\n") == 1
    assert f"would change {metric} by up to" in loud.stderr
    assert loud.stderr.endswith(f"see: rankconv check labels.csv tied.csv -m '{metric}' -p rankconv\n")
    assert (quiet.stderr, quiet.stdout) == ("", loud.stdout)
    assert run(words, "mrr@2").stderr == "", "its ties have expected values"
    assert run(f"evaluate {OURS} -m ndcg@2").stderr == ""


# explain and why


def test_explain_a_user_of_files() -> None:
    assert "map@3 = (1/1 + 2/3)/2 = 5/6 ≈ 0.8333333333" in run(f"explain {OURS} -m map@3 --user ada -p mllib").stdout
    words = f"explain {OURS} -m ndcg@2 -u bob --format"
    assert json.loads(run(f"{words} json").stdout)["user"] == "bob"
    assert run(f"{words} markdown").stdout.startswith("## rankconv:ndcg@2 of user bob")
    assert r"\section*{rankconv:ndcg@2 of user bob" in run(f"{words} latex").stdout


def test_explain_without_files_a_user_of_five() -> None:
    done = run("explain -m blog:map@3 -u 2 --against mllib")
    titles = [line for line in done.stdout.split("\n") if " of user 2: " in line]
    assert titles == ["blog:map@3 of user 2: 0.5", "mllib:map@3 of user 2: 0.1666666667"]
    assert "five users of Bellei" in done.stderr


def test_the_table_of_a_textbook() -> None:
    done = run(f"explain {OURS} -m precision,recall -u ada --by-rank")
    assert [line.split() for line in done.stdout.splitlines()][2:] == [
        ["1", "a", "3", "2", "yes", "1.0000", "0.5000"],
        ["2", "x", "2", "–", "no", "0.5000", "0.5000"],
        ["3", "b", "1", "1", "yes", "0.6667", "1.0000"],
    ]
    printed = json.loads(run(f"explain {OURS} -m precision -u ada --by-rank --format json").stdout)
    assert printed["metrics"] == {"precision": [1.0, 0.5, 2 / 3]}


def test_why_of_files() -> None:
    printed = run(f"why {FILES} -m ndcg@3 mllib trec_eval-c --column user=user").stdout
    assert printed.startswith("ndcg@3: mllib 0.3573, trec_eval-c 0.4723: +0.1150\n")
    assert "Users counted: 6, then 5." in printed


def test_why_without_files_and_its_forms() -> None:
    done = run("why blog:map@3 blog:map(ap-denominator=relevant)@3")
    assert "ap-denominator: hits → relevant" in done.stdout
    assert "five users of Bellei" in done.stderr
    words = "why -m map@3 blog mllib"
    assert run("why -m map@3 -p blog -p mllib").stdout == run(words).stdout
    assert run("why -m map -k 3 -p blog -p mllib").stdout.startswith("map@3: blog 0.5000, mllib ")
    assert json.loads(run(f"{words} --format json").stdout)["means"][0] == 0.5
    assert "| mllib" in run(f"{words} --format markdown").stdout
    assert r"\toprule" in run(f"{words} --format latex").stdout
    heads = "metric,definition,setting,changed_to,mean,share,users_changed"
    assert run(f"{words} --format csv").stdout.startswith(f"{heads}\nmap@3,blog,,,0.5,,\n")


# identify


@pytest.mark.parametrize(
    ("metric", "number", "code", "said"),
    [
        (
            "map@3",
            "0.500",
            0,
            ["14 presets fit; a random number fits", "All rows: --full, in Python to_text(most=None)."],
        ),
        ("map@3", "0.50", 0, ["14 presets fit; a random number fits"]),
        ("ndcg@3", "0.317", 0, ["0 presets fit; a random number fits", "no likelier than chance"]),
        (
            "map@3",
            "0.833",
            0,
            ["0 presets fit, a variant of rankeval does, as for", "by chance: definitions as near"],
        ),
        ("hit_rate@3", "0.1234", 1, ["none of", "Nearest presets:", "Possible reasons:"]),
    ],
)
def test_identify_on_the_five_users(metric: str, number: str, code: int, said: list[str]) -> None:
    done = run(f"identify -m {metric} --value {number} --limit 1 --progress")
    assert done.exit_code == code
    assert all(text in done.stdout for text in said)
    assert "five users of Bellei" in done.stderr
    assert all(text in done.stderr for text in ("Evaluating presets", "Searching definitions"))
    if code != 1:
        printed = json.loads(run(f"identify -m {metric} --value {number} --format json").stdout)
        assert (printed["likelier_than_chance"], printed["found"]) == (False, True)
        assert (printed["few_digits"], printed["presets"]) == (code == 0, [])


def test_what_only_definitions_far_from_presets_give_has_a_code_of_its_own() -> None:
    done = run(f"identify {FILES} -m map@3 --value 2.000")
    assert (done.exit_code, done.stdout.splitlines()[0]) == (3, "map@3 = 2.000: no preset gives it.")
    assert "no likelier than chance" in done.stdout
    printed = json.loads(run(f"identify {FILES} -m map@3 --value 2.000 --format json").stdout)
    assert (printed["likelier_than_chance"], printed["found"], printed["few_digits"]) == (False, True, False)


def test_identify_in_full() -> None:
    short, whole = (run(f"identify -m ndcg@3 --value 0.667 {more}").stdout for more in ("--limit 1", "--full"))
    assert short.count("   (rounded") < whole.count("   (rounded")
    assert ("\nAnd " in short, "\nAnd " in whole, "--full" in whole) == (True, False, False)
    assert "no likelier than chance" not in whole


def test_identify_several_numbers_of_files() -> None:
    done = run(f"identify {OURS} --value map@3=0.667 --value precision@3=0.500")
    assert done.exit_code == 0
    assert "trec_eval" in done.stdout
    done = run(f"identify {OURS} -m map@3 --value 0.667")
    assert "0.6666666667   trec_eval:map@3   (rounded)" in done.stdout
    assert "definitions are equal here" in done.stdout


def test_identify_says_where_several_numbers_have_too_few_digits() -> None:
    done = run(f"identify {FILES} --value ndcg@3=0.36 --value map@3=0.30")
    assert done.exit_code == 0
    assert re.search(r"ways to give them together; random numbers have one in up to \d+% of\s+cases", done.stdout)
    assert max(map(len, done.stdout.splitlines())) <= 100


# sensitivity and reproduce


def test_sensitivity_of_files() -> None:
    printed = run(f"sensitivity {FILES} -m ndcg@3 {PRESETS} ").stdout
    assert printed.startswith("Range of ndcg@3\n")
    for line in ("tie orders", "No orders of ties for blog"):
        assert line in printed
    assert max(map(len, printed.splitlines())) <= 100
    words = f"sensitivity {FILES} -m ndcg@3 {PRESETS} --format"
    assert json.loads(run(f"{words} json").stdout)["metric"] == "ndcg@3"
    assert run(f"{words} csv").stdout.startswith("run,preset,ties,mean\nrun,mllib,as given,0.3573")
    assert "five users of Bellei" in run(f"sensitivity -m map@3 {PRESETS}").stderr
    Path("other.csv").write_text("user,item,score\nann,bread,3\nbob,beans,2\ncem,tea,1\n")
    assert "Which run is first" in run(f"sensitivity {FILES} other.csv -m ndcg@3 {PRESETS}").stdout


def test_all_sources_are_reproduced_and_summed_up() -> None:
    done = run("reproduce")
    assert done.exit_code == 0
    assert ", 0 unexplained, 51 left out" in done.stdout.rstrip().splitlines()[-1]
    assert "ndcg@3 is 0.462 so, and the table has 0.544" in done.stdout


def test_a_source_shows_all_its_numbers() -> None:
    lines = [line.split() for line in run("reproduce wikipedia-2010").stdout.splitlines()]
    assert ["wikipedia-2010", "Example", "wikipedia@2010", "ndcg@6", "0.932", "0.932", "exact"] in lines
    said = json.loads(run("reproduce ndcg-video --format json").stdout)
    assert said["ok"]
    assert [(one["printed"], one["verdict"]) for one in said["numbers"]][-1] == ("0.94", "erratum")
    found = rows("reproduce ndcg-video kaggle")
    assert [row["source"] for row in found] == ["ndcg-video"] * 3 + ["kaggle"] * 4
    assert {row["verdict"] for row in found} == {"exact", "erratum"}
    assert run("reproduce ndcg-video --format markdown").stdout.startswith("| source")
    assert "bellei2017" in run("reproduce blog --format csv").stdout


def test_a_number_that_does_not_come_out_is_exit_code_1() -> None:
    Path("own.yaml").write_text(
        "name: own\ntitle: A table\npreset: wikipedia\ninputs: {run: {by-rank: {q: [0, 1]}}}\n"
        'tables: [{where: table 1, numbers: [{metric: mrr, printed: "0.7"}]}]\n'
    )
    done = run("reproduce own.yaml")
    assert done.exit_code == 1
    assert "0.7, ours 0.5; it does not come out" in done.stdout
    assert done.stdout.rstrip().endswith("0 errata, 1 unexplained, 0 left out")


FETCHED = """name: fetched
title: A source whose data are fetched
preset: trec_eval
data:
  - repository: https://github.com/example/made
    revision: "0123456"
    files: {labels: {sha256: "%s"}, run: {sha256: "%s"}}
inputs: {ours: {qrels: labels, run: run}}
tables: [{where: table 1, numbers: [{metric: P_1, called: P@1, printed: "%s"}]}]
"""


def test_numbers_whose_data_are_fetched() -> None:
    texts = {"labels": "1 0 a 1\n", "run": "1 Q0 a 1 1 t\n"}
    digests = [sha256(text.encode()).hexdigest() for text in texts.values()]
    Path("fetched.yaml").write_text(FETCHED % (*digests, "1.0000"))
    said = run("reproduce fetched.yaml")
    assert said.exit_code == 0
    assert "curl -fsSL --create-dirs -o FOLDER/labels" in said.stdout
    Path("data").mkdir()
    for name, text in texts.items():
        Path("data", name).write_text(text)
    page = run("reproduce fetched.yaml --data data --format html")
    assert page.exit_code == 0
    assert page.stdout.lower().startswith("<!doctype html>")
    assert "P@1" in page.stdout
    Path("fetched.yaml").write_text(FETCHED % (*digests, "0.5000"))
    done = run("reproduce fetched.yaml --data data")
    assert done.exit_code == 1
    assert "not as stated: ours, P@1 0.5000: it does not come out" in done.stdout


def test_the_sources_are_listed_with_counts_by_kind() -> None:
    said = run("reproduce --list").stdout
    assert "publication, published about runs: 3,000 numbers" in said
    listed = json.loads(run("reproduce --list --format json").stdout)["sources"]
    robust = next(one for one in listed if one["source"] == "trec-robust-2003")
    assert (robust["numbers"], robust["stated"]["other definition"], robust["from_data"]) == (85, 17, 85)
