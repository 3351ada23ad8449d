"""Records of JSON: lists of ids of a query, and files of search engines."""

import json
from typing import Any

from tests.advice.case import Case, Follow

_LABELS: dict[str, str | bytes] = {"labels.json": '{"u": {"b": 1}}'}
_AS = "ev('labels.json', 'run.jsonl')"
_EVALUATE = "rankconv evaluate labels.json run.jsonl -m mrr"
_GOOD = {"qid": "u", "retrieved_ids": ["a", "b"]}


def _lines(*records: Any) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def _run(*records: Any) -> dict[str, str | bytes]:
    return _LABELS | {"run.jsonl": _lines(*records)}


_V = {"qid": "v", "retrieved_ids": ["c"]}
_REQUEST = {
    "requests": [
        {
            "id": "u",
            "request": {},
            "ratings": [{"_index": "i", "_id": "b", "rating": 1}, {"_index": "i", "_id": "a", "rating": 0}],
        }
    ],
    "metric": {},
}


def _hit(item: str, rating: int | None) -> dict[str, Any]:
    return {"hit": {"_index": "i", "_id": item, "_score": 1.0}, "rating": rating}


def _response(**more: Any) -> dict[str, Any]:
    detail = {"metric_score": 0.5, "unrated_docs": [], "hits": [_hit("a", 0), _hit("b", 1)]}
    return {"metric_score": 0.5, "details": {"u": detail}, "failures": {}} | more


def _json(**files: Any) -> dict[str, str | bytes]:
    return {f"{name}.json": json.dumps(one) for name, one in files.items()}


_SEARCH = {"hits": {"hits": [{"_id": "a", "_score": 2}, {"_id": "b", "_score": 1}]}}
_ENGINE = "ev('request.json', 'response.json')"
_JUDGED = {"query": "u", "ratings": [{"docId": "b", "rating": "1"}, {"docId": "a", "rating": "0"}]}

CASES = (
    # the lists of a record
    Case(
        _AS,
        (Follow("Give every record the same keys", "", 0.5, files=_run(_GOOD, _V)),),
        files=_run(_GOOD, {"qid": "v"}),
    ),
    Case(
        _AS,
        (Follow("Give every record the same keys", "", 0.5, files=_run(_GOOD, _V)),),
        files=_run(_GOOD, {"retrieved_ids": ["c"]}),
    ),
    Case(
        _AS,
        (
            Follow("score='none'", "ev('labels.json', rc.Run('run.jsonl', §))", 0.5),
            Follow("score='results.score'", "ev('labels.json', rc.Run('run.jsonl', §))", 1.0),
        ),
        files=_run({"qid": "u", "results": [{"id": "a", "score": 1}, {"id": "b", "score": 2}]}),
    ),
    Case(
        _EVALUATE,
        (
            Follow("--column run.score=none", f"{_EVALUATE} §", 0.5),
            Follow("--column run.score=results.score", f"{_EVALUATE} §", 1.0),
        ),
        files=_run({"qid": "u", "results": [{"id": "a", "score": 1}, {"id": "b", "score": 2}]}),
    ),
    Case(
        _AS,
        (Follow("Write all records in one form", "", 0.5, files=_run(_GOOD, _V)),),
        files=_run(_GOOD, {"qid": "v", "retrieved_ids": {"c": 1}}),
    ),
    Case(
        _AS,
        (Follow("Write all entries in one form", "", 0.5, files=_run({"qid": "u", "results": [["a", 2], ["b", 1]]})),),
        files=_run({"qid": "u", "results": [["a", 2], "b"]}),
    ),
    Case(
        _AS,
        (Follow("Give every entry one", "", 0.5, files=_run({"qid": "u", "results": [{"id": "a"}, {"id": "b"}]})),),
        files=_run({"qid": "u", "results": [{"id": "a"}, {"text": "b"}]}),
    ),
    Case(
        _AS,
        (
            Follow("Keep one of its records", "", 0.5, files=_run(_GOOD)),
            Follow("put all of it into one", "", 0.5, files=_run({"qid": "u", "retrieved_ids": ["a", "b", "c"]})),
        ),
        files=_run(_GOOD, {"qid": "u", "retrieved_ids": ["c"]}),
    ),
    Case(
        "ev('labels.json', rc.Run('run.jsonl', user='who'))",
        (
            Follow("The keys are: qid, retrieved_ids", "ev('labels.json', 'run.jsonl')", 0.5),
            Follow("user='KEY'", "ev('labels.json', rc.Run('run.jsonl', §))", 0.5, fill={"KEY": "qid"}),
        ),
        files=_run(_GOOD),
    ),
    Case(
        f"{_EVALUATE} --column run.user=who",
        (Follow("--column run.user=KEY", f"{_EVALUATE} §", 0.5, fill={"KEY": "qid"}),),
        files=_run(_GOOD),
    ),
    Case(
        _AS,
        (
            Follow(
                "Write a list of ids for each search",
                "ev('labels.json', 'run.jsonl', 'mrr(calls=one-after-the-other)')",
                0.5,
                files=_run({"qid": "u", "retrieved_ids": [["a"], ["b"]]}),
            ),
        ),
        files=_run({"qid": "u", "retrieved_ids": [["a"], "b"]}),
    ),
    Case(
        "ev('labels.jsonl', {'u': ['5', '7']})",
        (
            Follow(
                "Write ids as texts", "", 0.5, files={"labels.jsonl": _lines({"qid": "u", "gold_ids": [["7", "8"]]})}
            ),
            Follow(
                "objects {id, grade}",
                "",
                0.5,
                files={"labels.jsonl": _lines({"qid": "u", "gold_ids": [{"id": "7", "grade": 1}]})},
            ),
        ),
        files={"labels.jsonl": _lines({"qid": "u", "gold_ids": [[7, 1], [8, 2]]})},
    ),
    Case(
        _AS,
        (Follow("item='results.what'", "ev('labels.json', rc.Run('run.jsonl', §))", 0.5),),
        files=_run({"qid": "u", "results": [{"what": "a"}, {"what": "b"}]}),
    ),
    Case(
        _EVALUATE,
        (Follow("--column run.item=results.what", f"{_EVALUATE} §", 0.5),),
        files=_run({"qid": "u", "results": [{"what": "a"}, {"what": "b"}]}),
    ),
    Case(
        "ev('labels.json', rc.Run('run.jsonl', score='points'))",
        (
            Follow("It has: id, sim", "ev('labels.json', rc.Run('run.jsonl', score='results.sim'))", 0.5),
            Follow("score='results.KEY'", "ev('labels.json', rc.Run('run.jsonl', §))", 0.5, fill={"KEY": "sim"}),
        ),
        files=_run({"qid": "u", "results": [{"id": "a", "sim": 2}, {"id": "b", "sim": 1}]}),
    ),
    Case(
        f"{_EVALUATE} --column score=points",
        (Follow("--column score=results.KEY", f"{_EVALUATE} §", 0.5, fill={"KEY": "sim"}),),
        files=_run({"qid": "u", "results": [{"id": "a", "sim": 2}, {"id": "b", "sim": 1}]}),
    ),
    Case(
        _AS,
        (
            Follow("item='retrieved_ids'", "ev('labels.json', rc.Run('run.jsonl', §))", 0.5),
            Follow("item='result_ids'", "ev('labels.json', rc.Run('run.jsonl', §))", 1.0),
        ),
        files=_run({"qid": "u", "retrieved_ids": ["a", "b"], "result_ids": ["b", "a"]}),
    ),
    Case(
        _EVALUATE,
        (
            Follow("--column run.item=retrieved_ids", f"{_EVALUATE} §", 0.5),
            Follow("--column run.item=result_ids", f"{_EVALUATE} §", 1.0),
        ),
        files=_run({"qid": "u", "retrieved_ids": ["a", "b"], "result_ids": ["b", "a"]}),
    ),
    # a run under the key `actual`
    Case(
        _AS,
        (
            Follow("exchanged?", "ev('run.jsonl', {'u': ['c', 'a']})", 0.5),
            Follow("item='actual'", "ev('labels.json', rc.Run('run.jsonl', §))", 0.5),
        ),
        files=_run({"qid": "u", "actual": ["a", "b"]}),
    ),
    Case(
        _EVALUATE,
        (
            Follow("exchanged?", "rankconv evaluate run.jsonl labels.json -m mrr", 1.0),
            Follow("--column run.item=actual", f"{_EVALUATE} §", 0.5),
        ),
        files=_run({"qid": "u", "actual": ["a", "b"]}),
    ),
    # several places of records
    Case(
        "ev('labels.json', 'run.json')",
        (
            Follow("Repeat the searches", "ev([['b']], 'run.json')", 0.5, files=_json(run={"responses": [_SEARCH]})),
            Follow(
                "leave this query out of both files",
                "ev([['b']], 'run.json')",
                0.5,
                files=_json(run={"responses": [_SEARCH]}),
            ),
        ),
        files=_LABELS | _json(run={"responses": [_SEARCH, {"error": {"type": "x"}}]}),
    ),
    Case(
        "ev('labels.json', 'run.json')",
        (Follow("Write those that are wanted into a file of their own", "", 0.5, files=_json(run={"test": [_GOOD]})),),
        files=_LABELS | _json(run={"test": [_GOOD], "dev": [_V]}),
    ),
    Case(
        "ev('labels.json', 'run.json')",
        (Follow("Write one of them into its own file", "", 0.5, files=_json(run={"results": {"u": ["a", "b"]}})),),
        files=_LABELS | _json(run={"results": {"u": ["a", "b"]}, "retrieved": {"u": ["b", "a"]}}),
    ),
    # search engines
    Case(
        "ev('request.json', 'request.json')",
        (Follow("Pass the response to it", _ENGINE, 0.5),),
        files=_json(request=_REQUEST, response=_response()),
    ),
    Case(
        "ev('response.json', 'response.json')",
        (Follow("Pass the request", _ENGINE, 0.5),),
        files=_json(request=_REQUEST, response=_response()),
    ),
    Case(
        "ev('judged.json', {'u': ['a', 'b']})",
        (Follow("Keep one of them", "", 0.5, files=_json(judged={"judgmentRatings": [_JUDGED]})),),
        files=_json(judged={"judgmentRatings": [_JUDGED, _JUDGED]}),
    ),
    Case(
        "ev('judged.json', {'u': ['a', 'b']})",
        (Follow("Fetch one of them by its id", "", 0.5, files=_json(judged={"judgmentRatings": [_JUDGED]})),),
        files=_json(
            judged={"hits": {"hits": [{"_source": {"name": name, "judgmentRatings": [_JUDGED]}} for name in "xy"]}}
        ),
    ),
    Case(
        "ev('judged.json', {'u': ['a', 'b']})",
        (Follow("It must be a list", "", 0.5, files=_json(judged={"judgmentRatings": [_JUDGED]})),),
        files=_json(judged={"judgmentRatings": [{"query": "u", "ratings": 5}]}),
    ),
    Case(
        _ENGINE,
        (
            Follow("Repeat the request", "", 0.5, files=_json(response=_response())),
            Follow("take the query out of both files", "", 0.5, files=_json(response=_response())),
        ),
        files=_json(request=_REQUEST, response=_response(failures={"v": {"error": {}}})),
    ),
    Case(
        _ENGINE,
        (Follow("Save the whole response anew", "", 0.5, files=_json(response=_response())),),
        files=_json(
            request=_REQUEST,
            response=_response(details={"u": {"unrated_docs": [], "hits": [_hit("a", None), _hit("b", 1)]}}),
        ),
    ),
)
