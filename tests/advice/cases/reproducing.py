"""Files of published numbers, and the checks of presets."""

import hashlib
import re

from tests.advice.case import Case, Follow

_FILE = """name: own
title: My numbers
preset: rankconv
inputs:
  one:
    labels: {u: [a]}
    rankings: {u: [b, a]}
tables:
- where: Table 1
  numbers:
  - {metric: mrr@2, printed: '0.5'}
"""
_INPUTS = "    labels: {u: [a]}\n    rankings: {u: [b, a]}\n"
_NUMBER = "{metric: mrr@2, printed: '0.5'}"
_TREC = "    qrels: labels.txt\n    run: run.txt\n"
_LABELS, _RUN = "u 0 a 1\n", "u Q0 b 1 2 x\nu Q0 a 2 1 x\n"
_TWO = {"labels.txt": _LABELS, "run.txt": _RUN}
_DATA = (
    "data:\n- repository: https://github.com/owner/name\n  revision: abcdef0\n  files:\n"
    f"    labels.txt: {{sha256: {hashlib.sha256(_LABELS.encode()).hexdigest()}}}\n"
    f"    run.txt: {{sha256: {hashlib.sha256(_RUN.encode()).hexdigest()}}}\n"
)
_FETCHED = _FILE.replace(_INPUTS, _TREC).replace("tables:", f"{_DATA}tables:")
"""A source whose user fetches its files."""
_OURS = "ours()"
_GIVEN = """
import shlex
from rankconv.analysis.reproduce.reproduction import read_printed
from rankconv.analysis.reproduce.sources import source

def ours(data=None):
    '''What the first number is by its definition.'''
    return rc.reproduce('own.yaml', data=data).rows[0].ours

def fetch(command):
    '''What the command does where there is a network.'''
    curl, *options, address = shlex.split(command)
    assert curl == 'curl' and options[:3] == ['-fsSL', '--create-dirs', '-o'] and '/owner/name/abcdef0/' in address
    target = Path(options[3])
    target.parent.mkdir(exist_ok=True)
    target.write_text(HELD[address.rpartition('/')[2]])

def checked(metric):
    '''The number of a check of a preset, or the error that stands in its place.'''
    one = {'metric': metric, 'labels': {'u': ['a']}, 'rankings': {'u': ['b', 'a']}, 'value': '0.5'}
    Path('mine.yaml').write_text(f'name: mine\\ntitle: Mine\\nextends: rankconv\\nchecks: [{one}]\\n')
    found = rc.check_preset('mine.yaml').checks[-1]
    if found.why:
        wrong, do = found.why.split('. ')
        raise rc.MetricError(wrong, do=do)
    return found.found
""".replace("HELD", repr(_TWO))


def _with(text: str) -> str:
    return _FILE.replace(_INPUTS, text)


def _printed(text: str) -> str:
    return _FILE.replace(_NUMBER, f"{{metric: mrr@2, {text}}}")


def _case(file: str, *follows: Follow, cause: str = _OURS, **others: str | bytes) -> Case:
    return Case(cause, follows, given=_GIVEN, files={"own.yaml": file, **others})


def _after(says: str, file: str, outcome: float = 0.5, done: str = _OURS, **files: str) -> Follow:
    """What the file gives that was mended so."""
    return Follow(says, done, outcome, files={"own.yaml": file, **files})


_NUMBERS = (
    _after("0.94", _printed("printed: '0.94'"), 0.94, "read_printed('§').value"),
    _after("1/3", _printed("printed: '1/2'"), 1.0, "float(rc.reproduce('own.yaml').ok)"),
    _after("83.3%", _printed("printed: '50.0%'"), 1.0, "float(rc.reproduce('own.yaml').ok)"),
    _after("0.33…", _printed("printed: '0.5…'"), 1.0, "float(rc.reproduce('own.yaml').ok)"),
    _after("a sum", _printed("printed: '1/4 + 1/4'"), 1.0, "float(rc.reproduce('own.yaml').ok)"),
    _after("NaN", _FILE, 1.0, "float(read_printed('§').value is None)"),
    _after("error", _FILE, 1.0, "float(read_printed('§').refused)"),
)
_FORMS = (
    _after("labels", _FILE),
    _after("by-rank", _with("    by-rank: {u: NR}\n")),
    _after("rows", _with("    rows: {u: {grades: [0, 1], scores: [2, 1]}}\n")),
    Follow("qrels", _OURS, 0.5, files={"own.yaml": _with(_TREC), **_TWO}),
)
CASES = (
    # sources
    _case(
        _FILE,
        Follow("a name", "float(rc.reproduce('bellei2017').ok)", 1.0),
        Follow("a path", "rc.reproduce(Path('own.yaml')).rows[0].ours", 0.5),
        Follow("reproduce('a', 'b')", "float(len(rc.§.titles))", 2.0, {"'a'": "'bellei2017'", "'b'": "'own.yaml'"}),
        cause="rc.reproduce(['bellei2017', 'own.yaml'])",
    ),
    _case(
        _FETCHED,
        Follow("Pass its path", "ours('folder')", 0.5, files={f"folder/{name}": text for name, text in _TWO.items()}),
        cause="ours(5)",
    ),
    # printed numbers
    *(_case(_printed(f"printed: '{text}'"), *_NUMBERS) for text in ("abc", "5…", "1e999")),
    _case(_printed("printed: '0,5'"), _after("Write 0.5", _printed("printed: '0.5'"))),
    _case(
        _printed("printed: '0,5%'"),
        _after("0.5%", _printed("printed: '0.5%'"), 0.005, "read_printed('§').value"),
    ),
    _case(_printed("printed: '50,0%'"), _after("50.0%", _printed("printed: '50.0%'"), 0.5, "read_printed('§').value")),
    _case(
        _printed("printed: '0.6', gives: 'half', unexplained: nobody knows"),
        _after("1/3", _printed("printed: '0.6', gives: '1/2', unexplained: nobody knows")),
    ),
    _case(
        _printed("printed: '0.6', gives: '0.5'"),
        _after("'contradicts:'", _printed("printed: '0.6', gives: '0.5', contradicts: its Table 2")),
        _after("'unexplained:'", _printed("printed: '0.6', gives: '0.5', unexplained: nobody knows")),
    ),
    _case(
        _printed("printed: '0.6', unexplained: nobody knows"),
        _after(
            "Say what the definition gives",
            _printed("printed: '0.6', gives: '0.5', unexplained: nobody knows"),
            1.0,
            "float(rc.reproduce('own.yaml').ok)",
        ),
    ),
    _case(
        _FILE.replace("preset: rankconv\n", ""),
        _after("to the number", _FILE.replace("preset: rankconv\n", "").replace("mrr@2,", "mrr@2, preset: rankconv,")),
        _after(
            "table",
            _FILE.replace("preset: rankconv\n", "").replace("  numbers", "  preset: rankconv\n  numbers"),
        ),
        _after("file", _FILE),
    ),
    # inputs
    _case(_with("    labels: {u: [a]}\n    by-rank: {u: NR}\n"), *_FORMS),
    _case(_with("    rankings: {u: [b, a]}\n"), *_FORMS),
    _case(_with("    by-rank: {u: nr}\n"), _after("Write R and N", _with("    by-rank: {u: NR}\n"))),
    _case(
        _with("    by-rank: {u: 'N*'}\n"),
        _after("N*20", _with("    by-rank: {u: N*20R}\n").replace("mrr@2", "mrr@30"), 1 / 21),
    ),
    Case(
        _OURS,
        (Follow("Put them into a TREC file next to this one", _OURS, 0.5, files={"own.yaml": _with(_TREC), **_TWO}),),
        given=_GIVEN,
        patched={"rankconv.analysis.reproduce.source_inputs.MOST_ITEMS": 1},
        files={"own.yaml": _FILE},
    ),
    _case(
        _with("    rows: {u: {grades: [0, 1], scores: [2]}}\n"),
        _after("Give each item both", _with("    rows: {u: {grades: [0, 1], scores: [2, 1]}}\n")),
    ),
    Case(
        _OURS,
        (
            _after("labels: {user: {item: grade}}", _with("    labels: {u: {a: 1}}\n    rankings: {u: [b, a]}\n")),
            _after("rankings: {user: [items]}", _FILE),
        ),
        given=_GIVEN,
        files={"own.yaml": _with(_TREC), "labels.txt": "u a\n", "run.txt": _RUN},
    ),
    Case(
        _OURS,
        (Follow("Name its file under 'run:'", _OURS, 0.5, files={"own.yaml": _with(_TREC)}),),
        given=_GIVEN,
        files={"own.yaml": _with("    qrels: labels.txt\n"), **_TWO},
    ),
    Case(
        _OURS,
        (Follow("Only files next to this one are read", _OURS, 0.5, files={"own.yaml": _with(_TREC), **_TWO}),),
        given=_GIVEN,
        files={"own.yaml": _with("    qrels: ../labels.txt\n    run: run.txt\n")},
    ),
    # files of the data
    _case(  # which rc.reproduce does not compute without
        _FETCHED,
        Follow(re.compile("curl .*"), "[fetch('§'), fetch('§'.replace('labels', 'run')), ours('FOLDER')][-1]", 0.5),
        cause="source('own.yaml').joined('one')",
    ),
    Case(
        "ours('folder')",
        (
            Follow(
                re.compile("Remove it, and fetch it again: curl .*"),
                "[Path('folder/labels.txt').unlink(), fetch('§'.partition(': ')[2]), ours('folder')][-1]",
                0.5,
            ),
        ),
        given=_GIVEN,
        files={"own.yaml": _FETCHED, "folder/labels.txt": "u 0 b 1\n", "folder/run.txt": _RUN},
    ),
    Case(
        "ours('folder')",
        (
            _after("run.txt", _FETCHED, done="ours('folder')"),
            _after(
                "Name it there, under 'files:'",
                _FETCHED.replace("run: run.txt", "run: runs.txt").replace("    run.txt: {", "    runs.txt: {"),
                done="ours('folder')",
            ),
        ),
        given=_GIVEN,
        files={
            "own.yaml": _FETCHED.replace("run: run.txt", "run: runs.txt"),
            **{f"folder/{name}": text for name, text in _TWO.items()},
            "folder/runs.txt": _RUN,
        },
    ),
    # checks of presets
    _case(_FILE, Follow("Give one cutoff", "checked('mrr@2')", 0.5), cause="checked('mrr@1,2')"),
)
