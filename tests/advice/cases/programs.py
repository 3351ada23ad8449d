"""Advice of programs and libraries that are compared with definitions, and of the playground."""

import sys
from typing import Any

from rankconv.presets.folders import packed_folder
from tests.advice.case import Case, Follow

_VECTORS = packed_folder("vectors")

_HARNESS = """
import json, sys

def reply(vector):
    if vector['id'] != 'mrr@3/binary':
        return {'unsupported': 'all but one'}
    relevant = {(user, item) for user, item, grade in vector['labels'] if float(grade) > 0}
    users = {}
    for user, item, _ in sorted(vector['run'], key=lambda row: -float(row[2])):
        users.setdefault(user, []).append((user, item) in relevant)
    ranks = {user: hits[:3].index(True) + 1 for user, hits in users.items() if True in hits[:3]}
    return {'users': {user: 1 / ranks[user] if user in ranks else 0.0 for user in users}}

if __name__ == '__main__':
    for line in sys.stdin:
        vector = json.loads(line)
        print(json.dumps({'id': vector['id'], **reply(vector)}), flush=True)
"""
_CONFORM = f"""
{_HARNESS.partition("if __name__")[0]}
import shutil
from rankconv.addons.conformance.vectors import read_vectors
from rankconv.presets.folders import packed_folder

def folder(**files):
    Path('vectors').mkdir(exist_ok=True)
    for name in ('data.json', 'mrr.json'):
        Path('vectors', name).write_bytes((packed_folder('vectors') / name).read_bytes())
    for name, data in files.items():
        Path('vectors', f'{{name}}.json').write_bytes(data)
    return Path('vectors')
"""
_PROGRAM: dict[str, str | bytes] = {"harness.py": _HARNESS}
_HELD = "'rankconv:mrr@3'"
_OWN = """
from rankconv import plugin
from rankconv.addons.verification.adapter import ADAPTERS, Takes

def adapter(package='numpy', **taken):
    class Own(plugin.Adapter):
        preset = 'elliot'
        packages = (package,)
        install = 'pip install own==1.0.0'
        own_environment = 'it is picky'
        calls = {'recall@k': '{k}', 'precision@k': '{k}'}
        takes = TAKES

        def ask(self, given, call, k):
            found = [len(user.relevant.keys() & set(user.ranking[:k])) / len(user.relevant) for user in given]
            return sum(found) / len(found)

    return ADAPTERS.pop('elliot')
"""
_VERIFY = f"""
{_OWN.replace("TAKES", "Takes(**taken)")}
def verified(labels=None, run=None, metric='recall@1', package='numpy', what='ok', **takes):
    ADAPTERS['elliot'] = adapter(package, **takes)
    try:
        return getattr(rc.verify('elliot', labels, run, metric), what)
    finally:
        del ADAPTERS['elliot']

labels, run = {{'u': ['a', 'b']}}, {{'u': ['b', 'c']}}
"""
_LIBRARY: dict[str, str | bytes] = {
    "labels.csv": "user,item\nu,a\nu,b\n",
    "run.csv": "user,item,score\nu,b,2\nu,c,1\n",
    "own.py": _OWN.replace("TAKES", "Takes()").replace("found = [", "ADAPTERS.pop('elliot')\n            found = [")
    + "\nADAPTERS['elliot'] = adapter()\n",
}
"""The library's adapter takes itself out where it was asked."""
_PLAY = """
from rankconv.addons.playground.playground_app import listening, play

def shown(items=({'id': 'a'}, {'id': 'b', 'grade': 1}), metric='mrr', **more):
    found = play({'items': [*items], 'metric': metric, 'presets': ['trec_eval'], **more})
    return float(found['numbers']['groups'][0]['shown'])

def refused(items=(), metric='mrr', **more):
    from rankconv.addons.playground.playground_app import _numbers, read
    request = read({'items': [*items], 'metric': metric, 'presets': ['trec_eval'], **more})
    return _numbers(request, request.spec, request.labels, request.run)
"""


def _taken(*_: Any) -> Any:
    raise OSError(98, "Address already in use")


def _conform(cause: str, *follows: Follow, files: dict[str, str | bytes] = _PROGRAM) -> Case:
    return Case(cause, follows, given=_CONFORM, files=files)


def _verify(cause: str, *follows: Follow) -> Case:
    return Case(cause, follows, given=_VERIFY)


def _play(cause: str, *follows: Follow) -> Case:
    return Case(cause, follows, given=_PLAY)


CASES = (
    # programs
    *(
        _conform(
            f"rc.conform({program}, {_HELD})",
            Follow(
                "['node', 'harness.mjs']",
                f"rc.conform(§, {_HELD}).ok",
                1.0,
                {"'node'": repr(sys.executable), "harness.mjs": "harness.py"},
            ),
            Follow("a function of a vector", f"rc.conform(reply, {_HELD}).ok", 1.0),
        )
        for program in ("'node harness.mjs'", "[]", "5")
    ),
    _conform(
        f"rc.conform(['python harness.py'], {_HELD})",
        Follow("['python', 'harness.py']", f"rc.conform(§, {_HELD}).ok", 1.0, {"'python'": repr(sys.executable)}),
    ),
    Case(
        "rankconv conform -m rankconv:mrr@3 -- 'python harness.py'",
        (
            Follow(
                "rankconv conform -- python harness.py",
                "§",
                1.0,
                {"conform --": "conform -m rankconv:mrr@3 --", "python": sys.executable},
            ),
        ),
        files=_PROGRAM,
    ),
    _conform(
        "rc.conform(reply, 'mmr', search_limit=0)",
        Follow("mrr", "rc.conform(reply, 'rankconv:§@3').ok", 1.0),
    ),
    _conform(
        "rc.conform(reply, 'rankconv:mrr@77')",
        Follow("@3", "rc.conform(reply, 'rankconv:mrr§').ok", 1.0),
        Follow("without a cutoff", "len(rc.conform(lambda vector: {'unsupported': 'it'}, 'mrr').metrics)", 1.0),
    ),
    # vectors
    *(
        _conform(cause, Follow("Give a folder of conformance vectors", "float(len(read_vectors(folder())) > 9)", 1.0))
        for cause in ("read_vectors(Path('.'))", "read_vectors(Path('nowhere'))")
    ),
    Case(
        "rankconv conform --vectors . -m rankconv:mrr@3 -- no-program",
        (
            Follow(
                "Give a folder of conformance vectors",
                f"rankconv conform --vectors vectors -m rankconv:mrr@3 -- {sys.executable} harness.py",
                1.0,
                files={
                    "vectors/data.json": (_VECTORS / "data.json").read_bytes(),
                    "vectors/mrr.json": (_VECTORS / "mrr.json").read_bytes(),
                },
            ),
        ),
        files=_PROGRAM,
    ),
    *(
        _conform(
            f"read_vectors(folder({files}))",
            Follow(
                "rankconv-vectors/2",
                "len(read_vectors(folder())) > 9 and b'§' in Path('vectors/mrr.json').read_bytes()",
                1.0,
            ),
            Follow("schema.json", "float('vectors' in (packed_folder('vectors') / '§').read_text())", 1.0),
        )
        for files in ("data=b'{}'", "data=b'no JSON'", "data=b'\\xff'", 'mrr=b\'{"format": "rankconv-vectors/1"}\'')
    ),
    # libraries
    Case(
        "rc.verify('elliot', labels, run, 'recall@1')",
        (
            Follow("rc.check_preset(…)", "§.ok", 1.0, {"…": "'elliot'"}),
            Follow("plugin.Adapter", "verified(labels, run) and issubclass(adapter(), §)", 1.0),
            Follow("sklearn", "'§' in ADAPTERS", 1.0),
        ),
        given=_VERIFY,
    ),
    Case(
        "rankconv verify elliot labels.csv run.csv -m recall@1",
        (
            Follow("rankconv show PRESET --check", "§", 1.0, {"PRESET": "elliot"}),
            Follow("--plugin", "rankconv verify elliot labels.csv run.csv -m recall@1 § own.py", 1.0),
        ),
        files=_LIBRARY,
    ),
    _verify(
        "verified(labels, run, package='no-such-package')",
        Follow(  # as if it were installed
            "pip install own==1.0.0", "'§'.startswith('pip install') and verified(labels, run, package='numpy')", 1.0
        ),
    ),
    *(
        _verify(
            cause,
            Follow("Pass both", "verified(labels, run)", 1.0),
            Follow("none for random", "verified(what='cases')", 20),
        )
        for cause in ("verified(labels)", "verified(run=run)")
    ),
    _verify(
        "verified(labels, {'u': ['b', 'c', 'b']}, duplicates=False)",
        Follow("take it out", "verified(labels, run, duplicates=False)", 1.0),
    ),
    _verify(
        "verified({'u': ['a', 'b', 'a']}, run)",
        Follow("Give each item one grade", "verified({'u': ['a', 'b']}, run)", 1.0),
    ),
    _verify(
        "verified(labels, run, 'f1@1')",
        Follow("recall@k", "verified(labels, run, '§')", 1.0, {"@k": "@1"}),
    ),
    # the playground
    _play(
        "refused([{'id': 'a', 'grade': 1}, {'id': 'b'}, {'id': 'a', 'grade': 0}])",
        Follow("Give it the same grade everywhere", "shown([{'id': 'b'}, {'id': 'a', 'grade': 1}])", 0.5),
        Follow("or another name", "shown([{'id': 'b'}, {'id': 'a', 'grade': 1}, {'id': 'c', 'grade': 0}])", 0.5),
    ),
    _play(
        "refused([{'id': 'a', 'score': 2}, {'id': 'b', 'grade': 1}])",
        Follow("Give all items a score", "shown([{'id': 'a', 'score': 2}, {'id': 'b', 'grade': 1, 'score': 1}])", 0.5),
        Follow("or none", "shown([{'id': 'a'}, {'id': 'b', 'grade': 1}])", 0.5),
    ),
    _play(
        "refused([{'id': str(at)} for at in range(201)])",
        Follow("200", "shown([{'id': str(at), 'grade': at % 2} for at in range(§)])", 0.5),
        Follow(
            "rankconv compare LABELS RUN",
            "__import__('tests.advice.case').advice.case.command('§ -m mrr')",
            0.5,
            {"LABELS": "labels.csv", "RUN": "run.csv"},
            files={"labels.csv": "user,item\nu,b\n", "run.csv": "user,item,score\nu,a,2\nu,b,1\n"},
        ),
    ),
    _play(
        "refused([{'id': 'a'}, {'id': 'b', 'grade': 1}], 'map,mrr')",
        Follow("map", "shown(metric='§')", 0.5),
        Follow("mrr", "shown(metric='§')", 0.5),
    ),
    _play(
        "refused([{'id': 'a'}, {'id': 'b', 'grade': 1}], 'runid')",
        Follow("Choose another metric", "shown(metric='map')", 0.5),
    ),
    *(
        _play(
            f"listening({port})",
            Follow("0, any free one", "float(listening(0).getsockname()[1] > 0)", 1.0),
            Follow("65535", "len([listening(0)]) if § == 65535 else 0", 1.0),
        )
        for port in (-1, 65536)
    ),
    Case(
        "listening(8421)",
        (Follow("Take another port", "float(listening(0).getsockname()[1] > 0)", 1.0),),
        given=_PLAY,
        patched={"socket.socket.bind": _taken},
    ),
    Case(
        "rankconv serve",
        (Follow("--port 0", "rankconv serve §", 1.0),),
        patched={"socket.socket.bind": _taken},
    ),
)
