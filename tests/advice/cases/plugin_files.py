"""Plugins: files that are loaded, and the metrics, conventions, settings, steps and commands that they register."""

from types import SimpleNamespace
from typing import Any

from tests.advice.case import Case, Follow

_HEAD = (
    "import rankconv as rc\nfrom rankconv import plugin\nfrom typing import Annotated, ClassVar\n"
    "from rankconv.conventions.parameters import Within\n"
)
_RUN = "{'u': ['a', 'b']}"
_VALUE = f"ev({{'u': ['b']}}, {_RUN}, '§')"


def _loaded(metric: str) -> str:
    return f"(rc.load_plugin('own.py'), {_VALUE.replace('§', metric)})[1]"


def _case(wrong: str, *follows: tuple[str, str, str, float]) -> Case:
    """A plugin that is refused; what the message says, the plugin that does it, a metric then, and its value."""
    return Case(
        "rc.load_plugin('own.py')",
        tuple(
            Follow(says, _loaded(metric), value, files={"own.py": _HEAD + right})
            for says, right, metric, value in follows
        ),
        files={"own.py": _HEAD + wrong},
    )


def _like(metric: str, name: str, field: str = "") -> str:
    """A metric that computes what this one does."""
    fields = f"    {field}\n" if field else ""
    return f"class Own(rc.metric('{metric}').metric.__class__):\n    name = '{name}'\n{fields}"


def _setting(name: str, convention: str = "gain", of: str = "grades", more: str = "", body: str = "grades + 1") -> str:
    return (
        f"@rc.convention('{convention}').setting('{name}', rule='g plus 1', says='one more'{more})\n"
        f"def _({of}): return {body}\n"
    )


_STEP = (
    "{0} = plugin.Convention('{1}', 'Adverts', reads=('block',){2})\n"
    "@{0}.setting('kept', rule='they stay', no='removal of adverts')\ndef _(block): ...\n"
    "plugin.preparation_step({0}, after='{3}')\n"
)


class _Broken:
    """An entry point of a package that cannot be imported."""

    name, value, dist = "shop", "shop.plugin", SimpleNamespace(name="shop")

    def load(self) -> None:
        raise AttributeError("no such thing")


def _entry_points(**_: Any) -> list[_Broken]:
    return [_Broken()]


CASES = (
    # files
    Case(
        "rc.load_plugin(5)",
        (
            Follow(
                "Pass the path of a Python file",
                _loaded("cg(gain=advice-one)"),
                2.0,
                files={"own.py": _HEAD + _setting("advice-one")},
            ),
        ),
    ),
    Case(
        "rankconv --plugin own.txt evaluate labels.csv run.csv -m 'cg(gain=advice-two)'",
        (
            Follow(
                "A plugin ends in .py",
                "rankconv --plugin own.py evaluate labels.csv run.csv -m 'cg(gain=advice-two)'",
                2.0,
                files={"own.py": _HEAD + _setting("advice-two")},
            ),
        ),
        files={
            "own.txt": _HEAD + _setting("advice-two"),
            "labels.csv": "user,item\nu,b\n",
            "run.csv": "user,item,score\nu,a,2\nu,b,1\n",
        },
    ),
    Case(
        "plugins.load_installed.__wrapped__()",
        (
            Follow("Repair shop", f"(plugins.load_installed.__wrapped__(), {_VALUE.replace('§', 'mrr')})[1]", 0.5),
            Follow("uninstall it", f"(plugins.load_installed.__wrapped__(), {_VALUE.replace('§', 'mrr')})[1]", 0.5),
        ),
        given="from rankconv.basics import plugins",
        patched={"importlib.metadata.entry_points": _entry_points},
    ),
    Case(
        "provide('rankconv_plugin_gone', 'gone.py')",
        (
            Follow(
                "Copy it there",
                f"(provide('rankconv_plugin_gone', 'gone.py'), {_VALUE.replace('§', 'cg(gain=advice-gone)')})[1]",
                2.0,
                files={"gone.py": _HEAD + _setting("advice-gone")},
            ),
            Follow(
                "send the numbers alone",
                f"pickle.loads(pickle.dumps(dict(rc.evaluate({{'u': ['b']}}, {_RUN}, 'mrr'))))['mrr']",
                0.5,
            ),
        ),
        given="import pickle\nfrom rankconv.basics.plugins import provide",
    ),
    Case(
        "provide('no_such_module', '')",
        (
            Follow(
                "Import it there first",
                "(sys.modules.update(no_such_module=json), provide('no_such_module', ''), "
                f"sys.modules.pop('no_such_module'), {_VALUE.replace('§', 'mrr')})[3]",
                0.5,
            ),
            Follow(
                "keep the code in a plugin file",
                f"(provide('no_such_module', 'kept.py'), {_VALUE.replace('§', 'cg(gain=advice-kept)')})[1]",
                2.0,
                files={"kept.py": _HEAD + _setting("advice-kept")},
            ),
        ),
        given="import json, sys\nfrom rankconv.basics.plugins import provide",
    ),
    Case(
        "rc.load_plugin('other.py')",
        (
            Follow(
                "Give this command another name",
                f"(rc.load_plugin('other.py'), {_VALUE.replace('§', 'mrr')})[1]",
                0.5,
                files={"other.py": f"{_HEAD}@plugin.command\ndef advice_again() -> None:\n    'Count'\n"},
            ),
        ),
        given="Path('one.py').write_text(Path('other.py').read_text().replace('again', 'once')); "
        "rc.load_plugin('one.py')",
        files={"other.py": f"{_HEAD}@plugin.command\ndef advice_once() -> None:\n    'Count'\n"},
    ),
    # names that are taken
    _case(
        _setting("linear"),
        ("another name, with the plugin's in front", _setting("own-linear"), "cg(gain=own-linear)", 2.0),
    ),
    Case(
        "rc.load_plugin('other.py')",
        (
            Follow(
                "another name, with the plugin's in front",
                f"(rc.load_plugin('other.py'), {_VALUE.replace('§', 'cg(gain=other-twice)')})[1]",
                4.0,
                files={"other.py": _HEAD + _setting("other-twice", body="4 * grades")},
            ),
            Follow("load one of the two plugins", _VALUE.replace("§", "cg(gain=twice)"), 2.0),
        ),
        given="rc.load_plugin('one.py')",
        files={
            "one.py": _HEAD + _setting("twice", body="2 * grades"),
            "other.py": _HEAD + _setting("twice", body="4 * grades"),
        },
    ),
    _case(
        "plugin.Convention('ties', 'Own ties', neutral='kept')\n",
        (
            "another name, with the plugin's in front",
            _STEP.format("OWN", "own-ties", ", neutral='kept'", "exclude"),
            "mrr(own-ties=kept)",
            0.5,
        ),
    ),
    _case(
        "class Own(plugin.Metric):\n    name = 'ndcg'\n",
        (
            "another name, with the plugin's in front",
            _like("mrr", "own_rr"),
            "own_rr",
            0.5,
        ),
    ),
    # metrics
    _case(
        _like("mrr", "own_rr2", "rangee = (0.0, 1.0)"),
        (
            "range",
            _like("mrr", "own_rr2", "range = (0.0, 1.0)"),
            "own_rr2",
            0.5,
        ),
        (
            "Write rangee: ClassVar[…] = …",
            _like("mrr", "own_rr2", "rangee: ClassVar[int] = 1"),
            "own_rr2",
            0.5,
        ),
    ),
    _case(
        _like("cg", "own_cg", "gains: Annotated[str, rc.convention('gain')] = 'linear'"),
        (
            "Call it gain",
            _like("cg", "own_cg", "gain: Annotated[str, rc.convention('gain')] = 'linear'"),
            "own_cg",
            1.0,
        ),
    ),
    _case(
        _like("cg", "own_cg2", "gain: str = 'linear'"),
        (
            'Write gain: Annotated[str, rc.convention("gain")]',
            _like("cg", "own_cg2", 'gain: Annotated[str, rc.convention("gain")] = "linear"'),
            "own_cg2",
            1.0,
        ),
        (
            "or ClassVar for a constant",
            _like("cg", "own_cg2", "most: ClassVar[str] = 'linear'"),
            "own_cg2",
            1.0,
        ),
    ),
    _case(
        _like("cg", "own_cg3", "advice_gain: str = 'linear'"),
        (
            "Write advice_gain: ClassVar[…] = … for a constant",
            _like("cg", "own_cg3", "advice_gain: ClassVar[str] = 'x'"),
            "own_cg3",
            1.0,
        ),
        (
            "define the convention first: plugin.Convention(…)",
            "A = plugin.Convention('advice-gain', 'Gain', reads=('grades',))\n"
            "@A.setting('linear', rule='g')\ndef _(grades): return grades\n"
            + _like("cg", "own_cg3", "advice_gain: Annotated[str, A] = 'linear'"),
            "own_cg3",
            1.0,
        ),
    ),
    # settings
    _case(
        _setting("advice-three", of="grade", body="grade + 1"),
        (
            "Settings of 'gain' read grades, relevant, level",
            _setting("advice-three"),
            "cg(gain=advice-three)",
            2.0,
        ),
        (
            "Rename it",
            _setting("advice-three"),
            "cg(gain=advice-three)",
            2.0,
        ),
        (
            "grade: Annotated[float, Within(0, 1)]",
            _setting("advice-three", of="grades, grade: Annotated[float, Within(0, 1)]", body="grades + grade"),
            "cg(gain=advice-three(0.5))",
            1.5,
        ),
    ),
    _case(
        _setting("advice-four", more=", span_users=True"),
        ("spans_users", _setting("advice-four", more=", spans_users=True"), "cg(gain=advice-four)", 2.0),
        (
            "Traits are the fields of rankconv.plugin.Traits",
            _setting("advice-four", more=", **{plugin.Traits.__annotations__ and 'spans_users': True}"),
            "cg(gain=advice-four)",
            2.0,
        ),
        (
            "plugin.Convention(…, traits=MyTraits), with class MyTraits(plugin.Traits)",
            "class MyTraits(plugin.Traits):\n    span_users: bool = False\n"
            "A = plugin.Convention('advice-spans', 'Gain', reads=('grades',), traits=MyTraits)\n"
            "@A.setting('linear', rule='g', span_users=True)\ndef _(grades): return grades\n",
            "mrr",
            0.5,
        ),
    ),
    _case(
        _setting("advice-five", more=", spans_users='yes'"),
        ("Its type is bool", _setting("advice-five", more=", spans_users=True"), "cg(gain=advice-five)", 2.0),
    ),
    _case(
        "class MyTraits(plugin.Traits):\n    loud: bool\n",
        (
            "Give it the value of settings that do not state it: loud: … = None",
            "class MyTraits(plugin.Traits):\n    loud: bool | None = None\n",
            "mrr",
            0.5,
        ),
    ),
    _case(
        _setting("sometimes", "k-accepted", "", body="1"),
        (
            "They are: optional, required",
            "OWN = rc.metric('precision').replace(**{'k-accepted': 'optional'})\n",
            "precision",
            0.5,
        ),
    ),
    # steps
    _case(
        _STEP.format("OWN", "advice-adverts", "", "exclude"),
        (
            'Write plugin.Convention(…, neutral="kept")',
            _STEP.format("OWN", "advice-adverts", ', neutral="kept"', "exclude"),
            "mrr(advice-adverts=kept)",
            0.5,
        ),
    ),
    Case(
        _loaded("mrr(unjudged=advice-six)"),
        (
            Follow(
                'moment="before-depth"',
                _loaded("mrr(unjudged=advice-six)"),
                0.5,
                files={
                    "own.py": _HEAD + _setting("advice-six", "unjudged", "block", ', moment="before-depth"', "None")
                },
            ),
            Follow(
                "The steps of unjudged are: before-depth, after-depth",
                _loaded("mrr(unjudged=advice-six)"),
                0.5,
                files={"own.py": _HEAD + _setting("advice-six", "unjudged", "block", ', moment="after-depth"', "None")},
            ),
        ),
        files={"own.py": _HEAD + _setting("advice-six", "unjudged", "block", "", "None")},
    ),
    Case(
        _loaded("mrr(exclude=advice-seven)"),
        (
            Follow(
                "A setting may say plain= of: always",
                _loaded("mrr(exclude=advice-seven)"),
                0.5,
                files={"own.py": _HEAD + _setting("advice-seven", "exclude", "block", ", plain='always'", "None")},
            ),
        ),
        files={"own.py": _HEAD + _setting("advice-seven", "exclude", "block", ", plain='alway'", "None")},
    ),
    # pickled
    Case(
        "pickle.dumps(made().with_settings({**rc.metric('cg').metric.fields}))",
        (
            Follow(
                "Define it once, at the top of a module or of a plugin file",
                "(rc.load_plugin('own.py'), "
                f"pickle.loads(pickle.dumps(rc.metric('own_cg9')))({{'u': ['b']}}, {_RUN}))[1]",
                1.0,
                files={"own.py": _HEAD + _like("cg", "own_cg9")},
            ),
        ),
        given="""
import pickle

def made():
    class Own(rc.metric('cg').metric.__class__):
        name = ''
    return Own
""",
    ),
)
