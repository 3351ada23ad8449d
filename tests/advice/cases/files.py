"""Files: paths, packed files, encodings, JSON, and what a budget of memory needs of them."""

import gzip
import re

from tests.advice.case import Case, Follow

_RUN = "user,item,score\nu,a,2\nu,b,1\n"
_FILES: dict[str, str | bytes] = {"labels.csv": "user,item\nu,b\n", "run.csv": _RUN}
_EV = "ev('labels.csv', 'run.csv')"
_EVALUATE = "rankconv evaluate labels.csv run.csv -m mrr"
_SVM = "0 qid:1 1:0.5\n1 qid:1 1:0.7\n"


def _with(**files: str | bytes) -> dict[str, str | bytes]:
    return _FILES | {name.replace("_", "."): text for name, text in files.items()}


CASES = (
    # paths
    Case(
        "ev('labels.csv', 'https://example.org/run.csv')",
        (Follow("Fetch the file first, and pass its path", _EV, 0.5),),
        files=_FILES,
    ),
    Case(
        "ev('labels.csv', 'runs')",
        (
            Follow("Pass the path of one file in it", "ev('labels.csv', 'runs/bm25.csv')", 0.5),
            Follow(
                "rc.Runs(folder)",
                "rc.compare('labels.csv', §, 'mrr', ['rankconv'])['mrr', 'rankconv', 'bm25']",
                0.5,
                fill={"folder": "'runs'"},
            ),
        ),
        files=_FILES | {"runs/bm25.csv": _RUN},
    ),
    Case(
        "rankconv evaluate qrels run.csv -m mrr",
        (Follow("Pass the path of one file in it", "rankconv evaluate qrels/test.csv run.csv -m mrr", 0.5),),
        files=_FILES | {"qrels/test.csv": "user,item\nu,b\n"},
    ),
    Case(
        "ev('labels.csv', '/dev/null')",
        (Follow("Save the data to a file first", _EV, 0.5),),
        files=_FILES,
    ),
    Case("ev('labels.csv', 'rum.csv')", (Follow("run.csv", "ev('labels.csv', '§')", 0.5),), files=_FILES),
    Case(
        "rc.Runs('run.csv')",
        (
            Follow("rc.Run(path)", "ev('labels.csv', §)", 0.5, fill={"path": "'run.csv'"}),
            Follow(
                "rc.Runs(bm25=path)",
                "rc.compare('labels.csv', §, 'mrr', ['rankconv'])['mrr', 'rankconv', 'bm25']",
                0.5,
                fill={"path": "'run.csv'"},
            ),
        ),
        files=_FILES,
    ),
    # packed files
    Case(
        "ev('labels.csv', 'run.csv')",
        (
            Follow("Unpack it first", "", 0.5, files=_FILES),
            Follow(
                ".gz is unpacked here",
                "ev('labels.csv', 'run.csv.gz')",
                0.5,
                files={"run.csv.gz": gzip.compress(_RUN.encode())},
            ),
        ),
        files=_with(run_csv=b"BZh91AY&SY" + b"x" * 20),
    ),
    Case(
        "ev('labels.csv', 'run.csv.gz')",
        (Follow("Fetch or pack it again", "", 0.5, files={"run.csv.gz": gzip.compress(_RUN.encode())}),),
        files=_FILES | {"run.csv.gz": gzip.compress(_RUN.encode())[:-9]},
    ),
    # text
    Case(
        _EV,
        (
            Follow("Save the file as UTF-8 text", "", 0.5, files=_FILES),
            Follow(
                "iconv -f LATIN1 -t UTF-8 OLD > NEW",
                "(__import__('subprocess').run('§', shell=True, check=True), ev('labels.csv', 'run2.csv'))[1]",
                0.5,
                fill={"OLD": "run.csv", "NEW": "run2.csv"},
            ),
        ),
        files=_with(run_csv="user,item,score\nu,é,2\nu,b,1\n".encode("latin-1")),
    ),
    Case(
        _EV,
        (
            Follow(
                "iconv -f UTF-16 -t UTF-8 OLD > NEW",
                "(__import__('subprocess').run('§', shell=True, check=True), ev('labels.csv', 'run2.csv'))[1]",
                0.5,
                fill={"OLD": "run.csv", "NEW": "run2.csv"},
            ),
        ),
        files=_with(run_csv=_RUN.encode("utf-16")),
    ),
    # kinds
    Case(
        "ev('labels.csv', 'run.txt')",
        (
            Follow("rc.grouped(y, scores, query_id=qid)", "ev(§)", 1.0),
            Follow(
                "_, y, qid = load_svmlight_file(path, query_id=True)", "ev(rc.grouped(y, scores, query_id=qid))", 1.0
            ),
        ),
        given="y, qid, scores = [0, 1], [1, 1], [0.5, 0.7]",
        files=_FILES | {"run.txt": _SVM},
    ),
    Case(
        "rankconv evaluate labels.csv run.txt -m mrr",
        (Follow("query, item, score", _EVALUATE, 0.5, files=_with(run_csv="query,item,score\nu,a,2\nu,b,1\n")),),
        files=_FILES | {"run.txt": _SVM},
    ),
    Case(
        "ev('labels.csv', 'run.txt')",
        (Follow("CSV and TSV files (.csv, .tsv", _EV, 0.5),),
        files=_FILES | {"run.txt": "what\n"},
    ),
    # JSON
    Case(
        "ev('labels.csv', 'run.json')",
        (
            Follow(
                "Write one object for each row",
                "",
                0.5,
                files={"run.json": '[{"user": "u", "item": "a", "score": 2}, {"user": "u", "item": "b", "score": 1}]'},
            ),
        ),
        files=_FILES | {"run.json": '[{"user": "u", "item": "a", "score": 2}, 5]'},
    ),
    Case(
        "ev('labels.csv', 'run.json')",
        (
            Follow(
                "Name it .jsonl if each line is an object",
                "ev('labels.csv', 'run.jsonl')",
                0.5,
                files={"run.jsonl": '{"user": "u", "item": "a", "score": 2}\n{"user": "u", "item": "b", "score": 1}\n'},
            ),
        ),
        files=_FILES | {"run.json": '{"a": {"b": 1}} {"user": "u", "item": "b", "score": 1}'},
    ),
    Case(
        "ev('labels.csv', 'run.json')",
        (Follow("Write it anew", "", 0.5, files={"run.json": '{"u": ["a", "b"]}'}),),
        files=_FILES | {"run.json": '{"u": ["a", "b"}'},
    ),
    Case(
        "ev('labels.csv', 'run.json')",
        (Follow("Put all that belongs to it in one place", "", 0.5, files={"run.json": '{"u": ["a", "b"]}'}),),
        files=_FILES | {"run.json": '{"u": ["a"], "u": ["b"]}'},
    ),
    Case(
        "ev('labels.csv', 'run.jsonl')",
        (
            Follow(
                "Write one whole object in each line",
                "",
                0.5,
                files={"run.jsonl": '{"user": "u", "item": "a", "score": 2}\n{"user": "u", "item": "b", "score": 1}\n'},
            ),
        ),
        files=_FILES | {"run.jsonl": '{"user": "u", "item": "a", "score": 2}\n{"user": "u",\n'},
    ),
    Case(
        "ev('labels.csv', 'run.jsonl')",
        (
            Follow(
                "Write one whole object in each line",
                "",
                0.5,
                files={"run.jsonl": '{"user": "u", "item": "a", "score": 2}\n{"user": "u", "item": "b", "score": 1}\n'},
            ),
        ),
        files=_FILES | {"run.jsonl": '{"user": "u", "item": "a", "score": 2}\n["u", "b"]\n'},
    ),
    Case(
        "ev('labels.csv', 'run.jsonl')",
        (
            Follow(
                "Give every record the same columns",
                "",
                0.5,
                files={"run.jsonl": '{"user": "u", "item": "a", "score": 2}\n{"user": "u", "item": "b", "score": 1}\n'},
            ),
        ),
        files=_FILES | {"run.jsonl": '{"user": "u", "item": "a", "score": 2}\n{"user": "u", "item": "b"}\n'},
    ),
    Case(
        "ev('labels.csv', 'run.jsonl')",
        (
            Follow(
                "Give each item one entry in every list",
                "",
                0.5,
                files={"run.jsonl": '{"user": "u", "item": ["a", "b"], "score": [2, 1]}\n'},
            ),
        ),
        files=_FILES | {"run.jsonl": '{"user": "u", "item": ["a", "b"], "score": [2]}\n'},
    ),
    Case(
        "ev('labels.csv', 'run.jsonl')",
        (
            Follow(
                "Write all records in one form",
                "",
                0.5,
                files={"run.jsonl": '{"user": "u", "item": "a", "score": 2}\n{"user": "u", "item": "b", "score": 1}\n'},
            ),
        ),
        files=_FILES
        | {"run.jsonl": '{"user": "u", "item": "a", "score": 2}\n{"user": "u", "item": ["b"], "score": 1}\n'},
    ),
    # budgets of memory
    Case(
        "ev('labels.csv', 'run.json', memory='4GB')",
        (
            Follow("Leave memory= out", "ev('labels.csv', 'run.json')", 0.5),
            Follow("write the data as Parquet, CSV or JSON lines", "ev('labels.csv', 'run.csv', memory='4GB')", 0.5),
        ),
        files=_FILES | {"run.json": '{"u": ["a", "b"]}'},
    ),
    Case(
        "rankconv evaluate labels.csv run.json -m mrr --memory 4GB",
        (
            Follow("Leave --memory out", "rankconv evaluate labels.csv run.json -m mrr", 0.5),
            Follow("write the data as Parquet, CSV or JSON lines", f"{_EVALUATE} --memory 4GB", 0.5),
        ),
        files=_FILES | {"run.json": '{"u": ["a", "b"]}'},
    ),
    Case(
        "ev('labels.csv', 'run.csv', memory='1MB')",
        (Follow(re.compile(r"memory='\d+MB'"), "ev('labels.csv', 'run.csv', §)", 0.5),),
        files=_FILES,
    ),
    Case(
        f"{_EVALUATE} --memory 1MB",
        (Follow(re.compile(r"--memory \d+MB"), f"{_EVALUATE} §", 0.5),),
        files=_FILES,
    ),
    Case(
        "ev('labels.csv', 'run.csv', memory='lots')",
        (Follow("2GB", "ev('labels.csv', 'run.csv', memory='§')", 0.5),),
        files=_FILES,
    ),
    Case(
        "ev('labels.csv', 'run.csv', temp_dir='.')",
        (
            Follow("Leave it out", _EV, 0.5),
            Follow("memory='2GB'", "ev('labels.csv', 'run.csv', temp_dir='.', §)", 0.5),
        ),
        files=_FILES,
    ),
    Case(
        f"{_EVALUATE} --temp-dir .",
        (Follow("Leave it out", _EVALUATE, 0.5), Follow("--memory 2GB", f"{_EVALUATE} --temp-dir . §", 0.5)),
        files=_FILES,
    ),
)
