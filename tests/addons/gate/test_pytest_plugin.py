"""The fixture and the option of the pytest plugin, in runs of pytest of their own."""

import os
import subprocess
import sys
import tomllib
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

import rankconv as rc

ROOT = Path(__file__).parents[3]
CI = ROOT / "examples/ci"
PLUGIN = "rankconv.addons.gate.pytest_plugin"
MARGIN = """
def test_search(rankconv):
    assert rankconv.gate("labels.csv", "branch.csv", "ndcg@5", "trec_eval", not_worse_by={margin}).ok
"""
LOST = """
def test_search(rankconv):
    found = {u: ["a"] for u in range(9)}
    rankconv.gate(found, {u: ["x"] for u in found}, "mrr", baseline=found, not_worse_by=0.01)
"""
Pytest = Callable[..., tuple[int, str]]


@pytest.fixture
def run_pytest(tmp_path: Path) -> Pytest:
    """The exit code and the output of pytest on one file, next to the data of the example."""
    for name in ("labels.csv", "branch.csv", "main.csv"):
        (tmp_path / name).write_bytes((CI / name).read_bytes())

    def run(text: str, *options: str) -> tuple[int, str]:
        (tmp_path / "test_it.py").write_text(text, "utf-8")
        environment = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(ROOT / "src")}
        command = [sys.executable, "-m", "pytest", "-p", PLUGIN, "-p", "no:cacheprovider", "-rs", *options]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    return run


def test_the_package_names_the_plugin() -> None:
    stated = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"]["pytest11"]
    assert stated == {"rankconv": PLUGIN}
    assert callable(import_module(PLUGIN).pytest_addoption)


def test_a_run_within_the_margin_passes_and_its_definition_is_printed(run_pytest: Pytest, tmp_path: Path) -> None:
    code, said = run_pytest(MARGIN.format(margin=0.01), "--rankconv-baseline", "main.csv")
    whole = rc.gate(
        *(CI / name for name in ("labels.csv", "branch.csv")),
        "ndcg@5",
        "trec_eval",
        baseline=CI / "main.csv",
        not_worse_by=0.01,
    )
    assert code == 0
    assert whole.summary in said


def test_a_loss_fails_with_the_table(run_pytest: Pytest) -> None:
    pytest.importorskip("scipy")
    code, said = run_pytest(LOST)
    assert code == 1
    assert "FAIL: The run" in said
    assert "not worse by 0.01" in said


def test_without_the_option_a_margin_is_skipped_and_a_floor_decides(run_pytest: Pytest) -> None:
    pytest.importorskip("scipy")
    code, said = run_pytest(MARGIN.format(margin=0.01))
    assert code == 0
    assert "1 skipped" in said
    assert "a margin needs a baseline: --rankconv-baseline PATH" in said
    code, said = run_pytest(MARGIN.format(margin="0.01, at_least=0.99"))
    assert code == 1
    assert "not decided without --rankconv-baseline: not worse by 0.01" in said
    assert run_pytest(MARGIN.format(margin="0.01, at_least=0.5"))[0] == 0


def test_a_folder_has_a_baseline_for_each_test(run_pytest: Pytest, tmp_path: Path) -> None:
    (tmp_path / "baselines").mkdir()
    said = run_pytest(MARGIN.format(margin=0.01), "--rankconv-baseline", "baselines")[1]
    assert "no file there is named test_search, as the test" in said
    rc.evaluate(CI / "labels.csv", CI / "main.csv", "ndcg@5", "trec_eval").save(tmp_path / "baselines/test_search.json")
    assert run_pytest(MARGIN.format(margin=0.01), "--rankconv-baseline", "baselines")[0] == 0
    (tmp_path / "baselines/test_search.csv").write_bytes((CI / "main.csv").read_bytes())
    assert "more than one file" in run_pytest(MARGIN.format(margin=0.01), "--rankconv-baseline", "baselines")[1]


def test_a_baseline_that_is_not_there_is_a_mistake_of_the_call(run_pytest: Pytest) -> None:
    code, said = run_pytest(MARGIN.format(margin=0.01), "--rankconv-baseline", "gone.csv")
    assert code != 0
    assert "there is no such file or folder" in said


def test_the_plugin_loads_nothing_of_the_package_before_a_gate(run_pytest: Pytest) -> None:
    text = "import sys\n\ndef test_it(rankconv):\n    assert 'numpy' not in sys.modules\n"
    assert run_pytest(text)[0] == 0
