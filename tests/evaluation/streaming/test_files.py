"""Files read a batch at a time: the numbers of one evaluation in memory, bit for bit, in any order and form."""

import contextlib
import random
import re
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from typer.testing import CliRunner

import rankconv as rc
from rankconv.basics.errors import RespelledIds
from rankconv.basics.output_files import write_table
from rankconv.cli.app import app
from rankconv.evaluation.streaming import large_files as room
from rankconv.evaluation.streaming.memory import Budget, bytes_of
from tests.laws import examples

SPECS = ["mllib:ndcg@3", "trec_eval:map", "blog:map@3", "recall(aggregate=median(lower))@2", "trec_eval:ndcg_cut_5"]


def data(users: int, text: bool, seed: int) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Labels and a run of these users, each side in the order of the users; scores are tied at times."""
    drawn, labels, run = random.Random(seed), [], []
    for user in range(users):
        labels += [(user, item, float(drawn.randint(0, 3))) for item in drawn.sample(range(12), drawn.randint(0, 4))]
        run += [(user, item, drawn.randint(0, 6) / 4) for item in drawn.sample(range(12), drawn.randint(0, 5))]
    frames = [
        pl.DataFrame(rows, ["user", "item", name], orient="row") for rows, name in ((labels, "grade"), (run, "score"))
    ]
    if text:
        frames = [
            one.with_columns(pl.format("u{}", "user").alias("user"), pl.format("i{}", "item").alias("item"))
            for one in frames
        ]
    return frames[0], frames[1]


def written(frame: pl.DataFrame, folder: Path, form: str, files: int = 3) -> Path:
    """The rows in a folder of files."""
    folder.mkdir(parents=True)
    for number in range(files):
        part = frame[len(frame) * number // files : len(frame) * (number + 1) // files]
        file = folder / f"part-{number}.{form}"
        match form:
            case "parquet":
                part.write_parquet(file)
            case "arrow":
                part.write_ipc(file)
            case "csv":
                part.write_csv(file)
            case "csv.gz":
                import gzip

                file.write_bytes(gzip.compress(part.write_csv().encode()))
    return folder


def told(result: rc.Result) -> dict[str, Any]:
    return {spec: (float(one.mean).hex(), one.counts) for spec, one in result.by_spec.items()}


def in_parts(labels: Path, run: Path, **more: Any) -> rc.Result:
    """The numbers of these files, read within a budget of memory."""
    result: rc.Result = rc.evaluate(labels, run, SPECS, memory="4GB", on_error="collect", **more)
    return result


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Budgets of so many rows at a time."""

    def of(rows: int, most: int = 10**6) -> None:
        monkeypatch.setattr(Budget, "of", classmethod(lambda cls, memory, text: cls(rows, most, 100)))

    return of


@pytest.mark.parametrize(
    ("form", "order", "rows"),
    [
        *(("parquet", "sorted", 8), ("parquet", "shuffled", 8), ("arrow", "shuffled", 10**5)),
        *(("csv", "shuffled", 8), ("csv.gz", "sorted", 10**5)),
    ],
)
def test_any_order_form_and_budget_gives_the_bits_of_one_evaluation(
    form: str, order: str, rows: int, tiny: Any, tmp_path: Path
) -> None:
    text = form.startswith("csv")
    sides = data(25, text, seed=rows)
    if order == "shuffled":
        sides = sides[0].sample(fraction=1, shuffle=True, seed=1), sides[1].sample(fraction=1, shuffle=True, seed=2)
    labels, run = (written(side, tmp_path / name, form) for side, name in zip(sides, ("labels", "run"), strict=True))
    tiny(rows)
    temp = tmp_path / "temp"
    temp.mkdir()
    found = in_parts(labels, run, temp_dir=temp)
    assert told(found) == told(rc.evaluate(*sides, SPECS, per_user=False, on_error="collect"))
    assert not list(temp.iterdir())


@pytest.mark.parametrize("form", ["parquet", "arrow"])
@pytest.mark.parametrize("shape", ["items", "with scores", "a column for each rank"])
@pytest.mark.parametrize("rows", [8, 10**5][: examples.of(quick=1, ci=2)])
def test_lists_in_a_column_are_read_in_parts(shape: str, form: str, rows: int, tiny: Any, tmp_path: Path) -> None:
    labels, run = data(25, text=True, seed=3)
    lists = run.group_by("user", maintain_order=True).agg("item", "score")
    if shape == "items":
        lists = lists.drop("score")
    if shape == "a column for each rank":
        ranked = [pl.col("item").list.get(at, null_on_oob=True).alias(f"rec_{at + 1}") for at in range(5)]
        lists = lists.select("user", *ranked)
    asked = labels.group_by("user", maintain_order=True).agg("item")
    files = written(asked, tmp_path / "labels", form), written(lists, tmp_path / "run", form)
    tiny(rows)
    assert told(in_parts(*files)) == told(rc.evaluate(asked, lists, SPECS, per_user=False, on_error="collect"))


ALL_USERS = [
    "items_shown@2",
    "gini(gini-items=returned)@3",
    "entropy",
    "judged(judged-scope=collection)@3",
]


@pytest.mark.parametrize("rows", [8, 10**5])
def test_numbers_of_all_lists_and_labels_are_made_of_parts(rows: int, tiny: Any, tmp_path: Path) -> None:
    labels, run = (side.sample(fraction=1, shuffle=True, seed=1) for side in data(30, text=True, seed=9))
    files = written(labels, tmp_path / "labels", "parquet"), written(run, tmp_path / "run", "parquet")
    tiny(rows)
    found = rc.evaluate(*files, ALL_USERS, memory="4GB", on_error="collect")
    assert told(found) == told(rc.evaluate(labels, run, ALL_USERS, on_error="collect"))


@pytest.mark.parametrize("spec", ["items_shown@2", "recall(aggregate=median(lower))@2"])
def test_counts_that_outgrow_the_budget_are_refused_by_name(spec: str, tiny: Any, tmp_path: Path) -> None:
    labels, run = data(80, text=False, seed=9)
    run = run.with_columns(item=pl.int_range(pl.len()), score=pl.int_range(pl.len()) / 4)
    files = written(labels, tmp_path / "labels", "parquet"), written(run, tmp_path / "run", "parquet")
    tiny(10, most=20)
    with pytest.raises(rc.InputError, match=r"outgrows the memory, after [\d,]+ users.*So far [\d,]+ MB") as problem:
        rc.evaluate(*files, ["ndcg@3", spec], memory="4GB", on_error="collect")
    assert spec in str(problem.value)
    assert rc.evaluate(*files, "ndcg@3", memory="4GB", on_error="collect")


EACH = [
    *SPECS,
    "map(on-one-user=0.25)@3",
    "gini(gini-items=returned)@3",
    "judged(judged-scope=collection)@3",
    "mllib:map@3",
    "ndcg(on-no-ranking=refuse-all)@3",
    "ndcg(on-no-ranking=refuse-user)@3",
    "ndcg(on-no-labels=refuse-user)@2",
]


def per_user(file: Path) -> dict[Any, list[Any]]:
    """The values of each user as they stand in a file, NaN as text."""
    read = {".csv": pl.read_csv, ".parquet": pl.read_parquet, ".jsonl": pl.read_ndjson}[file.suffix]
    rows = read(file).rows()
    assert len({row[0] for row in rows}) == len(rows)
    return {row[0]: [str(value) for value in row[1:]] for row in rows}


@pytest.mark.parametrize(
    ("order", "users", "ending"), [("sorted", 1, ".csv"), ("sorted", 40, ".jsonl"), ("shuffled", 40, ".parquet")]
)
def test_values_of_users_are_those_of_one_evaluation(
    order: str, users: int, ending: str, tiny: Any, tmp_path: Path
) -> None:
    """Also those that only all users together decide: one user alone, and users refused everywhere for one of them."""
    sides = data(users, order == "shuffled", seed=users + 3)
    if order == "shuffled":
        sides = sides[0].sample(fraction=1, shuffle=True, seed=1), sides[1].sample(fraction=1, shuffle=True, seed=2)
    files = written(sides[0], tmp_path / "labels", "parquet"), written(sides[1], tmp_path / "run", "parquet")
    expected = rc.evaluate(*sides, EACH, on_error="collect")
    tiny(60)
    one, other = tmp_path / f"parts{ending}", tmp_path / f"whole{ending}"
    found = rc.evaluate(*files, EACH, memory="4GB", per_user=one, temp_dir=tmp_path, on_error="collect")
    write_table(expected.to_frame(), other, force=False)
    assert told(found) == told(expected)
    values = per_user(one)
    assert values == per_user(other)
    assert (list(values) == sorted(values)) == (order == "sorted")
    alike = {spec: measured.of_everybody for spec, measured in expected.by_spec.items()}
    assert (alike["ndcg(on-no-ranking=refuse-all)@3"] is not None) == (users == 40)
    assert (alike["map(on-one-user=0.25)@3"] == 0.25) == (users == 1)
    assert {*tmp_path.iterdir()} == {*files, *tmp_path.glob("parts.*"), *tmp_path.glob("whole.*")}


def test_a_file_of_users_is_not_written_where_it_cannot_or_a_number_is_refused(tiny: Any, tmp_path: Path) -> None:
    sides = data(9, text=False, seed=5)
    files = written(sides[0], tmp_path / "labels", "parquet"), written(sides[1], tmp_path / "run", "parquet")
    tiny(12)
    with pytest.raises(rc.MetricError, match="on-no-ranking=refuse-user"):
        rc.evaluate(*files, "ndcg(on-no-ranking=refuse-user)@3", memory="4GB", per_user=tmp_path / "u.csv")
    assert not (tmp_path / "u.csv").exists()
    (tmp_path / "u.csv").write_text("mine")
    with pytest.raises(rc.InputError, match="there is such a file already"):
        rc.evaluate(*files, "ndcg@3", memory="4GB", per_user=tmp_path / "u.csv")
    with pytest.raises(rc.InputError, match="no table is written with this ending"):
        rc.evaluate(*files, "ndcg@3", memory="4GB", per_user=tmp_path / "u.txt")
    with pytest.raises(rc.MetricError, match="memory= alone"):
        rc.evaluate(*sides, "ndcg@3", per_user=tmp_path / "v.csv")
    assert (tmp_path / "u.csv").read_text() == "mine"


def test_a_user_with_many_rows_is_evaluated_alone_or_refused_by_name(tiny: Any, tmp_path: Path) -> None:
    labels, run = data(20, text=False, seed=3)
    large = pl.DataFrame({"user": [-5] * 500, "item": range(500), "score": [1 - item / 500 for item in range(500)]})
    run = pl.concat([run, large]).sample(fraction=1, shuffle=True, seed=5)
    labels = pl.concat([labels, pl.DataFrame({"user": [-5], "item": [3], "grade": [1.0]})])
    files = written(labels, tmp_path / "labels", "parquet"), written(run, tmp_path / "run", "parquet")
    tiny(50)
    assert told(in_parts(*files)) == told(rc.evaluate(labels, run, SPECS, per_user=False, on_error="collect"))
    tiny(50, most=400)
    with pytest.raises(rc.InputError, match=r"user -5 has 501 rows, which do not fit.*these rows need [\d,]+ MB"):
        in_parts(*files, temp_dir=tmp_path)
    assert not list(tmp_path.glob("rankconv-*"))


def test_the_budget_is_a_size_and_not_too_small(tmp_path: Path) -> None:
    assert [bytes_of(size) for size in ("2GB", "500 mb", "1GiB", "7")][:3] == [2 * 10**9, 5 * 10**8, 2**30]
    for wrong in ("much", "0GB", "-1", "2 XB", "1.2.3GB"):
        with pytest.raises(rc.InputError, match="is not a size"):
            bytes_of(wrong)
    labels, run = data(3, text=False, seed=1)
    files = written(labels, tmp_path / "labels", "parquet"), written(run, tmp_path / "run", "parquet")
    with pytest.raises(rc.InputError, match=r"is too little.*The least that works is (\d+)MB") as problem:
        rc.evaluate(*files, SPECS, memory="20MB")
    [least] = re.findall(r"least that works is (\d+MB)", str(problem.value))
    assert len(rc.evaluate(*files, SPECS, memory=f"{int(least[:-2]) + 20}MB", on_error="collect")) == len(SPECS)


def test_what_needs_all_users_and_other_data_are_refused(tmp_path: Path) -> None:
    labels, run = data(3, text=False, seed=1)
    files = written(labels, tmp_path / "labels", "parquet"), written(run, tmp_path / "run", "parquet")
    with pytest.raises(rc.InputError, match="the labels are read from files"):
        rc.evaluate({"u": ["a"]}, files[1], SPECS, memory="4GB")
    with pytest.raises(rc.InputError, match="users= needs all users at once"):
        rc.evaluate(*files, SPECS, memory="4GB", users=[1])
    with pytest.raises(rc.MetricError, match="makes one list of all users"):
        rc.evaluate(*files, "map(scope=global)", memory="4GB")
    others = written(data(3, text=True, seed=1)[1], tmp_path / "text", "parquet")
    with pytest.raises(rc.InputError, match="user ids are integer in the labels and text in the rankings"):
        rc.evaluate(labels, others, SPECS, memory="4GB")  # a table, whose types were chosen
    (tmp_path / "bad.csv").write_text("user,item,grade\nu,a,1\nu,b,much\n")
    with pytest.raises(rc.InputError, match=r"bad.csv, line 3: the grade 'much' is not a number"):
        rc.evaluate(tmp_path / "bad.csv", others, SPECS, memory="4GB")


@pytest.mark.parametrize("whole", ["labels", "run"])
def test_whole_numbers_of_a_file_are_the_texts_of_another(whole: str, tiny: Any, tmp_path: Path) -> None:
    tiny(50)
    sides = dict(zip(("labels", "run"), data(40, text=False, seed=1), strict=True))
    texts = {name: side.with_columns(pl.col("user", "item").cast(str)) for name, side in sides.items()}
    expected = told(rc.evaluate(*texts.values(), SPECS, per_user=False, on_error="collect"))
    files = [written((texts | {whole: sides[whole]})[name], tmp_path / name, "parquet") for name in sides]
    with pytest.warns(RespelledIds, match=f"user and item ids of the {whole} are whole numbers"):
        assert told(in_parts(*files)) == expected


def test_a_full_disk_ends_with_a_message_and_no_file(
    tiny: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    labels, run = (side.sample(fraction=1, shuffle=True, seed=1) for side in data(20, text=False, seed=1))
    files = written(labels, tmp_path / "labels", "parquet"), written(run, tmp_path / "run", "parquet")
    (tmp_path / "temp").mkdir()
    monkeypatch.setattr("pyarrow.ipc.new_stream", lambda *_, **__: (_ for _ in ()).throw(OSError(28, "No space left")))
    tiny(20)
    with pytest.raises(rc.InputError, match="temporary files cannot be written: No space left"):
        in_parts(*files, temp_dir=tmp_path / "temp")
    assert not list((tmp_path / "temp").iterdir())


def test_systems_without_limits_of_processes_read_in_parts_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    labels, run = (side.sample(fraction=1, shuffle=True, seed=1) for side in data(20, text=False, seed=1))
    files = written(labels, tmp_path / "labels", "parquet"), written(run, tmp_path / "run", "parquet")
    monkeypatch.setitem(sys.modules, "resource", None)
    (tmp_path / "temp").mkdir()
    found = rc.evaluate(*files, "map", memory="4GB", temp_dir=tmp_path / "temp")
    assert found["map"] == rc.evaluate(labels, run, "map")["map"]
    assert not list((tmp_path / "temp").iterdir())


def here(command: list[str], fails: bool = False) -> Any:
    """A command in this process: what it prints, or the error with which it ends."""
    done = CliRunner().invoke(app, command)
    assert (done.exit_code != 0) == fails, done.output
    return done.exception if fails else done


def test_the_command_takes_folders_of_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    labels, run = data(30, text=False, seed=4)
    written(labels.rename({"user": "uid"}), tmp_path / "labels", "parquet")
    written(run.rename({"user": "uid"}), tmp_path / "mine", "parquet")
    command = ["evaluate", "labels", "mine", "-m", "ndcg@3", "-p", "mllib", "--memory", "4GB", "--column", "user=uid"]
    done = here(command)
    mean = rc.evaluate(labels, run, "ndcg@3", "mllib")["ndcg@3"]
    assert f"{mean:.4f}" in done.stdout
    assert "Preset: mllib, run: mine." in done.stdout
    each = [*command, "--per-user-file", "users.csv"]
    here(each)
    written_by_users = pl.read_csv(tmp_path / "users.csv").sort("user")
    assert written_by_users.columns == ["user", "ndcg@3", "run"]
    assert set(written_by_users["run"]) == {"mine"}
    again = here(each, fails=True)
    assert "overwrite it with --force" in again.on_command_line
    refused = here([*command, "--per-user"], fails=True)
    assert "--per-user needs all users" in refused.on_command_line


def test_rows_are_counted_as_they_go_by(tiny: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    labels, run = (side.sample(fraction=1, shuffle=True, seed=1) for side in data(40, text=False, seed=1))
    files = written(labels, tmp_path / "labels", "parquet"), written(run, tmp_path / "run", "parquet")
    tiny(10)
    seen: list[tuple[int, int]] = []
    tell = contextlib.nullcontext(lambda works: seen.append((works[0].done, works[0].to_do)))
    monkeypatch.setattr(room, "watching", lambda *_: tell)
    in_parts(*files)
    assert seen[-1][0] == seen[-1][1] > len(labels) + len(run)
    assert len({done for done, _ in seen}) > 10


@pytest.mark.parametrize("memory", [None, "4GB"])
@pytest.mark.parametrize("names", [["user", "user", "score"], ["user", "item", "item"], ["", "", ""]])
@pytest.mark.parametrize("form", ["parquet", "arrow"])
def test_two_columns_of_one_name_are_refused(form: str, names: list[str], memory: str | None, tmp_path: Path) -> None:
    """Also those that polars cannot tell apart, or fails at."""
    pa = pytest.importorskip("pyarrow")
    table, file = pa.table([["u"], ["a"], [1.0]], names=names), tmp_path / f"run.{form}"
    if form == "parquet":
        pytest.importorskip("pyarrow.parquet").write_table(table, file)
    else:
        with pytest.importorskip("pyarrow.ipc").new_file(file, table.schema) as written:
            written.write_table(table)
    (tmp_path / "labels.csv").write_text("user,item\nu,a\n", "utf-8")
    name = next(name for name in names if names.count(name) > 1)
    with pytest.raises(rc.InputError, match=rf"run.{form}: \d columns are called '{name}'\. Rename all but one\.$"):
        rc.evaluate(tmp_path / "labels.csv", file, "mrr@3", memory=memory)


def test_each_run_meets_the_labels_in_its_own_kind_of_ids(tiny: Any, tmp_path: Path) -> None:
    """Also where a metric asks for the items of all labels, which are texts for the first run alone."""
    tiny(50)
    labels, run = data(40, text=False, seed=1)
    spec = "judged(judged-scope=collection)@3"
    known = written(labels, tmp_path / "labels", "parquet")
    runs = {
        "texts": written(run.with_columns(pl.col("user", "item").cast(str)), tmp_path / "texts", "parquet"),
        "numbers": written(run, tmp_path / "numbers", "parquet"),
    }
    with pytest.warns(RespelledIds, match="user and item ids of the labels"):
        found = rc.compare(known, runs, spec, ["rankconv"], memory="4GB")
    expected = rc.evaluate(labels, run, spec)[spec]
    assert found.to_frame()["mean"].to_list() == [expected, expected]
