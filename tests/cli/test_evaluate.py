"""`evaluate`, `compare` and `test`: output, files, options, and errors."""

import gzip
import json
import shlex
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from typer.testing import CliRunner

import rankconv as rc
from rankconv.basics.errors import UnreadData
from rankconv.cli.app import app
from rankconv.presets.folders import conventions
from tests.cli.support import refused, rows, run

OURS = "evaluate labels.csv run.csv"
TREC = Path(str(conventions() / "published" / "trec_eval"))
BELOW = {
    "labels.csv": "user,item\nu,b\nv,a\n",
    "run.csv": "user,item,score\nu,a,2\nu,b,1\nv,a,2\nv,c,1\n",
    "all.txt": "a\nb\nc\nd\n",
    "train.csv": "user,item\nu,a\nv,a\nw,b\n",
    "items.csv": "item,genre\na,rock|jazz\nb,jazz\nc,folk\n",
}


def numbers(words: str, *more: str) -> dict[str, str]:
    """Metric → mean as the CSV has it."""
    return {row["metric"]: row["mean"] for row in rows(f"{OURS} --quiet {words}", *more)}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (f"{OURS} -m ndgc@10", "Did you mean 'ndcg'?"),
        (f"{OURS} -m ndcg@10 -p mlib", "'mlib' is not a preset"),
        (f"{OURS} -m ndcg(gian=grade)@10", "Did you mean 'gain'?"),
        (f"{OURS} -m ndcg(gain=expo)@10", "'expo' is not a gain. Choose one of: linear, exponential"),
        (f"{OURS} -m dcg(discount=log(bass=2))@10", "Write log(base=…)"),
        (f"{OURS} -m ndcg@0", "A cutoff is a whole number from 1 up"),
        (f"{OURS} -m ndcg@-3", "'-3' is not a cutoff"),
        (f"{OURS} -m ndcg@ten", "'ten' is not a cutoff"),
        (
            f"{OURS} -m recall@5 -p mllib@2.1.3",
            "mllib@2.1.3 does not offer recall: recallAt came with version 3.0. It has: precision, map, ndcg",
        ),
        (f"{OURS} -m map -p kaggle", "only at a cutoff"),
        (f"{OURS} -m mrr@5 -p trec_eval", "trec_eval has no mrr at a cutoff"),
        (f"{OURS} -m map --column person=uid", "does not name a column"),
        (f"{OURS} -m map --plugin nowhere.py", "there is no plugin file"),
        (f"{OURS} -m map -q --format json", "--per-user (-q) is for tables"),
        (f"{OURS} -m mrr@2 -u bop", "there is no user 'bop' in the labels or the run. Did you mean 'bob'?"),
        (f"{OURS} -m mrr --by activity --per-user", "--per-user is not for segments. Leave out --per-user or --by."),
        (f"{OURS} --signature mrr@3 --format csv", "--signature is not for --format csv"),
        (f"{OURS} --signature mrr@3,5", "'mrr@3,5' is not a signature. Write: -m mrr@3,5"),
        (f"{OURS} --signature mrr@3|rr-hts:any", "'rr-hts' is not a convention"),
        (f"{OURS} -m mrr --per-user-file users.parqet", "Did you mean '.parquet'?"),
        ("evaluate labels.csv https://example.org/run.csv -m map", "a web address, and only files are read"),
        ("evaluate labels.csv odd.csv -m mrr", "Pass --column score=points if high is best, --column rank=points if"),
        ("evaluate labels.csv twice.csv -m map -p trec_eval --per-user-file u.csv", "item 'a' in the list more than"),
        ("compare labels.csv", "labels were given, and no run. Add a run after labels.csv"),
        ("compare labels.csv run.csv -m mrr@10 -p trec_eval", "none of these presets offers mrr@10: trec_eval. Add -p"),
        ("test labels.csv run.csv tied.csv", "5 at least are needed. Test runs with more users in common."),
        ("test labels.csv run.csv tied.csv --include-users either", "are needed. Test runs with more users."),
    ],
)
def test_a_mistake_is_one_message(words: str, said: str) -> None:
    Path("odd.csv").write_text("user,item,points\nada,x,1\nada,a,2\nbob,c,1\n")
    Path("twice.csv").write_text("user,item,score\nada,a,2\nada,a,1\nbob,c,1\n")
    assert said in refused(words)
    assert not Path("u.csv").exists()


@pytest.mark.parametrize(
    "words",
    [
        "evaluate none.csv none.csv -m ndgc@10",
        "evaluate none.csv none.csv -m map -p spark",
        "compare none.csv none.csv -m ndgc@10",
        "compare none.csv none.csv -p torch",
        "check none.csv none.csv -m ndgc@10",
        "explain none.csv none.csv -m ndgc@10 -u ada",
        "explain none.csv none.csv -m map -u ada --against mlib",
        "why none.csv none.csv -m map blog mlib",
        "sensitivity none.csv none.csv -m ndgc@10",
        "identify none.csv none.csv -m ndgc@10 --value 0.5",
        "verify sklearn none.csv none.csv -m ndgc",
    ],
)
def test_words_are_read_before_files(words: str) -> None:
    message = refused(words)
    assert "none.csv" not in message
    assert "Did you mean" in message or "is not available in" in message
    assert "rankconv: rankconv" not in message
    assert "rc." not in message


# compare


def test_compare_without_files_shows_the_five_users() -> None:
    done = run("compare")
    lines = done.stdout.splitlines()
    assert "five users" in done.stderr
    assert run("compare --quiet").stderr == ""
    assert lines[0].split() == ["metric", "blog", "mllib@2.1.3", "mllib", "kaggle", "rankconv"]
    [ndcg] = [line for line in lines if line.strip().startswith("ndcg@3")]
    assert ndcg.split() == ["ndcg@3", "0.5436", "0.2123≠", "0.2123≠", "–", "0.3538≠"]
    assert "≠: differs from blog" in lines
    assert any(line.startswith("No value under trec_eval: topic 3 has no ranked row") for line in lines)
    assert [line.split()[0] for line in lines[-3:]] == ["rankconv"] * 3
    for line in lines[-3:-1]:
        assert run("", *shlex.split(line, comments=True)[1:]).exit_code == 0


def test_compare_takes_groups_folders_and_several_runs() -> None:
    found = rows("compare labels.csv run.csv -m map@2 -p contests -p default")
    assert [row["preset"] for row in found] == ["kaggle", "kaggle-as-described", "rankconv"]
    Path("runs").mkdir()
    for name, text in (("one", Path("run.csv").read_text()), ("two", "user,item,score\nada,b,1\nbob,c,1\n")):
        Path(f"runs/{name}.csv").write_text(text)
    for files in ("runs", "runs/one.csv runs/two.csv"):
        printed = run(f"compare labels.csv {files} -m mrr@3 -p rankconv").stdout
        lines = [line.split()[1:] for line in printed.splitlines() if "mrr@3" in line]
        assert lines == [["one", "0.7500"], ["two", "1.0000*"]]


@pytest.mark.parametrize(
    ("form", "start"),
    [("csv", "run,metric,preset,mean,missing,note\nrun,"), ("markdown", "| metric"), ("latex", "\\begin{tabular}")],
)
def test_tables_for_papers(form: str, start: str) -> None:
    assert run(f"compare labels.csv run.csv -m map@2 -p blog -p mllib --format {form}").stdout.startswith(start)


def test_the_long_form_has_a_row_for_each_value_and_says_what_is_missing() -> None:
    words = "compare labels.csv run.csv tied.csv -m mrr@3 -p rankconv -p kaggle"
    assert [row["missing"] for row in rows(words)] == ["", "not offered"] * 2
    printed = json.loads(run(f"{words} --format json").stdout)
    expected = [
        (name, preset, mean) for name in ("run", "tied") for preset, mean in (("rankconv", 0.75), ("kaggle", None))
    ]
    assert [(one["run"], one["preset"], one["mean"]) for one in printed] == expected
    assert {one["missing"] for one in printed} == {None, "not offered"}


def test_all_presets_are_ordered_by_value_at_the_width_of_80_columns() -> None:
    words = "compare labels.csv run.csv -m map@3 -p all"
    means = [one["mean"] for one in json.loads(run(f"{words} --format json").stdout)]
    values = [mean for mean in means if mean is not None]
    assert values == sorted(values)
    assert None not in means[: len(values)]
    shown = CliRunner(env={"COLUMNS": "80"}).invoke(app, words.split()).stdout
    assert run(words).stdout.split()[:30] == shown.split()[:30]


def test_the_usual_metrics_that_a_preset_lacks() -> None:
    done = run("compare labels.csv run.csv -p trec_eval -p kaggle --format csv")
    assert "run,ndcg@10,kaggle,,not offered," in done.stdout
    assert done.stderr.splitlines() == [
        "Left out, offered by none of these presets: mrr@10.",
        "–: the preset does not define the metric.",
    ]
    found = rc.compare("labels.csv", "run.csv", "set", ["trec_eval", "mllib"])
    assert found.metrics[:2] == ["num_q", "num_ret"]
    assert found.cell("set_P", "mllib") is None


# evaluate


def test_evaluate_prints_means_counts_and_the_preset() -> None:
    printed = run(f"{OURS} -m ndcg@5,10 -m mrr -p rankconv").stdout
    assert [line.split()[:2] for line in printed.partition("Signatures")[0].splitlines() if "@" in line] == [
        ["ndcg@5", "0.7906"],
        ["ndcg@10", "0.7906"],
    ]
    assert "Preset: rankconv" in printed
    said = json.loads(run(f"{OURS} -m precision@2 -p mllib --format json").stdout)
    assert (said["preset"], said["metrics"], said["counts"]) == (
        "mllib",
        {"precision@2": 0.5},
        {"precision@2": {"scored": 2}},
    )
    assert "by activity" in run(f"{OURS} -m mrr@3 --by activity").stdout


def test_signatures_are_below_the_table() -> None:
    """What both have is there once; of many definitions there are fingerprints, and with --full whole signatures."""
    printed = run(f"{OURS} -m ndcg@5 -m map@5 -p mllib").stdout
    own, other, common = printed.partition("Signatures")[2].splitlines()[1:4]
    assert (own.split()[0], other.split()[0], common.split()[0]) == ("ndcg@5", "average_precision@5", "each:")
    assert printed.count("labels-used:relevant-only") == 1
    assert max(map(len, printed.splitlines())) <= 100
    many = run(f"{OURS} -m ndcg@1-6 -p mllib").stdout
    assert f"ndcg@3 {rc.metric('mllib:ndcg@3').fingerprint[:8]}" in many
    whole = run(f"{OURS} -m ndcg@1-6 -p mllib --full").stdout.splitlines()[-6:]
    assert [rc.metric(line).text for line in whole] == [f"mllib:ndcg@{k}" for k in range(1, 7)]
    assert all("|labels:" in line for line in whole)


def test_the_number_of_a_signature_is_computed_again() -> None:
    found = json.loads(run(f"{OURS} -m ndcg@5 -p mllib --format json").stdout)
    signature = found["signatures"]["ndcg@5"]
    printed = run(OURS, "--signature", signature).stdout
    assert f"{found['metrics']['ndcg@5']:.4f}" in printed
    lines = [line.split() for line in printed.splitlines()]
    assert [line[-1] for line in lines if line and line[0] in ("users", "labels", "run", "preset")] == ["yes"] * 4
    result = run("evaluate labels.csv tied.csv", "--signature", signature)
    other = result.stdout.splitlines()
    assert result.exit_code == 1
    newer = signature.replace("rankconv:", "rankconv:9")
    assert (run(OURS, "--signature", signature).exit_code, run(OURS, "--signature", newer).exit_code) == (0, 0)
    assert [line.split()[-1] for line in other if line.startswith(("labels", "run "))] == ["yes", "no"]
    [plain] = json.loads(run(f"{OURS} -m ndcg@5 --no-digest --format json").stdout)["signatures"].values()
    assert "|labels:not-made|run:not-made|" in plain


def test_every_signature_is_a_metric_of_the_commands() -> None:
    """Also one of settings that another one makes inapplicable, and one that holds commas."""
    text = rc.metric("ml_metrics:map@5").signature
    assert "min(k, relevant)" in text
    assert run(OURS, "-m", text).stdout == run(OURS, "-m", text, "-k", "3").stdout
    told = refused("compare labels.csv ranked.csv", "-m", text)
    assert "'average_precision@5|…' is a signature, which states one definition. Name the metric alone" in told


def test_seen_items_that_no_metric_reads_are_said() -> None:
    with pytest.warns(UnreadData, match=r"seen= is not read by mrr@3 \(exclude=none\)"):
        run(f"{OURS} -m mrr@3 --seen labels.csv")


def test_cutoffs_lists_and_ranges_of_metrics() -> None:
    assert [*numbers("-m ndcg,map@2 -k 1-2")] == ["ndcg@1", "ndcg@2", "map@2"]
    assert numbers("-m ndcg@1-3,map@2") == numbers("-m ndcg@1,2,3 -m map@2")
    assert numbers("-m mrr@2 -u bob") == {"mrr@2": "0.5"}
    metrics = [row["metric"] for row in rows("compare labels.csv run.csv -p mllib -k 3")]
    assert metrics == ["ndcg@3", "map@3", "precision@3", "recall@3"]
    spec = "ndcg(gain=table(1=1, 2=5))"
    assert [*json.loads(run(f"{OURS} --format json -m", f"{spec}@1,2,mrr").stdout)["metrics"]] == [
        f"{spec}@1",
        f"{spec}@2",
        "mrr",
    ]


def test_several_runs_are_one_table_with_a_column_of_runs() -> None:
    words = "evaluate labels.csv run.csv tied.csv --quiet -m mrr@3"
    printed = run(f"{words},map@3").stdout
    assert [line.split()[:2] for line in printed.partition("Signatures")[0].splitlines() if "@3" in line] == [
        [name, metric] for name in ("run", "tied") for metric in ("mrr@3", "map@3")
    ]
    assert printed.count("Preset: rankconv.") == 1
    about = {"metric": "mrr@3", "mean": "0.75", "scored": "2", "other users": ""}
    assert rows(words) == [{"run": name, **about} for name in ("run", "tied")]
    each = rows(f"{words} --per-user")
    assert [(one["run"], one["user"]) for one in each] == [
        (run, user) for run in ("run", "tied") for user in ("ada", "bob", "mean")
    ]


def test_per_user_values_are_rows_and_files() -> None:
    assert run(f"{OURS} -m mrr@3 --per-user --format csv").stdout.splitlines() == [
        "user,mrr@3",
        "ada,1.0000",
        "bob,0.5000",
        "mean,0.7500",
    ]
    readers: dict[str, Any] = {"u.csv": pl.read_csv, "u.parquet": pl.read_parquet, "u.jsonl": pl.read_ndjson}
    for name, read in readers.items():
        run(f"{OURS} -m mrr@3 --per-user-file {name}")
        assert read(name).select("user", "mrr@3").rows() == [("ada", 1.0), ("bob", 0.5)]
    Path("u.csv").write_text("mine")
    assert "there is such a file already" in refused(f"{OURS} -m mrr@3 --per-user-file u.csv")
    assert Path("u.csv").read_text() == "mine"
    run(f"{OURS} -m mrr@3 --per-user-file u.csv --force")
    assert pl.read_csv("u.csv").height == 2


def test_the_form_of_trec_eval() -> None:
    words = f"{OURS} -p trec_eval --format trec_eval -m map -m precision@5"
    assert run(words).stdout == (
        "runid                 \tall\trun\nmap                   \tall\t0.6667\nP_5                   \tall\t0.3000\n"
    )
    assert run(f"{words} -m P_1 -q").stdout.splitlines()[:3] == [
        "map                   \tada\t0.8333",
        "P_5                   \tada\t0.4000",
        "P_1                   \tada\t1.0000",
    ]


def test_all_that_trec_eval_prints() -> None:
    """Byte for byte, but for the strings of relevance, which are no number."""
    words = f"evaluate {TREC}/qrels.test.gz {TREC}/results.test.gz -p trec_eval --format trec_eval --quiet"
    for options, printed in (("-m all_trec -q", "out.test.aq"), ("-m official", "out.test")):
        theirs = gzip.decompress((TREC / f"{printed}.gz").read_bytes()).decode().splitlines()
        ours = run(f"{words} {options}").stdout.splitlines()
        assert ours == [line for line in theirs if not line.startswith("relstring")]
    lines = [line.split() for line in run(f"{words} -m runid -m set -m ndcg_cut.10,20").stdout.splitlines()]
    assert lines[0] == ["runid", "all", "STANDARD"]
    assert [name for name, _, _ in lines[-3:]] == ["set_F", "ndcg_cut_10", "ndcg_cut_20"]
    named = [name for name in rc.list_presets(eras=True) if rc.preset(name).nicknames]
    assert {"trec_eval", "trec_eval-c", "trec_eval@9.0.8", "trec_eval-c@9.0.8", "pytrec_eval"} <= set(named)
    for preset in map(rc.preset, named):
        for nickname in preset.nicknames:
            assert all(preset.define(spec) for spec in preset.members(nickname)), (preset.name, nickname)


def test_a_run_through_a_pipe() -> None:
    words = ["evaluate", "labels.csv", "-", "-m", "mrr@3", "--format", "csv"]
    assert "mrr@3,0.75" in CliRunner().invoke(app, words, input=Path("run.csv").read_text()).stdout


def test_columns_that_were_guessed_are_said() -> None:
    assert run(f"{OURS} -m map").stderr == ""
    Path("other.csv").write_text("query_id,docno,sim\nada,a,1\nbob,c,1\n")
    words = "evaluate labels.csv other.csv -m map"
    assert run(words).stderr == "other.csv: user = query_id, item = docno, score = sim\n"
    Path("labels.csv").write_text(Path("labels.csv").read_text().replace("user,item,grade", "query_id,docno,rel"))
    columns = "--column user=query_id --column item=docno --column score=sim --column grade=rel"
    assert run(f"{words} {columns}").stderr == ""


def test_what_is_assumed_of_unknown_numbers_is_said() -> None:
    Path("odd.csv").write_text("user,item,points\nada,x,1\nada,a,2\nbob,c,1\n")
    words = "evaluate labels.csv odd.csv -m mrr"
    by_rows, by_score = (run(f"{words} --column {named}") for named in ("score=none", "run.score=points"))
    assert (by_rows.stderr, by_score.stderr) == ("", "")
    assert "0.7500" in by_rows.stdout
    assert "1.0000" in by_score.stdout
    Path("odd.csv").write_text("user,item\nada,a\nbob,c\n")
    assert run(words).stderr == "odd.csv: neither scores nor ranks, so the order of the rows is the ranking\n"


def test_ranks_found_by_their_place_are_a_guess_where_scores_order_rows_alone() -> None:
    Path("qrels.tsv").write_text("1\t0\ta\t1\n2\t0\tb\t1\n")
    Path("run.tsv").write_text("1\tx\t1\n1\ta\t2\n2\tb\t1\n")
    words = "evaluate qrels.tsv run.tsv -m mrr@10"
    for given, is_said in (
        ("", True),
        ("-p msmarco-passage", False),
        ("-p msmarco-passage --memory 4GB", False),
        ("--memory 4GB", True),
        ("-m msmarco-document:mrr@10 -p msmarco-passage", False),
        ("-m trec_eval:mrr -p msmarco-passage", True),
    ):
        printed = run(f"{words} {given}")
        assert "0.7500" in printed.stdout
        assert (printed.stderr + printed.stdout).count("counts the rows of each user") == is_said, given
        assert ("run.tsv" in printed.stderr) <= is_said
    said = [rc.evaluate("qrels.tsv", "run.tsv", "mrr@10", one).notes for one in ("rankconv", "msmarco-passage")]
    assert [len(one) for one in said] == [1, 0]
    assert "--column run.score=3" in said[0][0]


def test_training_features_and_the_catalogue_of_files() -> None:
    for name, text in BELOW.items():
        Path(name).write_text(text)
    metrics = ["popularity@2", "diversity@2", "coverage(coverage-of=in-catalogue)@2"]
    sides = "--train train.csv --item-features items.csv --catalogue all.txt"
    printed = run(f"{OURS} {' '.join(f'-m {one}' for one in metrics)} {sides} --digits 6 --quiet").stdout
    given = {"train": "train.csv", "item_features": "items.csv", "catalogue": "all.txt"}
    result = rc.evaluate("labels.csv", "run.csv", metrics, **given)
    assert all(f"{result[metric]:.6f}" in printed for metric in metrics)
    assert numbers("-m coverage@2 --catalogue 6") == {"coverage@2": "0.5"}
    assert "0.7500" in run(f"compare labels.csv run.csv -m coverage@2 -p rectools {sides}").stdout


# the line on findings


@pytest.mark.parametrize(
    "words",
    [
        "-m ndcg(ties=item-descending)@3,mrr(ties=item-descending)@2",
        "-m ndcg -k 3 -p trec_eval",
        "-m mllib:ndcg@3 -m trec_eval:ndcg@3",
        "-m ndcg(ties=item-descending)@3 --column user=user --catalogue 9",
        "-m set,map -p trec_eval",
    ],
)
def test_the_command_that_is_printed_shows_the_finding(words: str) -> None:
    finding, _, command = run(f"evaluate labels.csv tied.csv {words}").stderr.partition("; see: rankconv ")
    title, counted = finding.removeprefix("rankconv: ").partition("): ")[0].split(" (", 1)
    done = run("", *shlex.split(command))
    assert done.exit_code == 1
    shown = " ".join(done.stdout.split())
    assert all(text in shown for text in (title, counted, finding.split("by up to ")[1].split(" ")[0]))


def test_the_line_is_said_where_a_printed_digit_changes() -> None:
    """One of 101 users has a tied pair, at the last two ranks."""
    metric = "ndcg(ties=item-ascending)"
    labels = {f"u{i}": {f"d{j}": 1 for j in range(0, 40, 2)} for i in range(101)}
    lists = {user: {f"d{j}": 100.0 - j for j in range(40)} for user in labels}
    lists["u0"]["d39"] = lists["u0"]["d38"]
    turned = {**lists, "u0": {**lists["u0"], "d39": lists["u0"]["d38"] + 0.5}}
    Path("labels.json").write_text(json.dumps(labels))
    Path("run.json").write_text(json.dumps(lists))
    both = [rc.evaluate(labels, one, metric)[metric] for one in (lists, turned)]
    for digits in range(7):
        said = run(f"evaluate labels.json run.json -m {metric} --digits {digits}").stderr
        assert bool(said) == (len({f"{one:.{digits}f}" for one in both}) > 1)
