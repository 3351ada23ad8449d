"""What lies outside of the data: other libraries, plugins, models that are trained, the disk and the memory."""

import gzip
from typing import Any

from tests.advice.case import Case, Follow

_FILES: dict[str, str | bytes] = {"labels.csv": "user,item\nu,b\n", "run.csv": "user,item,score\nu,a,2\nu,b,1\n"}
_TENSOR = """
class Tensor:
    layout = 'torch.sparse_coo'

    def __init__(self, shape, values):
        self.shape, self._values = shape, np.array(values)

    def coalesce(self):
        return self

    def indices(self):
        return np.array([[0, 0], [0, 1]])

    def values(self):
        return self._values

class OnDevice:
    shape = (1, 2)
    dtype = np.dtype(float)

    def __array__(self, *_, **__):
        raise TypeError('it is on the GPU')

    def cpu(self):
        return np.array([[2., 1.]])
"""
_TRAINING = """
from types import SimpleNamespace
import pandas
y, scores, sizes = np.array([0., 1., 1.]), np.array([2., 1., 1.]), [2, 1]
model = SimpleNamespace(predict=lambda X: np.asarray(X)[:, 0].astype(float))
frame = pandas.DataFrame({'score': scores, 'query': [7, 7, 9]})

class Dataset(SimpleNamespace):
    def __init__(self, group=None, weight=None):
        super().__init__(get_label=lambda: y, get_group=lambda: group, get_weight=lambda: weight)

class DMatrix(SimpleNamespace):
    def __init__(self, ends=(), weight=()):
        super().__init__(get_label=lambda: y, get_weight=lambda: np.array(weight))
        self.get_uint_info = lambda _: np.array(ends)

    def set_group(self, sizes):
        self.get_uint_info = lambda _: np.append(0, np.cumsum(sizes))
        return self

light, extreme = (rc.feval('mrr', library) for library in ('lightgbm', 'xgboost'))
largest = rc.feval('mrr(aggregate=maximum)', 'xgboost')
"""
_ROUTED = f"""{_TRAINING}
import pytest
config, array = {{}}, np.array([7, 7, 9])

class Scorer:
    def __init__(self, score, greater_is_better, **how):
        self.score, self.how = score, how

    def set_score_request(self, groups):
        return self

    def __call__(self, model, X, y, **params):
        return self.score(y, model.predict(X), **self.how, **params)

sklearn = SimpleNamespace(get_config=lambda: config, set_config=config.update)
of_name = {{'sklearn': sklearn, 'sklearn.metrics': SimpleNamespace(make_scorer=Scorer)}}

def routed(**how):
    config.update(how)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr('rankconv.evaluation.training.require', lambda name, package: of_name[name])
        return rc.scorer('mrr')
"""
"""A scorer of scikit-learn, of which it calls these functions."""
_NAMED = '''
import subprocess, sys
from pathlib import Path

def doubled(grades):
    return grades * 2.0

def bytes_of(gain):
    one = rc.Evaluator(rc.metric('ndcg@2').replace(gain=gain), per_user=False, repeated_users='unchecked')
    one.update({'u': ['b']}, {'u': ['a', 'b']})
    return one.partial().to_bytes()

def in_a_plugin(line):
    """The value of the part that another process reads from its bytes, with the plugin of this line."""
    Path('own.py').write_text(f'import rankconv as rc\\n\\n@{line}\\ndef _(grades):\\n    return grades * 2.0\\n')
    lines = [
        'import rankconv as rc',
        'from rankconv.basics.plugins import load_plugin',
        'from rankconv.typing import Partial',
        'load_plugin("own.py")',
        'one = rc.Evaluator("ndcg(gain=doubled)@2", per_user=False, repeated_users="unchecked")',
        'one.update({"u": ["b"]}, {"u": ["a", "b"]})',
        'print(next(iter(Partial.from_bytes(one.partial().to_bytes()).compute().values())))',
    ]
    done = subprocess.run([sys.executable, '-c', '\\n'.join(lines)], capture_output=True, text=True, check=True)
    return float(done.stdout)
'''
_PARTS_OF_IDS: dict[str, str | bytes] = {
    "labels.csv": "uid,given,item\n" + "".join(f"u{n},x,b\n" for n in range(6)),
    "run.csv": "uid,given,item,score\n" + "".join(f"u{n},x,a,2\nu{n},x,b,1\n" for n in range(6)),
    "other.csv": "uid,given,item,score\n" + "".join(f"u{n},x,b,2\nu{n},x,a,1\n" for n in range(6)),
}
_OWN = "name: {}\ntitle: Own\nextends: {}\n"
_PLUGIN = """
from rankconv import plugin
def lines(text): return {line.split(':')[0]: line.split(':')[1].split() for line in text.split(';')}
class Lines(str): pass
def read(data, what): return lines(data)
"""
_CHANGED = (
    "blog = rc.preset('blog'); changed = blog.replace(on_no_relevant=0); labels, run = {'u': ['b']}, {'u': ['a', 'b']}"
)


_EVALUATE = "rankconv evaluate labels.csv run.csv -m mrr"
_OUT_OF_ORDER: dict[str, str | bytes] = {
    "labels.csv": "user,item\nv,b\nu,b\n",
    "run.csv": "user,item,score\nv,a,2\nu,b,1\nv,b,1\n",
}
_BUDGET = "rankconv.evaluation.streaming.memory.Budget.of"
_USERS = [*range(1, 80, 2), *range(0, 80, 2)]
_MANY: dict[str, str | bytes] = {
    "labels.csv": "user,item\n" + "".join(f"u{n},b{n}\n" for n in _USERS),
    "run.csv": "user,item,score\n" + "".join(f"u{n},a{n},2\nu{n},b{n},1\n" for n in _USERS),
}
"""The lists of 80 users, in no order, of two items each, which nobody else has."""
_LONG: dict[str, str | bytes] = {
    "labels.csv": "user,item\nv,i2\nu,i2\n",
    "run.csv": "user,item,score\n" + "".join(f"{user},i{n},{500 - n}\n" for user in "vu" for n in range(100)),
}
"""Two users, in no order, with a hundred items each."""


def _no_space(*_: Any, **__: Any) -> Any:
    raise OSError(28, "No space left")


CASES = (
    # arrays of other libraries
    Case(
        "ev(np.array([[0., 1.]]), OnDevice())",
        (Follow("Bring it to the CPU first, as a NumPy array", "ev(np.array([[0., 1.]]), OnDevice().cpu())", 0.5),),
        given=_TENSOR,
    ),
    Case(
        "ev({0: {1: 1}}, Tensor((1, 2, 1), [2., 1.]))",
        (Follow("users in rows and items in columns", "ev({0: {1: 1}}, Tensor((1, 2), [2., 1.]))", 0.5),),
        given=_TENSOR,
    ),
    Case(
        "ev({0: {1: 1}}, Tensor((1, 2), [True, False]))",
        (Follow("Scores are numbers", "ev({0: {1: 1}}, Tensor((1, 2), [1., 0.]))", 0.5),),
        given=_TENSOR,
    ),
    # files
    Case(
        "ev('-', '-')",
        (Follow("Only one of the files can be -", "ev('labels.csv', '-')", 1.0),),
        given="import io, sys; sys.stdin = io.TextIOWrapper(io.BytesIO(b'user,item\\nu,b\\n'))",
        files=_FILES,
    ),
    Case(
        "ev('labels.csv', 'run.csv.gz')",
        (
            Follow(
                "Unpack it yourself if that is right",
                "(Path('run.csv').write_bytes(__import__('gzip').decompress("
                "Path('run.csv.gz').read_bytes())), ev('labels.csv', 'run.csv'))[1]",
                0.5,
            ),
        ),
        files=_FILES | {"run.csv.gz": gzip.compress(b"user,item,score\nu,a,2\nu,b,1\n")},
        patched={"rankconv.data.inputs.files._LARGE": 1, "rankconv.data.inputs.files._MOST": 0},
    ),
    # a full disk
    Case(
        "ev('labels.csv', 'run.csv', memory='4GB')",
        (Follow("temp_dir=…", "ev('labels.csv', 'run.csv', memory='4GB', §)", 0.75, {"…": "'.'"}),),
        files=_OUT_OF_ORDER,
        patched={"pyarrow.ipc.new_stream": _no_space},
    ),
    Case(
        f"{_EVALUATE} --memory 4GB",
        (Follow("--temp-dir FOLDER", f"{_EVALUATE} --memory 4GB §", 0.75, {"FOLDER": "."}),),
        files=_OUT_OF_ORDER,
        patched={"pyarrow.ipc.new_stream": _no_space},
    ),
    # little memory
    Case(
        "ev('labels.csv', 'run.csv', 'items_shown@2', memory='4GB')",
        (
            Follow("memory=", "ev('labels.csv', 'run.csv', 'items_shown@2', §'5GB')", 160),
            Follow("leave the number out", "ev('labels.csv', 'run.csv', memory='4GB')", 0.5),
        ),
        files=_MANY,
        patched={_BUDGET: classmethod(lambda cls, memory, text: cls(10, 20, 100))},
    ),
    Case(
        _EVALUATE.replace("mrr", "items_shown@2") + " --memory 4GB",
        (
            Follow("--memory", _EVALUATE.replace("mrr", "items_shown@2") + " § 5GB", 160),
            Follow("leave the number out", f"{_EVALUATE} --memory 4GB", 0.5),
        ),
        files=_MANY,
        patched={_BUDGET: classmethod(lambda cls, memory, text: cls(10, 20, 100))},
    ),
    Case(
        "ev('labels.csv', 'run.csv', memory='4GB')",
        (Follow("memory=", "ev('labels.csv', 'run.csv', §'5GB')", 1 / 3),),
        files=_LONG,
        patched={_BUDGET: classmethod(lambda cls, memory, text: cls(50, 60, 100))},
    ),
    Case(
        f"{_EVALUATE} --memory 4GB",
        (Follow("--memory", f"{_EVALUATE} § 5GB", 1 / 3),),
        files=_LONG,
        patched={_BUDGET: classmethod(lambda cls, memory, text: cls(50, 60, 100))},
    ),
    # presets and definitions of one name
    Case(
        "rc.compare(labels, run, 'map@3', [blog.replace(grades='given'), changed])",
        (
            Follow(
                ".replace(…, name='…')",
                "rc.compare(labels, run, 'map@3', [blog.replace(grades='given'), blog§])['map@3', 'mine']",
                0.5,
                {"…,": "on_no_relevant=0,", "'…'": "'mine'"},
            ),
        ),
        given=_CHANGED,
    ),
    Case(
        "rankconv compare labels.csv run.csv -m mrr -p mllib -p mine.yaml",
        (Follow("-p rankconv", "rankconv compare labels.csv run.csv -m mrr -p mllib §", 0.5),),
        files=_FILES,
    )
    if False
    else Case(
        "rankconv compare labels.csv run.csv -m mrr -p mllib",
        (Follow("-p rankconv", "rankconv compare labels.csv run.csv -m mrr §", 0.5),),
        files=_FILES,
    ),
    Case(
        "rc.compare(labels, run, [one, other])",
        (
            Follow(
                "rc.compare(labels, run, {'mine': …, 'theirs': …})",
                "§['cg@1', 'mine']",
                0.0,
                {"'mine': …": "'mine': one", "'theirs': …": "'theirs': other"},
            ),
        ),
        given="one, other = rc.CG(k=1, gain=lambda g: g), rc.CG(k=1, gain=lambda g: g * 10); "
        "labels, run = {'u': ['b']}, {'u': ['a', 'b']}",
    ),
    Case(
        "part({'u': ['b']}, item_features={'a': [1, 0], 'b': [1, 0]}).merge(part({'v': ['b']}, item_features=other))",
        (
            Follow(
                "item_features=",
                "part({'u': ['b']}, item_features=other).merge(part({'v': ['b']}, §other)).compute()['diversity@2']",
                1.0,
            ),
        ),
        given="other = {'a': [1, 0], 'b': [0, 1]}\n"
        "def part(labels, **side):\n"
        "    one = rc.Evaluator('diversity@2', per_user=False, repeated_users='unchecked', **side)\n"
        "    one.update(labels, {user: ['a', 'b'] for user in labels})\n"
        "    return one.partial()\n",
    ),
    # plugins
    Case(
        "plugin.input_format('lines')(read)",
        (
            Follow(
                "Give endings of files, or types",
                "(plugin.input_format('lines', types=(Lines,))(read), ev({'u': ['b']}, Lines('u: a b')))[1]",
                0.5,
            ),
        ),
        given=_PLUGIN,
    ),
    Case(
        "(plugin.input_format('lines', types=(Lines,))(read), ev({'u': ['b']}, Lines('u')))[1]",
        (
            Follow(
                "It was taken for: lines",
                "(plugin.input_format('lines', types=(Lines,))(read), ev({'u': ['b']}, Lines('u: a b')))[1]",
                0.5,
            ),
        ),
        given=_PLUGIN,
    ),
    # times and properties
    Case(
        "rc.protocols.Ratings('ratings.csv')",
        (
            Follow(
                "978300760",
                "len(rc.protocols.Ratings('ratings.csv').users)",
                1.0,
                files={"ratings.csv": "user,item,rating,timestamp\nu,a,5,978300760\n"},
            ),
            Follow(
                "2000-12-31T22:12:40",
                "len(rc.protocols.Ratings('ratings.csv').users)",
                1.0,
                files={"ratings.csv": "user,item,rating,timestamp\nu,a,5,2000-12-31T22:12:40\n"},
            ),
        ),
        given="from rankconv import protocols",
        files={"ratings.csv": "user,item,rating,timestamp\nu,a,5,yesterday\n"},
    ),
    Case(
        "segments({'u': 5})",
        (
            Follow(
                "{user: {column: value}}",
                "segments(§)",
                1.0,
                {"user": "'u'", "column: value}": "'age': 'old'}, 'v': {'age': 'young'}"},
            ),
            Follow(
                "a table with a column of users",
                "segments(pandas.DataFrame({'user': ['u', 'v'], 'age': ['old', 'young']}))",
                1.0,
            ),
        ),
        given="import pandas\n"
        "def segments(table):\n"
        "    side = {user: ['b'] for user in 'uv'}\n"
        "    return bool(rc.segments(side, side, 'mrr', by='age', user_features=table))\n",
    ),
    Case(
        "segments(pandas.DataFrame({'user': ['u', 'u', 'v'], 'age': ['old', 'young', 'old']}))",
        (
            Follow(
                "Give each one row", "segments(pandas.DataFrame({'user': ['u', 'v'], 'age': ['old', 'young']}))", 1.0
            ),
        ),
        given="import pandas\n"
        "def segments(table):\n"
        "    side = {user: ['b'] for user in 'uv'}\n"
        "    return bool(rc.segments(side, side, 'mrr', by='age', user_features=table))\n",
    ),
    # training
    Case(
        "light(scores, Dataset())",
        (
            Follow(
                "lightgbm.Dataset(…, group=sizes)",
                "(lambda lightgbm: light(scores, §))(SimpleNamespace(Dataset=Dataset))[1]",
                0.75,
                {"…, ": ""},
            ),
        ),
        given=_TRAINING,
    ),
    Case(
        "extreme(scores, DMatrix())",
        (Follow("DMatrix.set_group(sizes)", "extreme(scores, (lambda DMatrix: §)(DMatrix()))[1]", 0.75),),
        given=_TRAINING,
    ),
    Case(
        "largest(scores, DMatrix([0, 2, 3], [3., 1.]))",
        (
            Follow("Leave the weights out", "largest(scores, DMatrix([0, 2, 3]))[1]", 1.0),
            Follow("aggregate=mean", "rc.feval('mrr(§)', 'xgboost')(scores, DMatrix([0, 2, 3], [3., 1.]))[1]", 0.625),
        ),
        given=_TRAINING,
    ),
    Case(
        "extreme(scores, DMatrix([0, 2, 3], [3., 1., 1.]))",
        (Follow("Give one for each query", "extreme(scores, DMatrix([0, 2, 3], [3., 1.]))[1]", 0.625),),
        given=_TRAINING,
    ),
    Case(
        "rc.scorer('mrr', group=[7, 7, 9])",
        (
            Follow("Name the column of X", "rc.scorer('mrr', group='query')(model, frame, y)", 0.75),
            Follow("rc.scorer(…)", "routed(enable_metadata_routing=True)(model, frame, y, groups=array)", 0.75),
            Follow(
                "params={'groups': array}",
                "(lambda params: routed(enable_metadata_routing=True)(model, frame, y, **params))(§)",
                0.75,
            ),
        ),
        given=_ROUTED,
    ),
    Case(
        "routed(enable_metadata_routing=False)",
        (
            Follow(
                "sklearn.set_config(enable_metadata_routing=True)",
                "(§, routed())[1](model, frame, y, groups=array)",
                0.75,
            ),
            Follow("rc.scorer(…, group='query')", "§(model, frame, y)", 0.75, {"…": "'mrr'"}),
        ),
        given=_ROUTED,
    ),
    Case(
        "routed(enable_metadata_routing=True)(model, frame, y)",
        (
            Follow(
                "cross_validate(…, params={'groups': array})",
                "(lambda cross_validate: §)(lambda scorer, params: scorer(model, frame, y, **params))",
                0.75,
                {"…": "routed(enable_metadata_routing=True)"},
            ),
        ),
        given=_ROUTED,
    ),
    Case(
        "rc.feval('items_shown@2', 'lightgbm')",
        (Follow("Choose by another metric", "light(scores, Dataset(sizes))[1]", 0.75),),
        given=_TRAINING,
    ),
    Case(
        "bytes_of(doubled)",
        (
            Follow(
                "rc.convention(…).setting(…)",
                'in_a_plugin("""§""")',
                0.6309297535714574,
                {"convention(…)": "convention('gain')", "setting(…)": "setting('doubled', rule='2 g')"},
            ),
        ),
        given=_NAMED,
    ),
    Case(
        "rankconv test labels.csv run.csv other.csv -m mrr --cluster 1",
        (
            Follow(
                "--column user=uid,given",
                "rankconv test labels.csv run.csv other.csv -m mrr --cluster 1 §",
                0.5,
                files=_PARTS_OF_IDS,
            ),
        ),
        files={name: str(text).replace("uid,given", "user,fold") for name, text in _PARTS_OF_IDS.items()},
    ),
    Case(
        "rankconv compare labels.csv run.csv -m mrr -p a/own.yaml -p b/own.yaml",
        (
            Follow(
                "Give one of the files, and the preset in it, another name",
                "rankconv compare labels.csv run.csv -m mrr -p a/own.yaml -p b/other.yaml",
                0.5,
                files={"b/other.yaml": _OWN.format("other", "trec_eval")},
            ),
        ),
        files=_FILES | {"a/own.yaml": _OWN.format("own", "blog"), "b/own.yaml": _OWN.format("own", "trec_eval")},
    ),
)
