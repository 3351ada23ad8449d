"""How a command runs and ends: with success, by a user's error, by Ctrl-C, or where memory or the disk is full."""

import errno
import gc
import io
import os
import signal
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, NoReturn

from rankconv.basics.errors import LeftOut, MissingGrades, PluginRun, RankconvError, RespelledIds, UnreadData
from rankconv.basics.plugins import raised_in_plugin
from rankconv.basics.progress import CtrlC
from rankconv.cli.app import app
from rankconv.cli.printing import STOPPED, say

MISTAKE = 2


OBJECTS = 100_000
"""Objects before the first search for garbage: modules create as many, and all of these stay."""


TOO_LITTLE = "there is not enough memory for these data"


def main() -> None:
    """Run a command: errors and a full disk are one message and exit code 2, Ctrl-C is 130, a closed pipe 141."""
    gc.set_threshold(OBJECTS, 50, 100)
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # the search takes longer than most commands
    with _signals(), _reported_warnings():
        try:
            _open_streams()
            _run()
        except RankconvError as error:
            _end(error.on_command_line)
        except CtrlC:
            _end("stopped", STOPPED)
        except MemoryError:
            _end(TOO_LITTLE)
        except OSError as problem:
            if problem.errno == errno.ENOMEM or f"os error {errno.ENOMEM}" in str(problem):
                _end(TOO_LITTLE)
            _drop_output()
            where = problem.filename or "the output cannot be written"
            _end(f"{where}: {problem.strerror or problem}")
        except Exception as problem:
            said = raised_in_plugin(problem)
            if not said:
                raise
            _end(said)


def _run() -> None:
    try:
        app(prog_name="rankconv")  # also as python -m rankconv
    finally:
        sys.stdout.flush()


@contextmanager
def _reported_warnings() -> Iterator[None]:
    """Print what is left out, unread or respelled, missing grades, and the plugin that a preset runs, on stderr."""
    with warnings.catch_warnings():
        plain = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
            if issubclass(category, (LeftOut, MissingGrades, PluginRun, RespelledIds, UnreadData)):
                say(f"rankconv: {message}")
            else:
                plain(message, category, *place, **more)

        warnings.showwarning = show
        yield


@contextmanager
def _signals() -> Iterator[None]:
    """End the command on Ctrl-C with its files removed, and at once on a closed pipe, as of `| head`."""
    ours = {signal.SIGINT: _stop} | ({signal.SIGPIPE: signal.SIG_DFL} if hasattr(signal, "SIGPIPE") else {})
    before = {number: signal.signal(number, handler) for number, handler in ours.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _stop(_number: int, _frame: FrameType | None) -> NoReturn:
    raise CtrlC


def _open_streams() -> None:
    """Escape characters that the terminal lacks; treat streams that the shell closed as empty."""
    if sys.stdout is None:
        raise OSError("it is closed")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    sys.stdin = sys.stdin or io.TextIOWrapper(io.BytesIO())


def _drop_output() -> None:
    """Discard the unwritten output, which Python would try to write at its end."""
    with suppress(OSError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _end(message: str, code: int = MISTAKE) -> NoReturn:
    """End with a message that begins with `rankconv:` once."""
    with suppress(OSError):
        say(message if message.startswith("rankconv:") else f"rankconv: {message}")
    raise SystemExit(code) from None
