"""Presets: their names, versions and modifiers, files with mistakes, plugins of files, and signatures."""

from tests.advice.case import Case, Follow

_DATA = "import os; labels, run = {'u': ['b']}, {'u': ['a', 'b', 'c']}; scored = {'u': {'a': 3., 'b': 2., 'c': 1.}}"
_LOG = 0.6309297535714575
"""1 / log2(3): the discount of the second place."""
_ROWS: dict[str, str | bytes] = {"labels.csv": "user,item\nu,b\n", "run.csv": "user,item,score\nu,a,3\nu,b,2\nu,c,1\n"}
_EVALUATE = "rankconv evaluate labels.csv run.csv -m ndcg"
_COMPARE = "rankconv compare labels.csv run.csv -m ndcg"


def _ndcg(preset: str) -> str:
    return f"ev(labels, scored, 'ndcg', preset={preset})"


def _files(text: str, name: str = "mine") -> dict[str, str | bytes]:
    return _ROWS | {f"{name}.yaml": f"name: {name}\ntitle: Mine\n{text}"}


def _file(text: str, *follows: Follow) -> Case:
    """A file with a mistake."""
    return Case(_ndcg("'./mine.yaml'"), follows, given=_DATA, files=_files(text))


def _corrected(piece: str, text: str, value: float = _LOG) -> Follow:
    """The file with what the piece says; § in the text is the piece."""
    return Follow(piece, _ndcg("'./mine.yaml'"), value, files=_files(text.replace("§", piece)))


def _python(cause: str, *follows: Follow, files: dict[str, str | bytes] | None = None) -> Case:
    return Case(cause, follows, given=_DATA, files=files or {})


def _signature(text: str, *follows: Follow) -> Case:
    return Case(f"ev(labels, run, '{text}')", follows, given=_DATA)


_SOUND = "extends: base\nmetrics: {ndcg: {}}\n"
_PLUGIN = """
from rankconv.metrics.gains import GAIN

@GAIN.setting("plugged", rule="2 g")
def _(grades):
    return 2 * grades
"""
_APART = f"""{_DATA}
import json, subprocess, sys
def apart(*words):
    '''The first number of a command in a process of its own, where its plugin stays.'''
    said = subprocess.run([sys.executable, '-m', 'rankconv', 'evaluate', 'labels.csv', 'run.csv', '-m', 'ndcg', *words,
        '--format', 'json'], env={{**os.environ, 'PYTHONPATH': os.pathsep.join(sys.path)}}, capture_output=True).stdout
    return next(iter(json.loads(said)['metrics'].values()))
"""
_FORM = "metric@k|convention:setting|convention:setting|…"
_WHOLE = "ev(labels, run, rc.metric(rc.metric('ndcg@10').signature).spec)"

CASES = (
    # names of presets
    _python(
        "ev(labels, run, 'mrr', preset=['ranx', 'mllib'])",
        Follow("pass one", "ev(labels, run, 'mrr', preset='ranx')", 0.5),
        Follow("rc.compare takes several", "rc.compare(labels, run, 'ndcg', ['ranx', 'mllib'])['ndcg', 'ranx']", _LOG),
        Follow("an rc.preset(…)", "ev(labels, run, 'mrr', preset=rc.preset('ranx'))", 0.5),
    ),
    _python(
        "ev(labels, run, 'mrr', preset='ranx,mllib')",
        Follow("Pass one", "ev(labels, run, 'mrr', preset='ranx')", 0.5),
        Follow("rc.compare takes several", "rc.compare(labels, run, 'ndcg', 'ranx,mllib')['ndcg', 'ranx']", _LOG),
    ),
    Case(
        f"{_EVALUATE} -p ranx,mllib",
        (Follow("rankconv compare", "§ labels.csv run.csv -m ndcg -p ranx,mllib", _LOG),),
        files=_ROWS,
    ),
    _python(_ndcg("'mine'"), Follow("'./mine.yaml'", _ndcg("§"), _LOG), files=_files(_SOUND)),
    Case(f"{_EVALUATE} -p mine", (Follow("./mine.yaml", f"{_EVALUATE} -p §", _LOG),), files=_files(_SOUND)),
    _python(
        _ndcg("'./ranx.yaml'"),
        Follow("Give yours another name", _ndcg("'./mine.yaml'"), _LOG, files=_files(_SOUND)),
        files=_files(_SOUND, "ranx"),
    ),
    _python(
        _ndcg("'./my+own.yaml'"),
        Follow("Rename the file and its preset", _ndcg("'./mine.yaml'"), _LOG, files=_files(_SOUND)),
        files=_files(_SOUND, "my+own"),
    ),
    Case(
        _ndcg("'mine'"),
        (
            Follow(
                "Rename one",
                f"(Path('two/mine.yaml').rename('two/other.yaml'), {_ndcg(repr('mine'))})[1]",
                _LOG,
            ),
        ),
        given=f"{_DATA}; os.environ['RANKCONV_PRESETS'] = os.pathsep.join(('one', 'two'))",
        files={f"{folder}/mine.yaml": f"name: mine\ntitle: Mine\n{_SOUND}" for folder in ("one", "two")},
        variables={"RANKCONV_PRESETS": ""},
    ),
    _python(
        "ev(labels, run, 'mrr', preset='ranx(ties=given, ties=reversed)')",
        Follow("Give one setting", "ev(labels, run, 'mrr', preset='ranx(order=given)')", 0.5),
    ),
    _python(
        "ev(labels, run, 'foo', preset='./mine.yaml')",
        Follow("rc.preset('mine.yaml').metrics", "'ndcg' in §", 1.0),
        files=_files("extends: base\nevery-metric: false\nmetrics: {ndcg: {}}\n"),
    ),
    # modifiers
    _python(
        _ndcg("'sklearn+unretrieved+unretrieved'"),
        Follow("sklearn+unretrieved", "ev({'u': ['b']}, {'u': {'a': 2., 'c': 1.}}, 'ndcg', preset='§')", 0.5),
    ),
    _python(
        _ndcg("'./mine.yaml+unretrieved'"),
        Follow(
            "state 'unretrieved:' and a setting of candidates",
            _ndcg("'./yours.yaml+unretrieved'"),
            _LOG,
            files=_files("extends: mine\nunretrieved: with-unretrieved\n", "yours"),
        ),
        Follow(
            "presets that extend base and have candidates=returned in all metrics",
            _ndcg("'./mine.yaml+unretrieved'"),
            _LOG,
            files=_files(_SOUND),
        ),
        files=_files("extends: base\npreparation: {candidates: labelled-only}\nmetrics: {ndcg: {}}\n"),
    ),
    # versions
    _python(
        "ev(labels, scored, 'map', preset='trec_eval@8')",
        Follow("trec_eval@9.0.8", "ev(labels, scored, 'map', preset='§')", 0.5),
        Follow("trec_eval alone is the newest", "ev(labels, scored, 'map', preset='trec_eval')", 0.5),
    ),
    # groups
    Case(
        "rc.compare(labels, scored, 'ndcg', 'own')",
        (
            Follow("Name yours by path", "rc.compare(labels, scored, 'ndcg', './mine.yaml')['ndcg', 'mine']", _LOG),
            Follow(
                "put their folder into RANKCONV_PRESETS",
                "(os.environ.update(RANKCONV_PRESETS='.'), "
                "rc.compare(labels, scored, 'ndcg', 'own')['ndcg', 'mine'])[1]",
                _LOG,
            ),
        ),
        given=_DATA,
        files=_files(_SOUND),
        variables={"RANKCONV_PRESETS": ""},
    ),
    Case(
        "rc.compare(labels, scored, 'ndcg', 'own')",
        (Follow("rc.preset('mine')", "§", "'foo' is not a convention here"),),
        given=_DATA,
        files=_files("extends: base\npreparation: {foo: x}\n"),
        variables={"RANKCONV_PRESETS": "."},
    ),
    Case(
        f"{_COMPARE} -p own",
        (Follow("rankconv show --check mine", "§", "'foo' is not a convention here"),),
        files=_files("extends: base\npreparation: {foo: x}\n"),
        variables={"RANKCONV_PRESETS": "."},
    ),
    # files with mistakes
    _python(
        _ndcg("'./mine.yaml'"),
        Follow("Save the file as UTF-8 text", _ndcg("'./mine.yaml'"), _LOG, files=_files(f"about: Café\n{_SOUND}")),
        files={"mine.yaml": f"name: mine\ntitle: Mine\nabout: Café\n{_SOUND}".encode("latin-1")},
    ),
    _file(
        "extends: base\nmetrics: {ndcg: {}, map: {ap-denominator: min(k, relevant)}}\n",
        _corrected('ap-denominator: "min(k, relevant)"', "extends: base\nmetrics: {ndcg: {}, map: {§}}\n"),
    ),
    _file(f"version: 2.10\n{_SOUND}", _corrected("Put the number in quotes", f'version: "2.10"\n{_SOUND}')),
    _file(
        "extends: base\npreparation: {gain: exponential}\nmetrics: {ndcg: {}}\n",
        _corrected("'metrics: default:'", "extends: base\nmetrics: {default: {gain: exponential}, ndcg: {}}\n"),
    ),
    _file(
        "extends: base\npreparation: {on-no-relevant: skip}\nmetrics: {ndcg: {}}\n",
        _corrected("'aggregation:'", "extends: base\naggregation: {on-no-relevant: skip}\nmetrics: {ndcg: {}}\n"),
    ),
    _file("metrics: {ndcg: {}}\n", _corrected("extend base", _SOUND)),
    Case(
        _ndcg("'./mine.yaml'"),
        (_corrected("without: [mrr]", "extends: above\naggregation: {aggregate: micro}\n§\n"),),
        given=_DATA,
        files=_files("extends: above\naggregation: {aggregate: micro}\n")
        | _files("extends: base\nmetrics: {ndcg: {}, mrr: {}}\n", "above"),
    ),
    # plugins of files
    Case(
        _ndcg("'./mine.yaml'"),
        (
            Follow(
                "Choose one of: linear",
                _ndcg("'./mine.yaml'"),
                _LOG,
                files=_files("extends: base\nmetrics: {ndcg: {gain: linear}}\n"),
            ),
            Follow("--plugin FILE", "apart('-p', './mine.yaml', *'§'.split())", _LOG, {"FILE": "mine.py"}),
        ),
        given=_APART,
        files=_files("extends: base\nmetrics: {ndcg: {gain: plugged}}\n") | {"mine.py": _PLUGIN},
    ),
    Case(
        "rc.preset('./mine.yaml', run_plugin=False)",
        (Follow("rc.load_plugin('mine.py')", "(§, ev(labels, scored, 'ndcg', preset='./mine.yaml'))[1]", _LOG),),
        given=_DATA,
        files=_files(f"plugin: mine.py\n{_SOUND}") | {"mine.py": ""},
    ),
    Case(
        "rankconv report labels.csv run.csv -m ndcg -p ./mine.yaml",
        (Follow("--plugin mine.py", "rankconv report labels.csv run.csv -m ndcg -p ./mine.yaml §", 1.0),),
        files=_files(f"plugin: mine.py\n{_SOUND}") | {"mine.py": ""},
    ),
    # signatures
    _signature(
        "ndcg@5,10|ties:given",
        Follow(_FORM, _WHOLE, _LOG),
    ),
    _signature("ndcg@10|gain", Follow(_FORM, _WHOLE, _LOG)),
    _signature("ndcg@10|gain:linear|gain:linear", Follow(_FORM, _WHOLE, _LOG)),
    _signature(
        "mrr|gain:binary",
        Follow("rr-hits", "ev(labels, run, 'mrr(§=first-hit)')", 0.5),
    ),
    _signature(
        "ndcg@10|gain:binary",
        Follow("Take the whole signature", _WHOLE, _LOG),
        Follow(
            "metric(convention=setting)@k",
            "ev(labels, run, '§')",
            _LOG,
            {"metric": "ndcg", "convention=setting": "gain=binary", "@k": "@10"},
        ),
    ),
    _signature(
        "ndcg@10|gain:custom(twice)",
        Follow(
            "pass it in Python",
            "[one.mean for one in rc.evaluate(labels, run, rc.NDCG(10, gain=lambda g: 2 * g)).by_spec.values()][0]",
            _LOG,
        ),
    ),
    _signature(
        "ndgc@10|gain:linear",
        Follow("ndcg", "ev(labels, run, '§@10')", _LOG),
        Follow("rc.list_metrics()", "'dcg' in §", 1.0),
    ),
)
