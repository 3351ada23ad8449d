"""The action of GitHub and the hook of pre-commit: their steps as scripts, on the data of the example."""

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[3]
ACTION = yaml.safe_load((ROOT / ".github/actions/gate/action.yml").read_text("utf-8"))
[HOOK] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """A folder with the command `rankconv` of this checkout."""
    pytest.importorskip("typer")
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "rankconv"
    program.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT / "src"} exec {sys.executable} -m rankconv "$@"\n', "utf-8")
    program.chmod(program.stat().st_mode | stat.S_IEXEC)
    return folder


@pytest.fixture
def run_action(tmp_path: Path, programs: Path) -> Callable[..., dict[str, Any]]:
    """Run the step of the gate with these inputs, as a runner of GitHub does."""
    pytest.importorskip("scipy")
    work = tmp_path / "work"
    shutil.copytree(ROOT / "examples/ci", work)

    def run(**inputs: str) -> dict[str, Any]:
        given = {name: one.get("default", "") for name, one in ACTION["inputs"].items()} | inputs
        [step] = [one for one in ACTION["runs"]["steps"] if one["id"] == "gate"]
        files = {name: tmp_path / name for name in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT")}
        for file in files.values():
            file.write_text("")
        set_by_step = {name: given[text.split("inputs.")[1].split(" ")[0]] for name, text in step["env"].items()}
        environment = os.environ | set_by_step | {name: str(file) for name, file in files.items()}
        environment["PATH"] = f"{programs}{os.pathsep}{environment['PATH']}"
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        done = subprocess.run(command, cwd=work, env=environment, capture_output=True, text=True)
        texts = {name: file.read_text() for name, file in files.items()}
        return {"code": done.returncode, "out": done.stdout, "folder": work, **texts}

    return run


def lock(folder: Path, programs: Path) -> None:
    command = [programs / "rankconv", "gate", "--settings", "gate.yaml", "--lock", "gate.lock.json"]
    assert subprocess.run(command, cwd=folder, capture_output=True).returncode == 0


def test_it_refuses_to_write_the_lock_itself(run_action: Callable[..., dict[str, Any]]) -> None:
    done = run_action(settings="gate.yaml")
    assert done["code"] == 2
    assert "Write it once, and commit it: rankconv gate --settings gate.yaml --lock gate.lock.json" in done["out"]
    assert done["out"].startswith("::error title=rankconv gate::")
    assert done["GITHUB_OUTPUT"] == "verdict=mistake\n"


def test_a_gate_posts_its_page_and_its_verdict(run_action: Callable[..., dict[str, Any]], programs: Path) -> None:
    folder = run_action(settings="gate.yaml")["folder"]
    lock(folder, programs)
    done = run_action(settings="gate.yaml")
    assert (done["code"], done["GITHUB_OUTPUT"]) == (0, "verdict=pass\n")
    assert done["GITHUB_STEP_SUMMARY"].startswith("PASS: ")
    assert "| recall@5 | not worse by 0.04 |" in done["GITHUB_STEP_SUMMARY"]
    assert "::notice title=rankconv gate::PASS: ndcg@5 of trec_eval" in done["out"]
    same = run_action(settings="gate.yaml", baseline="branch.csv")
    assert (same["code"], same["GITHUB_OUTPUT"]) == (0, "verdict=same\n")


def test_a_loss_fails_and_an_edited_definition_is_a_mistake(
    run_action: Callable[..., dict[str, Any]], programs: Path
) -> None:
    folder = run_action(settings="gate.yaml")["folder"]
    lock(folder, programs)
    settings = (folder / "gate.yaml").read_text("utf-8")
    (folder / "gate.yaml").write_text(settings.replace("at-least: {ndcg@5: 0.5}", "at-least: {ndcg@5: 0.99}"), "utf-8")
    done = run_action(settings="gate.yaml")
    assert (done["code"], done["GITHUB_OUTPUT"]) == (1, "verdict=fail\n")
    assert "::error title=rankconv gate::ndcg@5 is 0.8775" in done["out"]
    (folder / "gate.yaml").write_text(settings.replace("preset: trec_eval", "preset: mllib"), "utf-8")
    done = run_action(settings="gate.yaml")
    assert (done["code"], done["GITHUB_OUTPUT"]) == (2, "verdict=mistake\n")
    assert "this gate is not the locked one" in done["GITHUB_STEP_SUMMARY"]


def test_each_input_is_used_and_each_step_has_a_shell() -> None:
    text = (ROOT / ".github/actions/gate/action.yml").read_text("utf-8")
    assert all(f"${{{{ inputs.{name} }}}}" in text for name in ACTION["inputs"])
    assert all(step["shell"] == "bash" and "${{" not in step["run"] for step in ACTION["runs"]["steps"])


def test_the_hook_checks_the_files_that_it_is_given(programs: Path, tmp_path: Path) -> None:
    presets = tmp_path / "presets"
    presets.mkdir()
    shutil.copy(ROOT / "examples/plugins/my_shop.yaml", presets)
    files = [str(one.relative_to(tmp_path)) for one in presets.iterdir()]
    command, *options = HOOK["entry"].split()
    run = lambda: subprocess.run([programs / command, *options, *files], cwd=tmp_path, capture_output=True, text=True)
    assert run().returncode == 0
    text = (presets / "my_shop.yaml").read_text("utf-8")
    (presets / "my_shop.yaml").write_text(text.replace('value: "2/2"', 'value: "1/2"'), "utf-8")
    assert run().returncode == 1
    (presets / "my_shop.yaml").write_text(text.replace("extends: mllib", "extends: mlib"), "utf-8")
    done = run()
    assert done.returncode == 2
    assert "mllib" in done.stderr
