"""How commands end that are stopped, or can write no more: no traceback, the right exit code, nothing left."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rankconv.writing import draft_of

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals, pipes and /dev/full")

COMMAND = [sys.executable, "-m", "rankconv.cli"]
FULL = Path("/dev/full")


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "labels.csv").write_text("user,item,grade\nada,a,2\n")
    (tmp_path / "run.csv").write_text("user,item,score\nada,a,3\n")
    return [str(tmp_path / "labels.csv"), str(tmp_path / "run.csv")]


def test_a_closed_pipe_ends_it_quietly() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    run = subprocess.run([*COMMAND, "list", "presets"], stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (run.returncode, run.stderr) == (-signal.SIGPIPE, b"")


@pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")
@pytest.mark.parametrize("form", ["text", "json"])
def test_a_full_disk_is_one_message(files: list[str], form: str) -> None:
    with FULL.open("w") as full:
        arguments = [*COMMAND, "evaluate", *files, "-m", "map", "--format", form]
        run = subprocess.run(arguments, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert run.stderr == "rankconv: the output cannot be written: No space left on device\n"
    assert run.returncode == 2


def test_streams_that_the_shell_closed(files: list[str]) -> None:
    shell = (
        f"{' '.join(COMMAND)} evaluate {files[0]} - -m map <&-; echo $?; {' '.join(COMMAND)} list presets >&-; echo $?"
    )
    run = subprocess.run(["sh", "-c", shell], capture_output=True, text=True, check=False)
    assert run.stdout == "2\n2\n"
    assert run.stderr == (
        "rankconv: standard input: nothing came through it. Only one of the files can be -.\n"
        "rankconv: the output cannot be written: it is closed\n"
    )


def test_ctrl_c_stops_it_and_leaves_nothing(files: list[str], tmp_path: Path) -> None:
    copies = tmp_path / "copies"
    copies.mkdir()
    arguments = [*COMMAND, "evaluate", files[0], "-", "-m", "map", "--per-user-file", str(tmp_path / "users.csv")]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    run = subprocess.Popen(arguments, **pipes, env={**os.environ, "TMPDIR": str(copies)})
    while run.poll() is None and not list(copies.glob("rankconv-*/input")):
        time.sleep(0.02)
    run.send_signal(signal.SIGINT)
    printed, said = run.communicate()
    assert (run.returncode, printed, said) == (130, b"", b"rankconv: stopped\n")
    assert not list(copies.iterdir())
    assert not (tmp_path / "users.csv").exists()


def test_killed_while_writing(tmp_path: Path) -> None:
    file = tmp_path / "users.csv"
    file.write_text("old")
    code = (
        "import os, signal\nfrom pathlib import Path\nfrom rankconv.writing import draft_of\n"
        f"with draft_of(Path({str(file)!r}), force=True) as draft:\n"
        "    draft.write_text('ha')\n    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    run = subprocess.run([sys.executable, "-c", code], check=False)
    assert run.returncode == -signal.SIGKILL
    assert file.read_text() == "old"


def test_stopped_while_writing(tmp_path: Path) -> None:
    file = tmp_path / "users.csv"

    def write() -> None:
        with draft_of(file, force=False) as draft:
            draft.write_text("ha")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write()
    assert not list(tmp_path.iterdir())


def test_a_file_that_one_may_not_read(files: list[str]) -> None:
    Path(files[1]).chmod(0)
    code = (
        "import os, rankconv as rc\n"
        f"rc.Labels({files[0]!r})\n"
        "os.geteuid() or os.seteuid(65534)\n"
        f"try: rc.Labels({files[1]!r})\nexcept rc.InputError as error: print(error)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.stdout == f"{files[1]}: the file cannot be opened: Permission denied.\n", run.stderr


@pytest.mark.parametrize(("others", "left"), [("sys", True), ("hypothesis", False)])
def test_garbage_is_left_at_the_end_where_no_other_library_is_loaded(others: str, left: bool) -> None:
    code = f"import atexit, gc, {others}; atexit.register(lambda: print(gc.get_freeze_count() > 1000)); "
    code += "from rankconv.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code, "show", "--schema"], capture_output=True, text=True, check=True)
    assert done.stdout.endswith(f"\n{left}\n")


def test_a_plugin_ends_as_any_program(files: list[str], tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    (tmp_path / "mine.py").write_text("import duckdb\nduckdb.connect().execute('select 1').fetchall()\n")
    arguments = [*COMMAND, "evaluate", *files, "-m", "map", "--quiet", "--plugin", str(tmp_path / "mine.py")]
    done = subprocess.run(arguments, capture_output=True, text=True, check=True)
    assert done.stderr == ""
