"""Code of the user's that adds metrics and answers."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import rankconv as rc

LABELS, RUN = {"u": {"a": 3, "b": 1}}, {"u": ["a", "b", "x"]}

PLUGIN = '''
import numpy as np
import rankconv as rc

class Constant(rc.Metric):
    """Which number is it?"""

    name = "constant"
    spellings = ("always",)

    def per_user(self, block: rc.Block) -> rc.Ratio:
        return rc.Ratio(np.full(block.size, VALUE), np.ones(block.size))

@rc.choices["gain"].option("scaled", rule="VALUE g")
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
    rc.METRICS.pop("constant", None)
    rc.choices["gain"].options.pop("scaled", None)


def mean(spec: str) -> float:
    return rc.evaluate(LABELS, RUN, spec)[spec]


def test_a_plugin_adds_a_metric(plugin: Callable[[float], Path]) -> None:
    rc.load_plugin(plugin(0.5))
    assert mean("constant@2") == 0.5
    assert rc.evaluate(LABELS, RUN, "always@3").definition("always@3").key == "constant"
    assert not rc.preset("blog").offers("constant")
    assert rc.preset("blog").but(metrics={"constant": {}}).offers("constant")


def test_a_plugin_adds_an_answer(plugin: Callable[[float], Path]) -> None:
    rc.load_plugin(str(plugin(0.5)))
    assert mean("cg(gain=scaled)@2") == 0.5 * 3 + 0.5 * 1
    assert "scaled" in rc.choices["gain"].names
    assert {"const": "scaled", "description": "0.5 g. As much of the grade."} in rc.choices["gain"].json_schema["oneOf"]


def test_the_same_file_again_replaces(plugin: Callable[[float], Path]) -> None:
    rc.load_plugin(plugin(0.5))
    rc.load_plugin(plugin(0.25))
    assert mean("constant@4") == 0.25
    assert mean("cg(gain=scaled)@3") == 0.25 * 3 + 0.25 * 1
    assert rc.choices["gain"].options["scaled"].rule == "0.25 g"


@pytest.mark.parametrize(("spec", "first"), [("constant@5", 0.5), ("cg(gain=scaled)@5", 2)])
def test_the_same_file_again_replaces_what_was_used_already(
    plugin: Callable[[float], Path], spec: str, first: float
) -> None:
    rc.load_plugin(plugin(0.5))
    assert mean(spec) == first
    rc.load_plugin(plugin(0.25))
    assert mean(spec) == first / 2


def test_the_name_of_a_built_in_metric_cannot_be_taken(tmp_path: Path) -> None:
    file, built_in = tmp_path / "mine.py", rc.METRICS["recall"]
    file.write_text(PLUGIN.replace('"constant"', '"recall"'))
    with pytest.raises(rc.ConventionError, match=r"the metric 'recall' is already defined by rankconv\.metrics\."):
        rc.load_plugin(file)
    assert rc.METRICS["recall"] is built_in


def test_the_name_of_a_built_in_answer_cannot_be_taken(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(PLUGIN.partition("class")[0] + "@rc." + PLUGIN.partition("@rc.")[2].replace('"scaled"', '"binary"'))
    with pytest.raises(rc.ConventionError, match=r"'binary' already answers gain, in rankconv\.metrics\."):
        rc.load_plugin(file)


def test_two_files_cannot_share_a_name(plugin: Callable[[float], Path], tmp_path: Path) -> None:
    rc.load_plugin(plugin(0.5))
    other = tmp_path / "other.py"
    other.write_text(PLUGIN.replace("VALUE", "0.75"))
    with pytest.raises(rc.ConventionError, match="the metric 'constant' is already defined by Constant in ") as error:
        rc.load_plugin(other)
    assert str(error.value).startswith(f"{other}, line 5: ")
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
