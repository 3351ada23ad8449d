"""Spans of documents: columns of places, records that have them, and what settings compare."""

from tests.advice.case import Case, Follow

_HEAD = "query,document,start,end\n"
_LABELS: dict[str, str | bytes] = {"labels.csv": f"{_HEAD}q,d,0,10\n"}
_RECALL = "'recall(span-unit=span)'"
_EVALUATE = f"ev('labels.csv', 'run.csv', {_RECALL})"
_COMMAND = f"rankconv evaluate labels.csv run.csv -m {_RECALL}"
_GOOD = _LABELS | {"run.csv": f"{_HEAD}q,d,5,15\n"}
_WHOLE: dict[str, str | bytes] = {"labels.csv": "query,document\nq,d\n", "run.csv": "query,document\nq,e\nq,d\n"}
_RENAMED: dict[str, str | bytes] = {
    "run.csv": "query,document,name\nq,d,x\n",
    "labels.csv": "query,document\nq,d\n",
}


def _run(*lines: str, head: str = _HEAD) -> dict[str, str | bytes]:
    return _LABELS | {"run.csv": head + "".join(f"{line}\n" for line in lines)}


CASES = (
    Case(
        _EVALUATE,
        (
            Follow("Add a column 'end'", "", 1.0, files=_GOOD),
            Follow(
                "rename 'start' if these are no spans of documents",
                "ev('labels.csv', 'run.csv', 'mrr')",
                1.0,
                files=_RENAMED,
            ),
        ),
        files=_run("q,d,5", head="query,document,start\n"),
    ),
    Case(
        _EVALUATE,
        (Follow("Rename all but one", "", 1.0, files=_GOOD),),
        files=_run("q,d,5,6,15", head="query,document,start,start_char,end\n"),
    ),
    Case(
        _EVALUATE,
        (Follow("Write numbers of characters", "", 1.0, files=_GOOD),),
        files=_run("q,d,five,15"),
    ),
    Case(
        _EVALUATE,
        (Follow("Count characters from 0", "", 1.0, files=_GOOD),),
        files=_run("q,d,-5,15"),
    ),
    Case(
        _EVALUATE,
        (Follow("Exchange start and end if they are exchanged", "", 1.0, files=_GOOD),),
        files=_run("q,d,15,5"),
    ),
    Case(
        _EVALUATE,
        (
            Follow(
                "Give every span a character at least: end is the first place after it", "", 1.0, files=_run("q,d,5,6")
            ),
        ),
        files=_run("q,d,5,5"),
    ),
    Case(
        _EVALUATE,
        (Follow("Add a column 'document', also where all are of one document", "", 1.0, files=_GOOD),),
        files=_run("q,5,15", head="query,start,end\n"),
    ),
    Case(
        _EVALUATE,
        (
            Follow("Give both document, start and end", "", 1.0, files=_GOOD),
            Follow("leave start and end out of both", "ev('labels.csv', 'run.csv', 'mrr')", 0.5, files=_WHOLE),
        ),
        files=_run("q,d", head="query,document\n"),
    ),
    Case(
        f"rc.evaluate('labels.csv', 'run.csv', {_RECALL}, memory='4GB')[{_RECALL}]",
        (
            Follow("Leave memory= out", _EVALUATE, 1.0),
            Follow(
                "leave start and end out of both sides",
                "rc.evaluate('labels.csv', 'run.csv', 'mrr', memory='4GB')['mrr']",
                0.5,
                files=_WHOLE,
            ),
        ),
        files=_GOOD,
    ),
    Case(
        f"{_COMMAND} --memory 4GB",
        (
            Follow("Leave --memory out", _COMMAND, 1.0),
            Follow(
                "leave start and end out of both sides",
                "rankconv evaluate labels.csv run.csv -m mrr --memory 4GB",
                0.5,
                files=_WHOLE,
            ),
        ),
        files=_GOOD,
    ),
    Case(
        "ev('labels.csv', 'run.csv', 'recall@2')",
        (
            Follow("'recall(span-unit=span)@2'", "ev('labels.csv', 'run.csv', §)", 1.0),
            Follow(
                "'recall(span-unit=character, item-weight=length, recall-denominator=relevant-weights)@2'",
                "ev('labels.csv', 'run.csv', §)",
                0.5,
            ),
            Follow("rc.convention('span-unit')", "str(§)", "Used by: chunking_evaluation, legalbenchrag"),
        ),
        files=_GOOD,
    ),
    Case(
        "rankconv evaluate labels.csv run.csv -m recall@2",
        (
            Follow("-m 'recall(span-unit=span)@2'", "rankconv evaluate labels.csv run.csv §", 1.0),
            Follow(
                "-m 'recall(span-unit=character, item-weight=length, recall-denominator=relevant-weights)@2'",
                "rankconv evaluate labels.csv run.csv §",
                0.5,
            ),
        ),
        files=_GOOD,
    ),
)
