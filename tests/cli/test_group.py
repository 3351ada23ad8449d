"""Commands of installed packages, and what the list of commands costs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-m", "rankconv.cli"]
PLUGIN = '''
import rankconv as rc
from rankconv import plugin

@plugin.command
def greet(name: str) -> None:
    """Say hello."""
    print("hello", name)
'''


def run(*words: str, path: Path) -> "subprocess.CompletedProcess[str]":
    places = os.pathsep.join([str(path), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = os.environ | {"PYTHONPATH": places}
    return subprocess.run([*COMMAND, *words], env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A package with a command, as an installer leaves it."""
    (tmp_path / "greeting.py").write_text(PLUGIN)
    info = tmp_path / "greeting-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: greeting\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[rankconv.plugins]\ngreeting = greeting\n")
    return tmp_path


def test_a_package_adds_a_command(installed: Path) -> None:
    assert run("greet", "ada", path=installed).stdout == "hello ada\n"
    listed = run("--help", path=installed).stdout
    assert "  greet " in listed
    assert listed.index("schema") < listed.index("greet")


def test_a_package_that_fails_is_said_and_the_others_are_listed(installed: Path) -> None:
    (installed / "greeting.py").write_text("raise ValueError('broken')\n")
    listed = run("--help", path=installed)
    assert (listed.returncode, "evaluate" in listed.stdout) == (0, True)
    assert "ValueError: broken" in listed.stderr
    found = run("greet", "ada", path=installed)
    assert found.returncode == 2
    assert "ValueError: broken" in found.stderr


def test_help_loads_no_numpy(tmp_path: Path) -> None:
    code = "import sys; from rankconv.cli import app; sys.exit('numpy' in sys.modules or 'pydantic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_command_is_run_without_the_others() -> None:
    code = (
        "import sys; from rankconv.cli import app; app(['schema'], standalone_mode=False); "
        "print(*sorted(name for name in sys.modules if name.startswith('rankconv.cli.commands.')), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.split() == ["rankconv.cli.commands.schema"]


def test_a_plugin_cannot_take_the_name_of_a_command(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(PLUGIN.replace("def greet", "def why_order"))
    for words in (("--plugin", "mine.py", "--help"), ("evaluate", "a", "b", "-m", "map", "--plugin", "mine.py")):
        done = subprocess.run([*COMMAND, *words], capture_output=True, text=True, check=False, cwd=tmp_path)
        assert done.returncode == 2
        assert "the command 'why-order' is already in rankconv.cli.commands.why_order" in done.stderr


def test_commands_are_listed_in_one_order(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(PLUGIN)
    with_plugin = run("--plugin", str(tmp_path / "mine.py"), "--help", path=tmp_path).stdout
    listed, more = (
        [line[2:20].split()[0] for line in text.partition("Commands")[2].splitlines() if line[2:3].isalpha()]
        for text in (run("--help", path=tmp_path).stdout, with_plugin)
    )
    assert more == [*listed, "greet"]
