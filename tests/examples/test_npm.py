"""The package of vectors for JavaScript: its reference passes, a wrong function fails, and it packs what it needs."""

import json
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "examples/conform/npm"
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")


def node(*arguments: str, folder: Path = PACKAGE) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["node", *arguments], cwd=folder, capture_output=True, text=True, check=False)


@needs_node
def test_the_reference_passes_and_the_runner_tells_differences() -> None:
    done = node("--test")
    assert done.returncode == 0, done.stdout


@needs_node
@pytest.mark.parametrize(
    ("body", "code", "said"),
    [
        ("export { ndcg } from '{}/reference.mjs'", 0, "recbole:ndcg@3: 13 of 13 vectors pass\n"),
        ("export const mrr = () => ({ mean: 0, users: {} })", 1, "user u1: NaN, expected 1\n"),
        ("export const ndgc = () => 0", 2, ""),
    ],
    ids=["right", "wrong", "misnamed"],
)
def test_the_command_checks_what_a_module_exports(body: str, code: int, said: str, tmp_path: Path) -> None:
    (tmp_path / "metrics.mjs").write_text(body.replace("{}", PACKAGE.as_posix()) if "{}/" in body else body)
    done = node(str(PACKAGE / "command.mjs"), "./metrics.mjs", "recbole", folder=tmp_path)
    assert done.returncode == code
    assert said in done.stdout
    assert ("exports no function" in done.stderr) == (code == 2)


@needs_node
def test_the_package_works_away_from_the_checkout(tmp_path: Path) -> None:
    """With the copy of the vectors that is made before packing."""
    inside = tmp_path / "examples/conform/npm"
    shutil.copytree(PACKAGE, inside)
    shutil.copytree(PACKAGE.parents[2] / "conventions/vectors", tmp_path / "conventions/vectors")
    assert node("copy.mjs", folder=inside).returncode == 0
    stated = json.loads((PACKAGE / "package.json").read_text("utf-8"))
    away = tmp_path / "node_modules/rankconv-vectors"
    away.mkdir(parents=True)
    for name in ("package.json", *stated["files"]):
        (shutil.copytree if (inside / name).is_dir() else shutil.copy)(inside / name, away / name)
    shutil.rmtree(tmp_path / "conventions")
    (tmp_path / "mine.mjs").write_text(
        "import { check } from 'rankconv-vectors'; import { map } from 'rankconv-vectors/reference';\n"
        "console.log(check('map', 'recbole:map@3', map).passed)"
    )
    assert node("mine.mjs", folder=tmp_path).stdout == "13\n"


def test_it_has_the_version_of_the_release() -> None:
    project = tomllib.loads((PACKAGE.parents[2] / "pyproject.toml").read_text("utf-8"))["project"]
    assert json.loads((PACKAGE / "package.json").read_text("utf-8"))["version"] == project["version"]
