"""Commands as processes: how they end that are stopped or can write no more, what they load, plugins of packages."""

import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from rankconv.basics.output_files import draft_of
from tests.cli.support import refused

resource = pytest.importorskip("resource")
COMMAND = [sys.executable, "-m", "rankconv"]
FILES = ["labels.csv", "run.csv"]
FULL = Path("/dev/full")
TOO_LITTLE = "rankconv: there is not enough memory for these data\n"
PLUGIN = '''
import rankconv as rc
from rankconv import plugin

@plugin.command
def greet(name: str) -> None:
    """Say hello."""
    print("hello", name)
'''


def command(*words: str, **more: str) -> "subprocess.CompletedProcess[str]":
    """Run a command with these variables of the environment."""
    environment = os.environ | more
    return subprocess.run([*COMMAND, *words], env=environment, capture_output=True, text=True, check=False)


# ends


def test_a_closed_pipe_ends_it_quietly() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    run = subprocess.run([*COMMAND, "list", "presets"], stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (run.returncode, run.stderr) == (-signal.SIGPIPE, b"")


@pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")
def test_a_full_disk_is_one_message() -> None:
    with FULL.open("w") as full:
        words = [*COMMAND, "evaluate", *FILES, "-m", "map"]
        run = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert run.stderr == "rankconv: the output cannot be written: No space left on device\n"
    assert run.returncode == 2


def test_streams_that_the_shell_closed() -> None:
    words = " ".join(COMMAND)
    shell = f"{words} evaluate labels.csv - -m map <&-; echo $?; {words} list presets >&-; echo $?"
    run = subprocess.run(["sh", "-c", shell], capture_output=True, text=True, check=False)
    assert run.stdout == "2\n2\n"
    assert run.stderr == (
        "rankconv: standard input: nothing came through it. Only one of the files can be -.\n"
        "rankconv: the output cannot be written: it is closed\n"
    )


def test_ctrl_c_stops_it_and_leaves_nothing(tmp_path: Path) -> None:
    copies = tmp_path / "copies"
    copies.mkdir()
    words = [*COMMAND, "evaluate", "labels.csv", "-", "-m", "map", "--per-user-file", "users.csv"]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    run = subprocess.Popen(words, **pipes, env={**os.environ, "TMPDIR": str(copies)})
    while run.poll() is None and not list(copies.glob("rankconv-*/input")):
        time.sleep(0.02)
    run.send_signal(signal.SIGINT)
    printed, said = run.communicate()
    assert (run.returncode, printed, said) == (130, b"", b"rankconv: stopped\n")
    assert not list(copies.iterdir())
    assert not Path("users.csv").exists()


def test_a_file_is_written_whole_or_not_at_all() -> None:
    file = Path("users.csv")
    with suppress(KeyboardInterrupt), draft_of(file, force=False) as draft:
        draft.write_text("ha")
        raise KeyboardInterrupt
    assert not file.exists()
    file.write_text("old")
    code = (
        "import os, signal\nfrom pathlib import Path\nfrom rankconv.basics.output_files import draft_of\n"
        "with draft_of(Path('users.csv'), force=True) as draft:\n"
        "    draft.write_text('ha')\n    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -signal.SIGKILL
    assert file.read_text() == "old"


def test_a_file_that_one_may_not_read() -> None:
    Path("run.csv").chmod(0)
    code = (
        "import os, rankconv as rc\nrc.Labels('labels.csv')\nos.geteuid() or os.seteuid(65534)\n"
        "try: rc.Labels('run.csv')\nexcept rc.InputError as error: print(error)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.stdout == "run.csv: the file cannot be opened: Permission denied.\n", run.stderr


# plugins of packages


@pytest.fixture
def package(tmp_path: Path) -> dict[str, str]:
    """The path of a package with a command, as an installer leaves it."""
    (tmp_path / "greeting.py").write_text(PLUGIN)
    info = tmp_path / "greeting-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: greeting\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[rankconv.plugins]\ngreeting = greeting\n")
    return {"PYTHONPATH": os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])}


def test_a_package_adds_a_command_at_the_end(package: dict[str, str]) -> None:
    assert command("greet", "ada", **package).stdout == "hello ada\n"
    listed = command("--help", **package).stdout
    assert listed.index("serve") < listed.index(" greet ")


def test_a_package_that_fails_is_said_and_the_others_are_listed(package: dict[str, str]) -> None:
    Path("greeting.py").write_text("raise ValueError('broken')\n")
    listed = command("--help", **package)
    assert (listed.returncode, "evaluate" in listed.stdout) == (0, True)
    assert "ValueError: broken" in listed.stderr
    found = command("greet", "ada", **package)
    assert found.returncode == 2
    assert "ValueError: broken" in found.stderr


def test_a_plugin_cannot_take_the_name_of_a_command() -> None:
    Path("mine.py").write_text(PLUGIN.replace("def greet", "def learning_curve"))
    for words in ("--plugin mine.py --help", "evaluate a b -m map --plugin mine.py"):
        assert "the command 'learning-curve' is already one of rankconv" in refused(words)


def test_what_a_plugin_raises_is_three_lines() -> None:
    body = "def per_user(self, block):\n        return 1 / 0\n"
    Path("mine.py").write_text(
        f"from rankconv import plugin\nclass Broken(plugin.Metric):\n    name = 'broken'\n    {body}"
    )
    done = command("evaluate", *FILES, "-m", "broken", "--plugin", "mine.py")
    place, code, do = done.stderr.splitlines()
    assert done.returncode == 2
    assert re.fullmatch(r"rankconv: the plugin .*mine\.py, line 5, raised ZeroDivisionError: division by zero", place)
    assert code == "  per_user: return 1 / 0"
    assert do.startswith("Repair the plugin.")


def test_a_plugin_ends_as_any_program() -> None:
    pytest.importorskip("duckdb")
    Path("mine.py").write_text("import duckdb\nduckdb.connect().execute('select 1').fetchall()\n")
    assert command("evaluate", *FILES, "-m", "map", "--quiet", "--plugin", "mine.py").stderr == ""


# what is loaded

LATER = {
    *("polars", "narwhals", "pyarrow", "pandas", "scipy", "matplotlib", "tabulate", "latex2mathml"),
    *("rich.console", "rich.table", "rich.text", "rich.progress", "pygments", "markdown_it", "typer.rich_utils"),
}
"""Modules of libraries that one of their results needs, or tables."""
WITH_FILES = {"polars"}
"""What text of any length is read with."""
OTHERS = {"evaluation.citing", "compat", "rendering.numbers", "addons"} | {
    *("rendering.pages.web", "rendering.pages.markup", "presets.preset_page", "presets.schema")
}
"""What is rankconv's own and does other work."""


def loaded(words: str) -> set[str]:
    """The modules that are there when a command has ended."""
    code = "import atexit, sys; atexit.register(lambda: print('', *sys.modules, file=sys.stderr)); "
    code += "from rankconv.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code, *words.split()], capture_output=True, text=True, check=True)
    return {*done.stderr.splitlines()[-1].split()}


@pytest.mark.parametrize("words", ["evaluate labels.csv run.csv -m ndcg@5", "compare", "show --schema"])
def test_a_command_loads_what_it_uses(words: str) -> None:
    found = loaded(words)
    name = words.split()[0]
    assert not found & (LATER - WITH_FILES if name == "evaluate" else LATER)
    if name != "show":
        assert {"numpy", "rankconv.engine.plan"} <= found
        assert not found & {f"rankconv.{one}" for one in OTHERS}
        analyses = {one.split(".")[2] for one in found if one.startswith("rankconv.analysis.")}
        assert analyses == set()


def test_help_loads_no_numpy() -> None:
    code = "import sys; from rankconv.cli import app; sys.exit('numpy' in sys.modules or 'pydantic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("words", [["--help"], ["evaluate", "--help"]])
def test_as_a_module_it_has_the_same_name(words: list[str]) -> None:
    printed = subprocess.run([*COMMAND, *words], capture_output=True, text=True, check=True).stdout
    assert COMMAND[1:] == ["-m", "rankconv"]
    assert "Usage: rankconv " in printed
    assert "python" not in printed.partition("Usage")[2].partition("\n")[0]
