"""The wheel holds the conventions, and presets are read from it unpacked and zipped; versions and stages agree."""

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml

import rankconv as rc
from rankconv.addons.conformance.vectors import read_vectors

ROOT = Path(__file__).parents[1]
SHIPPED = "rankconv/presets/shipped/"
ASK = "import rankconv; print(rankconv.__file__, rankconv.preset('mllib').title, len(rankconv.list_presets()))"
REPRODUCE = "import rankconv; print(rankconv.__file__, rankconv.reproduce('kaggle', 'trec_eval').summary)"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


def ask(path: Path, convention_name: str = ASK) -> str:
    environment = {**os.environ, "PYTHONPATH": str(path)}
    done = subprocess.run(
        [sys.executable, "-c", convention_name], env=environment, check=True, capture_output=True, text=True
    )
    return done.stdout


def test_every_preset_is_in_the_wheel(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    inside = [name.removeprefix(SHIPPED) for name in names if name.startswith(SHIPPED)]
    shipped = {Path(name).stem for name in inside if name.endswith(".yaml")}
    assert {"base", *(name.removesuffix("+unretrieved") for name in rc.list_presets())} <= shipped
    shown = {name.split("/")[0] for name in inside}
    assert {"published.zip", "registry.zip", "vectors.zip"} <= shown
    assert not {"published", "registry", "vectors", "schema.json"} & shown


def test_links_of_the_published_readme_are_whole_and_lead_to_files(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    text = archive.read(next(name for name in archive.namelist() if name.endswith("/METADATA"))).decode()
    targets = re.findall(r"\]\(([^)\s]+)\)", text.split("# rankconv", 1)[1])
    ours = [target.partition("/blob/main/")[2] for target in targets if "/rankconv/blob/main/" in target]
    assert len(ours) > 10
    assert all(target.startswith("https://") for target in targets)
    assert all((ROOT / path).is_file() for path in ours)


def test_types_are_in_the_wheel(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    stubs = {f"rankconv/{name}.pyi" for name in ("__init__", "ir", "plugin", "protocols", "spark", "typing")}
    assert {"rankconv/py.typed", *stubs} <= {*names}


def test_presets_are_read_from_the_zip(wheel: Path) -> None:
    said = ask(wheel)
    assert str(wheel) in said
    assert f"RankingMetrics {len(rc.list_presets())}" in said


def test_presets_are_read_from_the_unpacked_wheel(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path)
    said = ask(tmp_path)
    assert str(tmp_path) in said
    assert f"RankingMetrics {len(rc.list_presets())}" in said


def test_published_numbers_and_the_data_beside_them_are_read_from_the_zip(wheel: Path) -> None:
    said = ask(wheel, REPRODUCE)
    assert str(wheel) in said
    assert "1,665 numbers, 1,665 exact" in said


def test_vectors_are_read_from_the_zip(wheel: Path) -> None:
    said = ask(wheel, "from rankconv.addons.conformance.vectors import read_vectors; print(len(read_vectors()))")
    assert int(said) == len(read_vectors())


def test_every_file_states_the_same_version() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert cited["version"] == version
    assert f"## [{version}] - " in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_the_recipe_of_conda_asks_for_what_the_package_does() -> None:
    """What files and the command line need comes along, and what other extras need is constrained."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    recipe = yaml.safe_load((ROOT / ".github/conda/recipe.yaml").read_text("utf-8"))
    other_names = {"matplotlib-base": "matplotlib", "ir-measures": "ir_measures"}
    asked = {
        part: {_named(text, other_names) for text in recipe["requirements"][part]}
        for part in ("run", "run_constraints")
    }
    assert asked["run"] == {f"python{project['requires-python'].replace('3.11', '${{ python_min }}')}"} | {
        *project["dependencies"],
        *extras["files"],
        *extras["cli"],
    }
    others = {one for name in ("memory", "spark", "ir", "plots", "stats", "serve") for one in extras[name]}
    assert asked["run_constraints"] == {one for one in others if not one.startswith("rankconv[")}
    assert recipe["context"] == {
        "version": project["version"],
        "python_min": project["requires-python"].removeprefix(">="),
    }


def _named(text: str, other_names: dict[str, str]) -> str:
    """A requirement as `pyproject.toml` writes it."""
    name, _, version = text.partition(" ")
    return other_names.get(name, name) + version


def test_each_night_runs_every_stage() -> None:
    stages = re.search(r"^stages=\((.*)\)$", (ROOT / ".ci/nightly").read_text("utf-8"), re.MULTILINE)
    workflow = yaml.safe_load((ROOT / ".github/workflows/nightly.yml").read_text("utf-8"))
    assert stages
    assert workflow["jobs"]["nightly"]["strategy"]["matrix"]["stage"] == stages[1].split()
