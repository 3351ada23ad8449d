"""Results in files, and what of them needs what a file does not hold."""

from math import sqrt
from pathlib import Path
from tempfile import TemporaryDirectory

import rankconv as rc
from tests.advice.case import Case, Follow

_GIVEN = """
import json, math

labels, run = {'u': ['b']}, {'u': ['a', 'b']}
by_function = rc.metric('cg').replace(gain=math.sqrt)

def load(metric='mrr', change=lambda whole, number: None, **how):
    rc.evaluate(labels, run, metric, **how).save('r.json', force=True)
    whole = json.loads(Path('r.json').read_text())
    change(whole, next(iter(whole['numbers'].values())))
    Path('r.json').write_text(json.dumps(whole))
    return rc.Result.load('r.json')

def value(*metric, **how):
    return next(iter(load(*metric, **how).values()))

def definition(*given, **how):
    return next(iter(load(*given, **how).by_spec.values())).definition
"""
_ANEW = Follow("evaluate anew, and save that", "value()", 0.5)
_PLUGIN = "import rankconv as rc\nfrom rankconv import plugin\n"
_LATER: dict[str, str | bytes] = {
    "metric.py": f"{_PLUGIN}class Own(rc.metric('mrr').metric.__class__):\n    name = 'later_rr'\n",
    "convention.py": f"{_PLUGIN}LATER = plugin.Convention('later', 'Adverts', reads=('block',), neutral='kept')\n"
    "@LATER.setting('kept', rule='they stay', no='removal of adverts')\ndef _(block): ...\n"
    "@LATER.setting('gone', rule='taken out', says='adverts are taken out')\ndef _(block): ...\n"
    "plugin.preparation_step(LATER, after='exclude')\n",
    "setting.py": f"{_PLUGIN}@rc.convention('gain').setting('later', rule='2 g', says='twice the grade')\n"
    "def _(grades): return 2 * grades\n",
}
"""Plugins that the process in which a result is loaded has not loaded."""


def _saved() -> str:
    """The file of a number whose gain is a function."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "r.json"
        rc.evaluate({"u": ["b"]}, {"u": ["a", "b"]}, rc.metric("cg").replace(gain=sqrt)).save(file)
        return file.read_text()


def _changed(change: str, metric: str = "mrr") -> str:
    return f"load('{metric}', lambda whole, number: {change})"


def _case(cause: str, *follows: Follow) -> Case:
    return Case(cause, follows, given=_GIVEN)


def _needs_plugin(file: str, metric: str, change: str, text: str) -> Case:
    """A file that was written where a plugin was loaded: its definition is there where that is loaded too."""
    there = f"lambda whole, number: {change}"
    return Case(
        f"load('{metric}', {there}).methods()",
        (
            Follow(
                "Load the plugin that defines it, and then the result",
                f"(rc.load_plugin('{file}.py'), float('{text}' in value('{text}', per_user=True).definition.text))[1]",
                1.0,
            ),
        ),
        given=_GIVEN,
        files=_LATER,
    )


CASES = (
    # what is no such file, or was changed
    _case(
        _changed("whole.update(form=2)"),
        Follow("Evaluate again, and save that", "value()", 0.5),
    ),
    _case(_changed("whole.pop('form')"), Follow("Load what result.save(path) wrote", "value()", 0.5)),
    _case(_changed("number.update(fingerprint='x')"), _ANEW),
    _case(_changed("number['settings'].update(gain='linear')"), _ANEW),
    _case(_changed("number.update(state_names=['a', 'b'])"), _ANEW),
    # plugins
    _needs_plugin("metric", "mrr", "number.update(metric='later_rr')", "later_rr"),
    _needs_plugin("convention", "mrr", "number['settings'].update(later='gone')", "mrr(later=gone)"),
    _needs_plugin("setting", "cg", "number['settings'].update(gain='later')", "cg(gain=later)"),
    Case(
        "definition('mrr', lambda whole, number: number.update(metric='latest_rr')).formula",
        (
            Follow(
                "Load the plugin that defines it, and then the result",
                "(rc.load_plugin('metric.py'), float(len(definition('latest_rr').fingerprint)))[1]",
                16.0,
            ),
        ),
        given=_GIVEN,
        files={"metric.py": str(_LATER["metric.py"]).replace("later", "latest")},
    ),
    # functions
    _case(
        "definition(by_function).metric",
        Follow(
            "It can be computed before the result is saved, where it was evaluated",
            "len(rc.evaluate(labels, run, by_function)[by_function].definition.metric.name)",
            2.0,
        ),
    ),
    _case(
        "load(by_function).methods()",
        Follow(
            "result.methods()",
            "(lambda result: float('sqrt' in str(§)))(rc.evaluate(labels, run, by_function))",
            1.0,
        ),
        Follow(
            "rc.cite(…)",
            "float('sqrt' in str(§))",
            1.0,
            {"…": "by_function"},
        ),
    ),
    Case(
        "rankconv cite --result r.json",
        (
            Follow(
                "Cite it in Python, where it was evaluated",
                "rankconv evaluate labels.csv run.csv -m mrr",
                0.5,
            ),
        ),
        files={"r.json": _saved(), "labels.csv": "user,item\nu,b\n", "run.csv": "user,item,score\nu,a,2\nu,b,1\n"},
    ),
    # values of users
    _case(
        "rc.evaluate(labels, run, 'mrr', per_user=False)['mrr'].per_user",
        Follow("per_user=True", "rc.evaluate(labels, run, 'mrr', §)['mrr'].per_user[0]", 0.5),
        Follow("leave it out", "rc.evaluate(labels, run, 'mrr')['mrr'].per_user[0]", 0.5),
    ),
    _case(
        "value(by_function, per_user=False).per_user",
        Follow("per_user=True", "value(by_function, §).per_user[0]", 1.0),
    ),
)
