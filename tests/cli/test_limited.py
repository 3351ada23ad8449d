"""Too little memory is one message and exit code 2, also where a library ends its process."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

resource = pytest.importorskip("resource")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the limits are counted as Linux counts")

COMMAND = [sys.executable, "-m", "rankconv.cli"]
SAID = "rankconv: there is not enough memory for these data\n"


def run(arguments: list[str], megabytes: int) -> "subprocess.CompletedProcess[str]":
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
    return subprocess.run(arguments, preexec_fn=limit, capture_output=True, text=True, check=False)


def files(folder: Path, rows: int) -> list[str]:
    (folder / "labels.csv").write_text("user,item,grade\nu0,a,2\n")
    (folder / "run.csv").write_text("user,item,score\n" + "".join(f"u{row},a,{row}\n" for row in range(rows)))
    return [str(folder / "labels.csv"), str(folder / "run.csv")]


def test_with_room_it_works_and_with_less_it_says_so(tmp_path: Path) -> None:
    arguments = [*COMMAND, "evaluate", *files(tmp_path, 3), "-m", "mrr", "--format", "json"]
    free = subprocess.run(arguments, capture_output=True, text=True, check=False)
    assert run(arguments, 4000).stdout == free.stdout != ""
    small = run(arguments, 300)
    assert (small.returncode, small.stdout) == (2, "")
    assert small.stderr == "rankconv: the shell allows 300 MB of memory (ulimit -v), and 700 MB are the least\n"


def test_large_data_under_a_limit(tmp_path: Path) -> None:
    found = run([*COMMAND, "evaluate", *files(tmp_path, 800_000), "-m", "mrr"], 720)
    assert found.returncode == 2
    assert found.stderr.endswith(SAID)
    assert "Traceback" not in found.stderr


ENDS = "import os, signal, sys; from rankconv.cli import process; process.run_in_worker(); "


@pytest.mark.parametrize(
    ("end", "code", "said"),
    [
        ("os.abort()", 2, SAID),
        ("os.kill(os.getpid(), signal.SIGSEGV)", 2, SAID),
        ("sys.exit(7)", 7, ""),
        ("signal.signal(signal.SIGPIPE, signal.SIG_DFL); os.kill(os.getpid(), signal.SIGPIPE)", -signal.SIGPIPE, ""),
    ],
)
def test_it_ends_as_the_one_that_works_does(end: str, code: int, said: str) -> None:
    found = run([sys.executable, "-c", ENDS + end], 2000)
    assert (found.returncode, found.stderr) == (code, said)


def test_ctrl_c_reaches_the_one_that_works() -> None:
    worker = ENDS + "signal.signal(signal.SIGINT, lambda *_: os._exit(130)); print('ready', flush=True); signal.pause()"
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (2000 << 20, 2000 << 20))
    found = subprocess.Popen(
        [sys.executable, "-c", worker], preexec_fn=limit, stdout=subprocess.PIPE, start_new_session=True
    )
    assert found.stdout is not None
    assert found.stdout.readline() == b"ready\n"
    os.killpg(found.pid, signal.SIGINT)
    assert found.wait(30) == 130
    found.stdout.close()
