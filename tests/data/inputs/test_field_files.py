"""The files of contests, collections and libraries as they are, under any name: values by hand."""

from collections.abc import Callable
from pathlib import Path

import pytest

import rankconv as rc
from rankconv.basics.errors import InputError

EXAMPLES = Path(__file__).parents[3] / "examples/files"


@pytest.mark.parametrize("run", ["hm_submission.csv", "mpd_submission.csv", "recommendations.csv"])
def test_submissions_have_a_row_for_each_user(run: str) -> None:
    """H&M: 1/2 and 1 by hand; ids keep their zeros."""
    result = rc.evaluate(EXAMPLES / "hm_labels.csv", EXAMPLES / run, "map@12", "kaggle-hm-2022")
    assert result.per_user["map@12"].tolist() == [1 / 2, 1]
    assert rc.Run(EXAMPLES / run).rows_of("c2") == (["0656719005", "0568601043"], None)


@pytest.mark.parametrize("run", ["hm_submission.csv", "mpd_submission.csv", "recommendations.csv"])
def test_submissions_larger_than_memory(run: str) -> None:
    given = str(EXAMPLES / "hm_labels.csv"), str(EXAMPLES / run)
    assert rc.evaluate(*given, "map@12", memory="4GB")["map@12"] == 0.75


RUN = {"q1": ["d3", "d1"], "q2": ["d9"]}
LABELS = {"q1": {"d1": 2.0, "d2": 0.0}, "q2": {"d9": 1.0}}
NAMES = ["", ".tsv", ".txt", ".data", ".dev", ".small"]
TEXTS = {
    "trec": "q1 Q0 d3 1 9.5 bm25\nq1 Q0 d1 2 8.5 bm25\nq2 Q0 d9 1 7 bm25\n",
    "trec, tabs": "q1\tQ0\td3\t1\t9.5\tbm25\nq1\tQ0\td1\t2\t8.5\tbm25\nq2\tQ0\td9\t1\t7\tbm25\n",
    "trec, text after the tag": "q1 Q0 d3 1 9.5 bm25 #\nq1 Q0 d1 2 8.5 bm25\nq2 Q0 d9 1 7 bm25 k1=0.9 b=0.4\n",
    "trec, tabs and text": "q1\tQ0\td3\t1\t9.5\tbm25\ta b\nq1\tQ0\td1\t2\t8.5\tbm25\tc\nq2\tQ0\td9\t1\t7\tbm25\tx\n",
    "ranks": "q1\td3\t1\nq1\td1\t2\nq2\td9\t1\n",
    "scores": "q1\td3\t9.5\nq1\td1\t8.5\nq2\td9\t7\n",
    "top1000, header": "qid\tpid\tquery\tpassage\nq1\td3\thow so?\tA text\nq1\td1\thow so?\tMore.\nq2\td9\twho\tEnd.\n",
    "beir": "query-id\tcorpus-id\tscore\nq1\td3\t9.5\nq1\td1\t8.5\nq2\td9\t7\n",
    "recbole": "user_id:token\titem_id:token\tscore:float\nq1\td3\t9.5\nq1\td1\t8.5\nq2\td9\t7\n",
    "list in a field": "user_id\tprediction\nq1\td3 d1\nq2\td9\n",
    "list of Python": "user_id\tprediction\nq1\t['d3', 'd1']\nq2\t['d9']\n",
    "columns of ranks": "user_id\titem_1\titem_2\nq1\td3\td1\nq2\td9\t\n",
}
QRELS = {
    "trec": "q1 0 d1 2\nq1 0 d2 0\nq2 0 d9 1\n",
    "trec, tabs": "q1\t0\td1\t2\nq1\t0\td2\t0\nq2\t0\td9\t1\n",
    "trec, aligned as in CLEF": "q1   0 d1    2\nq1   0 d2    0\nq2   0 d9    1\n",
    "clef, iteration Q0": "q1\tQ0\td1\t2\nq1\tQ0\td2\t0\nq2\tQ0\td9\t1\n",
    "ntcir": "q1 d1 L2\nq1 d2 L0\nq2 d9 L1\n",
    "ntcir, tabs": "q1\td1\tL2\nq1\td2\tL0\nq2\td9\tL1\n",
    "ntcir, four fields": "q1 0 d1 L2\nq1 0 d2 L0\nq2 0 d9 L1\n",
    "beir": "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\nq2\td9\t1\n",
    "inter": "user_id:token\titem_id:token\trating:float\ttimestamp:float\nq1\td1\t2\t1\nq1\td2\t0\t2\nq2\td9\t1\t3\n",
    "u.data": "q1\td1\t2\t881250949\nq1\td2\t0\t891717742\nq2\td9\t1\t878887116\n",
    "csv": "user,item,rating\nq1,d1,2\nq1,d2,0\nq2,d9,1\n",
    "no header": "q1,d1,2\nq1,d2,0\nq2,d9,1\n",
}


@pytest.mark.parametrize("suffix", [".csv", ".run", ".qrels", *NAMES])
@pytest.mark.parametrize("kind", TEXTS)
def test_runs_under_any_name(tmp_path: Path, kind: str, suffix: str) -> None:
    path = tmp_path / f"top{suffix}"
    path.write_text(TEXTS[kind])
    if suffix in (".run", ".qrels") and not kind.startswith("trec"):
        return
    read = rc.Run(path)
    assert {user: read.rows_of(user)[0] for user in RUN} == RUN


@pytest.mark.parametrize("suffix", [".csv", ".inter", *NAMES])
@pytest.mark.parametrize("kind", QRELS)
def test_labels_under_any_name(tmp_path: Path, kind: str, suffix: str) -> None:
    path = tmp_path / f"gold{suffix}"
    path.write_text(QRELS[kind])
    read = rc.Labels(path)
    assert {user: read.rows_of(user) for user in LABELS} == LABELS


@pytest.mark.parametrize("suffix", NAMES)
def test_candidates_of_ms_marco_are_in_the_order_of_the_file(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"top1000{suffix}"
    path.write_text("7\t30\thow so?\tA text of it.\n7\t10\thow so?\tMore of it.\n8\t90\twho?\tThe last text.\n")
    read = rc.Run(path)
    assert read.rows_of("7") == (["30", "10"], None)
    assert read.assumed == "neither scores nor ranks, so the order of the rows is the ranking"


def test_the_tag_of_a_run_is_its_sixth_field(tmp_path: Path) -> None:
    (tmp_path / "a.run").write_text(TEXTS["trec, text after the tag"])
    assert rc.Run(tmp_path / "a.run").tag == "bm25"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("user_id,prediction\nu1,a b\n,c\n", "line 3: there is no user id. Give the row an id, or leave it out"),
        ("user_id,prediction\nu1,a b\nu1,c\n", "line 3: user 'u1' is there twice. Keep one of the two rows"),
        ("team_info,main,us\np1,a,b\np1,c\n", "line 3: user 'p1' is there twice"),
    ],
)
def test_submissions_that_cannot_be_read(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "run.csv").write_text(text)
    with pytest.raises(InputError) as refused:
        rc.Run(tmp_path / "run.csv")
    assert message in str(refused.value)


def test_a_prediction_that_is_a_number_stays_one(tmp_path: Path) -> None:
    (tmp_path / "run.csv").write_text("user_id,item_id,prediction\nu,a,0.2\nu,b,0.7\n")
    assert rc.Run(tmp_path / "run.csv").rows_of("u") == (["b", "a"], [0.7, 0.2])


def test_the_caller_names_the_columns_of_a_submission(tmp_path: Path) -> None:
    (tmp_path / "run.csv").write_text("row,user_id,prediction\n1,u,a b\n2,v,c\n")
    read = rc.Run(tmp_path / "run.csv", user="user_id", item="prediction")
    assert read.rows_of("u") == (["a", "b"], None)


SEVERAL = {
    "names of lists": ('query_id,ranking\nq1,"x,a,b"\nq2,"c,y"\n', {}, ""),
    "blanks after commas": ('query_id,ranking\nq1,"x, a, b"\nq2,"c, y"\n', {}, ""),
    "bars": ("query_id,retrieved\nq1,x|a|b\nq2,c|y\n", {}, ""),
    "an own name": ("id,cluster\nq1,x_1 a_1 b_1\nq2,c_1 y_1\n", {"user": "id", "item": "cluster"}, "_1"),
    "a name of one item": ("user_id,item_id\nq1,x_1;a_1\nq2,c_1;y_1\n", {}, "_1"),
    "a gap": ("id,products\nq1,91 11 None\nq2,31 92\nq3,\n", {"user": "id", "item": "products"}, "1"),
}


@pytest.mark.parametrize("name", SEVERAL)
def test_a_field_may_have_several_ids(tmp_path: Path, name: str) -> None:
    """Where each user has one row, and its words are those of ids; it is said where no name of a list says it."""
    text, columns, ending = SEVERAL[name]
    (tmp_path / "run.csv").write_text(text)
    item = (lambda one: {"a": "11", "c": "31"}[one]) if name == "a gap" else (lambda one: f"{one}{ending}")
    run = rc.Run(str(tmp_path / "run.csv"), **columns)
    assert rc.evaluate({"q1": [item("a")], "q2": [item("c")]}, run, "mrr")["mrr"] == 0.75
    assert ("has several ids" in run.assumed) is bool(ending)
    if not columns:
        large = rc.evaluate(*write_labels(tmp_path, item), "mrr", memory="4GB")
        assert large["mrr"] == 0.75


@pytest.mark.parametrize("column", ["items", "item", "held_out"])
def test_a_list_in_brackets_may_have_one_item(tmp_path: Path, column: str) -> None:
    """As pandas writes the lists of users with one held-out item each."""
    (tmp_path / "labels.csv").write_text(f"user,{column}\nq1,['a']\nq2,['c']\n")
    (tmp_path / "run.csv").write_text("user,items\nq1,\"['x', 'a']\"\nq2,['c']\n")
    columns = {"item": column} if column == "held_out" else {}
    assert rc.evaluate(rc.Labels(tmp_path / "labels.csv", **columns), tmp_path / "run.csv", "mrr")["mrr"] == 0.75


def write_labels(folder: Path, item: Callable[[str], str]) -> tuple[str, str]:
    (folder / "labels.csv").write_text(f"user,item\nq1,{item('a')}\nq2,{item('c')}\n")
    return str(folder / "labels.csv"), str(folder / "run.csv")


@pytest.mark.parametrize(
    "text",
    [
        "user,item\nu,Toy Story\nv,The Lion King\n",
        "user,item\nu,2 Fast 2 Furious\nv,Rocky 2\n",
        "user,item,score\nu,1 2,3\nv,2 3,1\n",
        "user,item\nu,1 2\nu,2 3\nv,1 2\n",
    ],
    ids=["titles", "titles with numbers", "scores", "several rows of a user"],
)
def test_a_field_with_blanks_may_be_one_item(tmp_path: Path, text: str) -> None:
    (tmp_path / "run.csv").write_text(text)
    assert all(" " in item for item in rc.Run(str(tmp_path / "run.csv")).items.values)
