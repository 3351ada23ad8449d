"""The steps of CONTRIBUTING, followed in a copy of the source: what they add is found. The map is true."""

import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests import test_arrows

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / ".github/CONTRIBUTING.md").read_text("utf-8")
AGENTS = (ROOT / "AGENTS.md").read_text("utf-8")
STEP = re.compile(r"`([\w/.-]+\.(?:py|yaml))`:\n\n( *)```(?:python|yaml)\n(.*?)\n\2```", re.DOTALL)
"""A block that belongs into a file, and the file, which is named at the end of the sentence above."""
TOP = "src tests docs examples conventions .ci".split()


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the source with each block of the page at the end of its file; the rest is the checkout's."""
    for package in ("polars", "typer"):
        pytest.importorskip(package)
    folder = tmp_path_factory.mktemp("checkout")
    for name in ("src", "conventions"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for path in ("tests", "docs", "examples", "README.md"):
        (folder / path).symlink_to(ROOT / path)
    for name, indent, block in STEP.findall(PAGE):
        file, text = folder / name, re.sub(f"^{indent}", "", block, flags=re.MULTILINE)
        before = f"{file.read_text('utf-8')}{'' if name.endswith('.yaml') else chr(10) * 2}" if file.exists() else ""
        file.write_text(f"{before}{text}\n", "utf-8")
    (folder / "labels.csv").write_text("user,item,grade\nann,a,4\nann,b,1\nbob,a,1\n")
    (folder / "run.basket").write_text("ann: a, x, b\nbob: x, a\n")
    return folder


def run(copy: Path, *words: str) -> str:
    """What Python prints that runs the copy."""
    environment = os.environ | {"PYTHONPATH": f"{copy / 'src'}{os.pathsep}{copy}", "COLUMNS": "80"}
    done = subprocess.run([sys.executable, *words], cwd=copy, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_each_kind_of_step_has_a_block() -> None:
    files = [name for name, *_ in STEP.findall(PAGE)]
    assert files == [
        "src/rankconv/metrics/sets.py",
        "src/rankconv/metrics/gains.py",
        "src/rankconv/metrics/sets.py",
        "conventions/base.yaml",
        "conventions/libraries/shop_metrics.yaml",
        "src/rankconv/data/inputs/baskets.py",
        "src/rankconv/cli/commands/lookup.py",
    ]


def test_what_the_steps_add_is_found_in_python(copy: Path) -> None:
    code = """
        import json, rankconv as rc
        labels, run, values = rc.Labels("labels.csv"), rc.Run("run.basket"), {}
        for metric in ("two_hits@3", "cg(gain=root)@1", "enough_hits@2", "enough_hits(needed-hits=1)@2"):
            values[metric] = rc.evaluate(labels, run, metric)[metric]
        values["factory"] = rc.TwoHits(k=3)(labels, run)
        values["conventions"] = rc.EnoughHits(2, needed_hits=1)(labels, run)
        values["preset"] = float(rc.metric("shop_metrics:ndcg_score@2")({"u": {"a": 2}}, {"u": ["x", "a"]}))
        values["listed"] = [one in [*rc.list_metrics(), *rc.list_conventions(), *rc.list_presets()]
                            for one in ("two_hits", "enough_hits", "needed-hits", "shop_metrics")]
        values["in the default preset"] = {"two_hits", "enough_hits"} <= {*rc.preset("rankconv").metrics}
        values["complete by tab"] = "TwoHits" in dir(rc)
        values["where"] = rc.__file__
        print(json.dumps(values))
    """
    assert json.loads(run(copy, "-c", textwrap.dedent(code))) == {
        "two_hits@3": 0.5,  # ann has a and b
        "cg(gain=root)@1": 1.0,  # (sqrt(4) + 0) / 2
        "enough_hits@2": 0.0,
        "enough_hits(needed-hits=1)@2": 1.0,
        "factory": 0.5,
        "conventions": 1.0,
        "preset": pytest.approx(0.6309297535714575),  # (3 / log2(3)) / 3
        "listed": [True] * 4,
        "in the default preset": True,
        "complete by tab": True,
        "where": str(copy / "src/rankconv/__init__.py"),
    }


def test_what_the_steps_add_is_found_by_commands(copy: Path) -> None:
    commands = [
        "evaluate labels.csv run.basket -m two_hits@3",
        "list metrics two_hits",
        "show enough_hits",
        "show --check conventions/libraries/shop_metrics.yaml",
        "count-users labels.csv",
        "--help",
    ]
    code = f"""
        import json
        from typer.testing import CliRunner
        from rankconv.cli.app import app
        each = [CliRunner().invoke(app, line.split(), catch_exceptions=False) for line in {commands}]
        print(json.dumps([[one.exit_code, one.output] for one in each]))
    """
    outcomes = json.loads(run(copy, "-c", textwrap.dedent(code)))
    assert [code for code, _ in outcomes] == [0] * len(outcomes)
    evaluated, listed, shown, checked, counted, helped = (printed for _, printed in outcomes)
    assert "0.5000" in evaluated
    assert "two_hits" in listed
    assert "needed-hits" in shown
    assert "shop_metrics" in checked
    assert counted == "2\n"
    names = re.findall(r"│ ([\w-]+) ", helped)
    assert names[names.index("show") + 1] == "count-users"


def test_the_one_command_writes_the_types(copy: Path) -> None:
    run(copy, "-m", "tests.generate", "types", "schemas")
    stub = (copy / "src/rankconv/presets/factories.pyi").read_text("utf-8")
    assert "def TwoHits(" in stub
    assert "needed_hits: SettingLike = ...," in stub
    schema = json.loads((copy / "conventions/schema.json").read_text("utf-8"))
    assert "root" in [form.get("const") for form in schema["$defs"]["gain"]["oneOf"]]
    assert "needed-hits" in schema["$defs"]


def test_the_map_has_the_floors_in_their_order() -> None:
    picture = PAGE.partition("## Map")[2].split("```")[1]
    floors = re.findall(r"^([(\w)]+)  ", picture, re.MULTILINE)
    assert floors[::-1] == [*test_arrows.FLOORS, "(doors)", *test_arrows.ROOF]
    doors = next(line for line in picture.splitlines() if line.startswith("(doors)"))
    assert all(re.search(rf"\b{name or 'rankconv'}\b", doors) for name in test_arrows.DOORS)
    assert max(map(len, picture.splitlines())) <= 80


@pytest.mark.parametrize("page", [PAGE, AGENTS], ids=["CONTRIBUTING", "AGENTS"])
def test_every_path_is_there(page: str) -> None:
    made = {name for name, *_ in STEP.findall(PAGE)}
    paths = [path.rstrip("/") for path in re.findall(r"`([\w./-]+/[\w./-]*)`", page)]
    found = [path for path in paths if path.split("/")[0] in TOP and "NAME" not in path and path not in made]
    assert found
    assert [path for path in found if not (ROOT / path).exists()] == []
    modules = re.findall(r"python -m (tests[\w.]*)", page)
    assert [name for name in modules if not list(ROOT.glob(f"{name.replace('.', '/')}*"))] == []


def test_the_page_for_agents_is_short_and_leads_to_the_map() -> None:
    assert len(AGENTS.splitlines()) <= 40
    assert "(.github/CONTRIBUTING.md)" in AGENTS


def test_tests_are_where_the_thing_is_that_they_test() -> None:
    folders = {file.parent.relative_to(ROOT / "tests") for file in (ROOT / "tests").rglob("test_*.py")}
    of_floors = [one for one in folders if one.parts and one.parts[0] in (*test_arrows.FLOORS, *test_arrows.ROOF)]
    source = ROOT / "src/rankconv"
    assert len(of_floors) > len(test_arrows.FLOORS)
    assert [
        one for one in of_floors if not ((source / one).is_dir() or (source / one).with_suffix(".py").is_file())
    ] == []
