"""Advice of gates: what is required, baselines, segments of users and locks."""

from pathlib import Path
from tempfile import TemporaryDirectory

import rankconv as rc
from tests.advice.case import Case, Follow

_SIDES = """
labels = {'u': ['b'], 'v': ['b']}
run = {'u': ['a', 'b'], 'v': ['b']}
old = {'u': ['a', 'b'], 'v': ['a', 'b']}

def first(*metrics, of=run, by_labels=labels, **how):
    return rc.gate(by_labels, of, *metrics, **how).decisions[0]

def value(*metrics, **how):
    return first(*metrics, **how).value

def difference(*metrics, **how):
    return first(*metrics, **how).difference

def older(metric='mrr', preset=None, by_labels=labels):
    return rc.evaluate(by_labels, old, metric, preset)
"""
"""The reciprocal ranks of the run are 1/2 and 1, and of the older one 1/2 and 1/2."""
_VALUE, _DIFFERENCE = 0.75, 0.25
_FILES: dict[str, str | bytes] = {
    "labels.csv": "user,item\nu,b\nv,b\n",
    "run.csv": "user,item,score\nu,a,2\nu,b,1\nv,b,1\n",
    "old.csv": "user,item,score\nu,a,2\nu,b,1\nv,a,2\nv,b,1\n",
    "users.csv": "user,age\nu,old\nv,young\n",
}
_GATE = "rankconv gate labels.csv run.csv -m mrr"
_MARGIN = "not_worse_by=0.01"
_FILLED = {"labels": "labels", "run, ": "old, ", "metrics": "'mrr'", "preset": "None"}
_EVALUATED = "rc.evaluate(labels, run, metrics, preset)"


def _gate(cause: str, *follows: Follow, given: str = "") -> Case:
    return Case(cause, follows, given=_SIDES + given)


def _saved(metric: str, preset: str | None = None, *, relevant: str = "b") -> dict[str, str | bytes]:
    """The file of a result of the older run."""
    labels, run = {user: [relevant] for user in "uv"}, {user: ["a", "b"] for user in "uv"}
    with TemporaryDirectory() as folder:
        rc.evaluate(labels, run, metric, preset).save(Path(folder) / "saved.json")
        return {"saved.json": (Path(folder) / "saved.json").read_bytes()}


def _of_baseline(baseline: str, metric: str = "mrr") -> Case:
    """A result that is not one of the same definition and data."""
    return _gate(
        f"difference('{metric}', baseline={baseline}, {_MARGIN})",
        Follow("Pass the baseline's run", f"difference('{metric}', baseline=old, {_MARGIN})", _DIFFERENCE),
        Follow(_EVALUATED, f"difference('{metric}', baseline=§, {_MARGIN})", _DIFFERENCE, _FILLED),
    )


def _of_saved(saved: dict[str, str | bytes]) -> Case:
    return Case(
        f"{_GATE} --baseline saved.json --not-worse-by 0.01",
        (Follow("--baseline RUN", f"{_GATE} § --not-worse-by 0.01", _VALUE, {"RUN": "old.csv"}),),
        files=_FILES | saved,
    )


CASES = (
    # what is required
    _gate(
        "value('mrr')",
        Follow("at_least=0.3", "value('mrr', §)", _VALUE),
        Follow("not_worse_by=0.01", "difference('mrr', baseline=old, §)", _DIFFERENCE),
    ),
    Case(
        _GATE,
        (
            Follow("--at-least 0.3", f"{_GATE} §", _VALUE),
            Follow("--baseline RUN --not-worse-by 0.01", f"{_GATE} §", _VALUE, {"RUN": "old.csv"}),
        ),
        files=_FILES,
    ),
    _gate(
        f"value('mrr', {_MARGIN})",
        Follow("baseline=…", f"difference('mrr', {_MARGIN}, §)", _DIFFERENCE, {"…": "old"}),
    ),
    Case(
        f"{_GATE} --not-worse-by 0.01",
        (Follow("--baseline RUN", f"{_GATE} --not-worse-by 0.01 §", _VALUE, {"RUN": "old.csv"}),),
        files=_FILES,
    ),
    _gate(
        "value('mrr', at_least={'map': 0.3})",
        Follow("mrr", "value('mrr', at_least={'§': 0.3})", _VALUE),
    ),
    Case(
        f"{_GATE} --at-least map=0.3",
        (Follow("mrr", f"{_GATE} --at-least §=0.3", _VALUE),),
        files=_FILES,
    ),
    _gate(
        "value('mrr', at_least={'mrr': 0.3, 'rankconv:mrr': 0.2})",
        Follow("Give one value for each metric", "value('mrr', at_least={'mrr': 0.3})", _VALUE),
    ),
    *(
        _gate(
            f"value('mrr', baseline=old, not_worse_by={margin})",
            Follow("a number from 0 on", "difference('mrr', baseline=old, not_worse_by=0)", _DIFFERENCE),
            Follow('"5%"', "difference('mrr', baseline=old, not_worse_by=§)", _DIFFERENCE),
        )
        for margin in ("'x%'", "-1", "True", "[0.1]")
    ),
    *(
        _gate(
            f"value('items_shown@2', {how})",
            Follow("means over users", f"value('mrr', {how})", _VALUE),
            Follow("a floor without confidence and segments takes any metric", "value('items_shown@2', at_least=1)", 2),
        )
        for how in (
            "at_least=0.3, confident=True",
            "baseline=old, not_worse_by=0.01",
            "at_least=0.3, by='age', user_features={'u': {'age': 1}, 'v': {'age': 2}}",
        )
    ),
    *(
        _gate(cause, Follow("Pass one alone", "difference('mrr', baseline=old, not_worse_by=0.01)", _DIFFERENCE))
        for cause in (
            "rc.gate(labels, {'bm25': run, 'dense': old}, 'mrr', at_least=0.3)",
            "rc.gate(labels, run, 'mrr', baseline=rc.Runs(bm25=run, dense=old), not_worse_by=0.01)",
        )
    ),
    # segments
    *(
        _gate(
            f"value('mrr', at_least=0.3, by='{by}')",
            Follow(
                "user_features=…",
                f"value('mrr', at_least=0.3, by='{by}', §)",
                _VALUE,
                {"…": f"{{'u': {{'{by}': 1}}, 'v': {{'{by}': 2}}}}"},
            ),
        )
        for by in ("age", "activity")
    ),
    Case(
        f"{_GATE} --at-least 0.3 --by age",
        (Follow("--user-features FILE", f"{_GATE} --at-least 0.3 --by age §", _VALUE, {"FILE": "users.csv"}),),
        files=_FILES,
    ),
    *(
        _gate(
            f"value('mrr', at_least=0.3, by='{by}', user_features={{'u': {{'age': 1}}, 'v': {{'age': 2}}}})",
            Follow(
                "age",
                "value('mrr', at_least=0.3, by='§', user_features={'u': {'age': 1}, 'v': {'age': 2}})",
                _VALUE,
            ),
        )
        for by in ("agee", "activity")
    ),
    # baselines
    _of_baseline("older('map')"),
    _of_baseline("older('mrr', 'trec_eval')"),
    _of_baseline("older(by_labels={'u': ['a'], 'v': ['b']})"),
    _gate(
        f"difference('mrr@3', baseline=older('mrr@5'), {_MARGIN})",
        Follow("mrr@5", f"difference('§', baseline=older('mrr@5'), {_MARGIN})", _DIFFERENCE),
        Follow("Pass the baseline's run", f"difference('mrr@3', baseline=old, {_MARGIN})", _DIFFERENCE),
        Follow(
            _EVALUATED,
            f"difference('mrr@3', baseline=§, {_MARGIN})",
            _DIFFERENCE,
            _FILLED | {"metrics": "'mrr@3'"},
        ),
    ),
    _of_saved(_saved("map")),
    _of_saved(_saved("mrr", "trec_eval")),
    _of_saved(_saved("mrr", relevant="a")),
    _gate(
        f"difference('mrr(on-not-in-run=skip)', baseline={{'u': ['a', 'b']}}, {_MARGIN})",
        Follow(
            "Rank the same users in both runs",
            f"difference('mrr(on-not-in-run=skip)', baseline=old, {_MARGIN})",
            _DIFFERENCE,
        ),
    ),
    *(  # F1 in the first place is 0/0 for a user without a hit, though both runs rank him
        _gate(
            f"difference('f1(on-zero-division=skip)@1', baseline={baseline}, {_MARGIN})",
            Follow("on-zero-division=0", f"difference('f1(§)@1', baseline=old, {_MARGIN})", 0.5),
        )
        for baseline in ("{'u': ['a'], 'v': ['a']}", "rc.evaluate(labels, old, 'f1(on-zero-division=skip)@1')")
    ),
    # locks
    Case(
        "value('mrr', at_least=0.3, lock='lock.json')",
        (Follow("Gate without a lock", "value('mrr', at_least=0.3)", _VALUE),),
        given=_SIDES,
        patched={"rankconv.addons.gate.lock.digests_of": lambda signature: {"labels": "not-read"}},
    ),
    _gate(
        "value(rc.metric('ndcg@2').replace(gain=as_given), at_least=0.3, lock='lock.json')",
        Follow(
            "Register it under a name in a plugin",
            "named()",
            (1 / 1.584962500721156 + 1) / 2,
        ),
        given="""
import json, subprocess, sys

__name__ = 'cases'

def as_given(grades):
    return grades * 1.0

def named():
    Path('own.py').write_text('import rankconv as rc\\n@rc.convention("gain").setting("as-given", rule="g")\\n'
                              'def _(grades):\\n    return grades * 1.0\\n')
    Path('labels.csv').write_text('user,item\\nu,b\\nv,b\\n')
    Path('run.csv').write_text('user,item,score\\nu,a,2\\nu,b,1\\nv,b,1\\n')
    words = 'gate labels.csv run.csv -m ndcg(gain=as-given)@2 --at-least 0.3 --lock lock.json --plugin own.py'
    done = subprocess.run([sys.executable, '-m', 'rankconv', *words.split(), '--format', 'json'], capture_output=True)
    return json.loads(done.stdout)['decisions'][0]['value'] if Path('lock.json').exists() else 0.0
""",
    ),
    _gate(
        "[value(metric, at_least=0.3, lock='lock.json') for metric in ('map', 'mrr')]",
        Follow(
            "remove the file: the next gate writes it anew",
            "(Path('lock.json').unlink(), value('mrr', at_least=0.3, lock='lock.json'), "
            "value('mrr', at_least=0.3, lock='lock.json', of=old))[2]",
            0.5,
        ),
    ),
    Case(
        f"{_GATE} --at-least 0.3 --lock lock.json",
        (
            Follow(
                "Name another file",
                f"{_GATE} --at-least 0.3 --lock other.json",
                _VALUE,
            ),
        ),
        files=_FILES | {"lock.json": "{}"},
    ),
    Case(
        "value('mrr', at_least=0.3, lock='lock.json')",
        (
            Follow(
                "Remove the file: the next gate writes it anew",
                "(Path('lock.json').unlink(), value('mrr', at_least=0.3, lock='lock.json'), "
                "value('mrr', at_least=0.3, lock='lock.json', of=old))[2]",
                0.5,
            ),
        ),
        given=_SIDES,
        files={"lock.json": '{"form": 7, "metrics": {}}'},
    ),
    _gate(
        "value('mrr', at_least=0.3, lock=5)",
        Follow("the path of one", "value('mrr', at_least=0.3, lock=Path('lock.json'))", _VALUE),
    ),
)
