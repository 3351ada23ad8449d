"""Every command in a pseudo-terminal of a given width: what a user sees there."""

import io
import os
import re
import subprocess
import sys
from pathlib import Path
from threading import Event

import pytest
from rich.cells import cell_len

import rankconv.cli.commands  # noqa: F401 - registers them
from rankconv.cli import command_table, printing
from rankconv.cli.printing import clock
from tests.rendering.pages.runs import LABELS, TEN, run

pty = pytest.importorskip("pty")

COMMANDS = """\
compare
compare labels.csv a.csv b.csv -m ndcg@10 -m map@5
compare labels.csv a.csv b.csv -m ndcg@10 -p all
compare labels.csv a.csv -m map@5 --by-value -p search
evaluate labels.csv a.csv b.csv -m ndcg@10 -m map(ap-denominator=relevant)@5
check labels.csv a.csv -m ndcg@10 -p mllib -p rankconv
explain labels.csv a.csv -m ndcg@5 -u user3
explain labels.csv a.csv -m ndcg@5 -u user3 --against mllib
identify labels.csv a.csv -m precision@5 --value 0.5
why labels.csv a.csv -m ndcg@10 mllib trec_eval-c
sensitivity labels.csv a.csv b.csv -m ndcg@10 {ten}
test labels.csv a.csv b.csv -m ndcg@10 -p all
test labels.csv a.csv b.csv -m ndcg@10 --leaderboard
evaluate labels.csv a.csv b.csv -m ndcg@10 --by activity
similarity a.csv b.csv
agreement labels.csv labels.csv a.csv b.csv -m ndcg@10
gate labels.csv a.csv --baseline b.csv -m ndcg@10 --not-worse-by 0.9 --at-least 0.1
curve labels.csv a.csv b.csv -m ndcg --max-k 5
learning-curve a.csv -r popularity --protocol fastml(given=nested(2)) --column rating=score
learning-curve a.csv -r popularity -m ndcg@2 -m ndcg@1 --column rating=score
report labels.csv a.csv b.csv -m ndcg@10 -p mllib -p rankconv --force
cite mllib:map@10
show 17aa
verify ranx
conform ./nowhere
reproduce wikipedia
show mllib
show mllib --against trec_eval
show search
show ndcg
show ties --all
list presets
list protocols --all
list metrics
list conventions
split a.csv -o parts --force
serve --port 70000
"""
DRIVER = """
import fcntl, struct, sys, termios
sys.modules.update(dict.fromkeys(["pyarrow", "pandas"]))  # which rankconv[files,cli] does not bring along
import rankconv
from rankconv.cli import main

def kept(verb):
    settings = []
    return lambda *given, **more: settings[0] if settings else settings.append(verb(*given, **more)) or settings[0]

widths, verbs = sys.argv[1].split(), {name: getattr(rankconv, name) for name in sys.argv[2].split()}
for line in open("commands.txt"):
    for name in verbs:
        setattr(rankconv, name, kept(verbs[name]))
    for width in widths:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, int(width), 0, 0))
        print("$", width, line.split()[0])
        sys.argv = ["rankconv", *line.rstrip("\\n").split("\\t")]
        try:
            main()
        except SystemExit as end:
            assert end.code in (None, 0, 1, 2, 3), end
"""
DEAR = "compare identify report sensitivity test why"
"""Verbs whose answer to a command is asked for once, and drawn at every width."""
WIDTHS = [100, 60]
"""Falling, so that a width that is remembered makes lines too long."""


def in_terminal(folder: Path) -> str:
    """What the commands print to a terminal of each width, in one process."""
    ours, theirs = pty.openpty()
    given = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    environment = {**given, "TERM": "xterm", "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-c", DRIVER, " ".join(map(str, WIDTHS)), DEAR]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, cwd=folder, env=environment) as child:
        os.close(theirs)
        printed = b""
        try:
            while part := os.read(ours, 65536):
                printed += part
        except OSError:  # how Linux says that the other end is closed
            pass
    os.close(ours)
    assert child.returncode == 0, printed[-2000:]
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", printed.decode()).replace("\r\n", "\n")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = [f"{user},{item},{grade}" for user, labels in LABELS.items() for item, grade in labels.items()]
    (tmp_path / "labels.csv").write_text("\n".join(["user,item,grade", *rows]))
    for shift, name in enumerate("ab"):
        rows = [f"{user},{item},{score}" for user, items in run(shift).items() for item, score in items]
        (tmp_path / f"{name}.csv").write_text("\n".join(["user,item,score", *rows]))
    ten = " ".join(f"-p {name}" for name in TEN)
    lines = (line.replace(" ", "\t") for line in COMMANDS.format(ten=ten).splitlines())
    (tmp_path / "commands.txt").write_text("\n".join(lines) + "\n")
    return tmp_path


def test_no_line_is_cut_or_longer_than_the_terminal(folder: Path) -> None:
    width, command, seen = 0, "", set()
    for line in in_terminal(folder).split("\n"):
        if line.startswith("$ "):
            width, command = int(line.split()[1]), line.split()[2]
            seen.add((width, command))
        else:
            line = line.rpartition("\r")[2]
            assert cell_len(line) <= width or " " not in line.strip(), (command, line)
            assert not re.search(r"\w…|…\w", line), (command, line)
            assert "Traceback" not in line, command
    assert seen >= {(width, one.split()[0]) for one in COMMANDS.splitlines() for width in WIDTHS}


def test_every_command_is_tried() -> None:
    assert set(command_table.TABLE) == {line.split()[0] for line in COMMANDS.splitlines()}


def test_piped_output_has_a_row_per_line_and_obeys_columns(folder: Path) -> None:
    command = [sys.executable, "-m", "rankconv", "list", "presets"]
    given = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    piped = subprocess.run(command, capture_output=True, encoding="utf-8", env=given, check=True).stdout
    assert any(len(line) > 80 for line in piped.splitlines())
    folded = subprocess.run(command, capture_output=True, encoding="utf-8", env={**given, "COLUMNS": "60"}, check=True)
    assert max(map(len, folded.stdout.splitlines())) <= 60


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_clock_shows_after_two_seconds_and_counts_from_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal, drawn = Terminal(), Event()
    monkeypatch.setattr(sys, "stderr", terminal)
    with clock("Searching", shown=None):
        pass
    assert terminal.getvalue() == ""

    monkeypatch.setattr(printing, "AFTER", 1.1)
    monkeypatch.setattr(terminal, "flush", drawn.set)
    with clock("Searching", shown=None):
        assert drawn.wait(20.0)
    assert "Searching" in terminal.getvalue()
    assert "0:00:00" not in terminal.getvalue()
