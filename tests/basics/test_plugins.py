"""Code of the user's that adds metrics and settings."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import rankconv as rc
from rankconv.cli import main
from rankconv.metrics import METRICS

LABELS, RUN = {"u": {"a": 3, "b": 1}}, {"u": ["a", "b", "x"]}

PLUGIN = '''
import numpy as np
import rankconv as rc
from rankconv import plugin
from rankconv.metrics import METRICS

class Constant(plugin.Metric):
    """Which number is it?"""

    name = "constant"
    spellings = ("always",)

    def per_user(self, block: plugin.Block) -> plugin.Ratio:
        return plugin.Ratio(np.full(block.size, VALUE), np.ones(block.size))

@rc.convention("gain").setting("scaled", rule="VALUE g")
def _(grades):
    """As much of the grade."""
    return VALUE * grades
'''


@pytest.fixture
def plugin(tmp_path: Path) -> Iterator[Callable[[float], Path]]:
    """Writes a plugin file with this number in it; what it adds is taken back after the test."""

    def write(value: float) -> Path:
        file = tmp_path / "constant.py"
        file.write_text(PLUGIN.replace("VALUE", str(value)))
        return file

    yield write
    METRICS.pop("constant", None)
    rc.convention("gain").setting_types.pop("scaled", None)


def mean(spec: str) -> float:
    return rc.evaluate(LABELS, RUN, spec)[spec]


def test_a_plugin_adds_a_metric(plugin: Callable[[float], Path]) -> None:
    rc.load_plugin(plugin(0.5))
    assert mean("constant@2") == 0.5
    assert rc.evaluate(LABELS, RUN, "always@3").definition("always@3").key == "constant"
    assert not rc.preset("blog").offers("constant")
    assert rc.preset("blog").replace(metrics={"constant": {}}).offers("constant")


def test_a_plugin_adds_a_setting(plugin: Callable[[float], Path]) -> None:
    rc.load_plugin(str(plugin(0.5)))
    assert mean("cg(gain=scaled)@2") == 0.5 * 3 + 0.5 * 1
    assert "scaled" in rc.convention("gain").names
    assert {"const": "scaled", "description": "0.5 g. As much of the grade."} in rc.convention("gain").json_schema[
        "oneOf"
    ]


def test_the_same_file_again_replaces(plugin: Callable[[float], Path]) -> None:
    rc.load_plugin(plugin(0.5))
    rc.load_plugin(plugin(0.25))
    assert mean("constant@4") == 0.25
    assert mean("cg(gain=scaled)@3") == 0.25 * 3 + 0.25 * 1
    assert rc.convention("gain").setting_types["scaled"].rule == "0.25 g"


@pytest.mark.parametrize(("spec", "first"), [("constant@5", 0.5), ("cg(gain=scaled)@5", 2)])
def test_the_same_file_again_replaces_what_was_used_already(
    plugin: Callable[[float], Path], spec: str, first: float
) -> None:
    rc.load_plugin(plugin(0.5))
    assert mean(spec) == first
    rc.load_plugin(plugin(0.25))
    assert mean(spec) == first / 2


def test_the_name_of_a_built_in_metric_cannot_be_taken(tmp_path: Path) -> None:
    file, built_in = tmp_path / "mine.py", METRICS["recall"]
    file.write_text(PLUGIN.replace('"constant"', '"recall"'))
    with pytest.raises(rc.ConventionError, match=r"the metric 'recall' is already defined by rankconv\.metrics\."):
        rc.load_plugin(file)
    assert METRICS["recall"] is built_in


def test_the_name_of_a_built_in_setting_cannot_be_taken(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(PLUGIN.partition("class")[0] + "@rc." + PLUGIN.partition("@rc.")[2].replace('"scaled"', '"binary"'))
    with pytest.raises(rc.ConventionError, match=r"'binary' is already a setting of gain, in rankconv\.metrics\."):
        rc.load_plugin(file)


def test_two_files_cannot_share_a_name(plugin: Callable[[float], Path], tmp_path: Path) -> None:
    rc.load_plugin(plugin(0.5))
    other = tmp_path / "other.py"
    other.write_text(PLUGIN.replace("VALUE", "0.75"))
    with pytest.raises(rc.ConventionError, match="the metric 'constant' is already defined by Constant in ") as error:
        rc.load_plugin(other)
    assert str(error.value).startswith(f"{other}, line 7: ")
    assert str(tmp_path / "constant.py. Give this metric another name") in str(error.value)
    assert mean("constant@6") == 0.5


@pytest.mark.parametrize("name", ["gone.py", "."])
def test_a_missing_file_is_an_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(rc.InputError, match="there is no plugin file"):
        rc.load_plugin(tmp_path / name)


def test_a_file_that_is_no_python_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("x = 1")
    with pytest.raises(rc.InputError, match=r"mine\.txt is not a Python file\. A plugin ends in \.py\."):
        rc.load_plugin(file)


# what fails, and what clashes


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = 1\nraise ValueError('no luck')\n", r"mine\.py, line 2: the plugin cannot be loaded: ValueError: no luck"),
        ("import no_such_module_at_all\n", r"mine\.py, line 1: .*ModuleNotFoundError: No module named 'no_such_mod"),
        ("x = 1\ndef f(:\n", r"mine\.py, line 2: the plugin cannot be loaded: SyntaxError: "),
        ("import sys\n\nsys.exit(3)\n", r"mine\.py, line 3: the plugin cannot be loaded: SystemExit: 3"),
        ("def f():\n    return {}['a']\n\nf()\n", r"mine\.py, line 2: the plugin cannot be loaded: KeyError: 'a'"),
        ("import json\njson.loads('{')\n", r"mine\.py, line 2: the plugin cannot be loaded: JSONDecodeError: "),
        ("\0", r"mine\.py.*: the plugin cannot be loaded: "),
    ],
)
def test_a_plugin_that_fails_is_one_message_with_its_line(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "mine.py"
    file.write_text(text)
    before = {*sys.modules}
    with pytest.raises(rc.InputError, match=said):
        rc.load_plugin(file)
    assert not [name for name in {*sys.modules} - before if name.startswith("rankconv_plugin_mine")]


@pytest.mark.parametrize(("text", "said"), [("\n1 / 0\n", "ZeroDivisionError"), ("\nif\n", "SyntaxError")])
def test_the_line_is_told_where_the_path_is_relative(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("own.py").write_text(text)
    with pytest.raises(rc.InputError, match=f"^own.py, line 2: the plugin cannot be loaded: {said}"):
        rc.load_plugin("own.py")


def test_on_the_command_line_it_ends_with_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("typer")
    file = tmp_path / "mine.py"
    file.write_text("import no_such_module_at_all\n")
    monkeypatch.setattr("sys.argv", ["rankconv", "list", "metrics", "--plugin", str(file)])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 2
    assert capsys.readouterr().err.startswith(f"rankconv: {file}, line 1: the plugin cannot be loaded: ModuleNotFound")


SETTING = '''
import numpy as np
import rankconv as rc

FACTOR = {factor}

def scaled(grades):
    return FACTOR * grades

@rc.convention("gain").setting("scaled", rule="{rule}")
def _(grades):
    """Scaled."""
    return {code}
'''


def two_plugins(tmp_path: Path, **other: object) -> None:
    given: dict[str, object] = {"factor": 2, "rule": "2 g", "code": "scaled(grades)"}
    for name, said in (("one", given), ("two", given | other)):
        (tmp_path / f"{name}.py").write_text(("# moved down\n" if name == "two" else "") + SETTING.format(**said))
        rc.load_plugin(tmp_path / f"{name}.py")


def test_two_plugins_may_ship_the_same_setting(tmp_path: Path) -> None:
    two_plugins(tmp_path)
    assert mean("cg(gain=scaled)@2") == 2 * 3 + 2 * 1


@pytest.mark.parametrize(
    "other", [{"factor": 3}, {"rule": "twice g"}, {"code": "FACTOR * grades"}, {"code": "3 * grades"}]
)
def test_two_plugins_that_differ_are_told_where_and_how_to_rename(tmp_path: Path, other: dict[str, object]) -> None:
    with pytest.raises(rc.ConventionError) as error:
        two_plugins(tmp_path, **other)
    said = str(error.value)
    assert f"'scaled' is already a setting of gain, in {tmp_path / 'one.py'}: 2 g; this one says: " in said
    assert said.startswith(f"{tmp_path / 'two.py'}, line ")
    assert said.endswith("Give this setting another name, with the plugin's in front, or load one of the two plugins.")
    assert mean("cg(gain=scaled)@2") == 2 * 3 + 2 * 1


def test_files_of_one_name_in_two_folders_are_two_plugins(tmp_path: Path) -> None:
    for folder, factor in (("one", 2), ("two", 3)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mine.py").write_text(SETTING.format(factor=factor, rule="f g", code="scaled(grades)"))
    rc.load_plugin(tmp_path / "one" / "mine.py")
    with pytest.raises(rc.ConventionError, match=r"'scaled' is already a setting of gain, in .*one"):
        rc.load_plugin(tmp_path / "two" / "mine.py")


def test_a_setting_may_cite_what_no_preset_knows(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(PLUGIN.replace("VALUE", "2").replace('rule="2 g"', 'rule="2 g", cite="mine2026"'))
    rc.load_plugin(tmp_path / "mine.py")
    assert "scaled" in rc.cite("cg(gain=scaled)@2").to_text()


@pytest.mark.parametrize(
    "code",
    [
        "plugin.Convention('gain', 'How much?', neutral='none')",
        "plugin.special_case('on-above-one', 'The value is above 1', after='on-no-hits')(print)",
    ],
)
def test_what_takes_a_name_of_the_package_is_refused_where_it_is_first(code: str) -> None:
    """Though nothing else was loaded: the package itself would be refused later, by the plugin."""
    done = subprocess.run(
        [sys.executable, "-c", f"from rankconv import plugin; {code}"], capture_output=True, text=True
    )
    assert done.stderr.splitlines()[-1].startswith("rankconv.ConventionError: ")
    assert "is already" in done.stderr.splitlines()[-1]
