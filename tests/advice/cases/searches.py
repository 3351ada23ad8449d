"""Several searches for one task: lists of lists, records and fields of TREC runs."""

import json
from typing import Any

from tests.advice.case import Case, Follow

_LABELS: dict[str, str | bytes] = {"labels.json": '{"u": {"b": 1}}'}
_LAST = "ev('labels.json', 'run.jsonl', 'mrr(calls=last)')"
_EVALUATE = "rankconv evaluate labels.json run.jsonl -m 'mrr(calls=last)'"
_TREC: dict[str, str | bytes] = _LABELS | {"run.trec": "u Q0 a 1 2 1\nu Q0 a 1 2 2\nu Q0 b 2 1 2\n"}
_OF_TREC = "ev('labels.json', rc.Run('run.trec', §), 'mrr(calls=last)')"
_IN_BATCHES = "rc.evaluate('labels.csv', 'run.csv', 'mrr', memory='4GB')['mrr']"
_BATCHES: dict[str, str | bytes] = {"labels.csv": "user,item\nu,b\n", "run.csv": "user,item,call\nu,a,1\nu,b,2\n"}
_ONE_LIST: dict[str, str | bytes] = {"run.csv": "user,item\nu,a\nu,b\n"}


def _run(*records: Any) -> dict[str, str | bytes]:
    return _LABELS | {"run.jsonl": "".join(json.dumps(record) + "\n" for record in records)}


_T = {"task": "t", "calls": [["a"]]}
_PAIRS: dict[str, str | bytes] = {"run.jsonl": json.dumps({"task": "u", "calls": [[3, 2.0], [4, 1.0]]}) + "\n"}
_GOOD = _run(_T, {"task": "u", "calls": [["a"], ["a", "b"]]})

CASES = (
    Case(
        "ev({'u': ['b']}, {'t': [['a'], ['b', 'c', 'd']], 'u': ['b']}, 'mrr(calls=last)')",
        (
            Follow(
                "Give each user a list for each search",
                "ev({'u': ['b']}, {'t': [['a'], ['b', 'c', 'd']], 'u': [['b']]}, 'mrr(calls=last)')",
                1.0,
            ),
        ),
    ),
    Case(
        _LAST,
        (Follow("Write all records in one form", "", 0.5, files=_GOOD),),
        files=_run(_T, {"task": "u", "calls": {"a": 2, "b": 1}}),
    ),
    Case(
        _LAST,
        (Follow("Write a list of ids for each search", "", 0.5, files=_GOOD),),
        files=_run(_T, {"task": "u", "calls": [["a"], "b"]}),
    ),
    Case(
        "ev('labels.json', 'run.jsonl')",
        (
            Follow("Write scores as fractions (2.0)", "", 0.5, files=_PAIRS),
            Follow(
                "ids of items as texts",
                "ev({'u': ['4']}, 'run.jsonl', 'mrr(calls=last)')",
                0.5,
                files=_run({"task": "u", "calls": [["3", "2"], ["1", "4"]]}),
            ),
            Follow(
                "In a list of pairs a ranking has one item at each rank",
                "",
                0.5,
                files=_PAIRS,
            ),
        ),
        files={"labels.json": '{"u": [4]}'}
        | {"run.jsonl": json.dumps({"task": "u", "calls": [[3, 2], [4, 1]]}) + "\n"},
    ),
    Case(
        "rc.Run('run.trec', call='turn')",
        (
            Follow("call='tag'", _OF_TREC, 0.5),
            Follow("Calls are in one of its fields: Q0, 2, tag, 6", _OF_TREC.replace("§", "call='6'"), 0.5),
        ),
        files=_TREC,
    ),
    Case(
        "rankconv evaluate labels.json run.trec -m 'mrr(calls=last)' --column call=turn",
        (Follow("--column call=tag", "rankconv evaluate labels.json run.trec -m 'mrr(calls=last)' §", 0.5),),
        files=_TREC,
    ),
    Case(
        _IN_BATCHES,
        (
            Follow("Leave memory= out", "ev('labels.csv', 'run.csv', 'mrr(calls=last)')", 1.0),
            Follow("write one list for each user", "", 0.5, files=_ONE_LIST),
        ),
        files=_BATCHES,
    ),
    Case(
        "rankconv evaluate labels.csv run.csv -m mrr --memory 4GB",
        (
            Follow("Leave --memory out", "rankconv evaluate labels.csv run.csv -m 'mrr(calls=last)'", 1.0),
            Follow("write one list for each user", "", 0.5, files=_ONE_LIST),
        ),
        files=_BATCHES,
    ),
)
