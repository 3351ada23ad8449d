"""How a command ends: well, by a mistake of the user's, by Ctrl-C, or where nothing more can be written."""

import io
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NoReturn

from rankconv.cli.app import app
from rankconv.cli.printing import say
from rankconv.errors import RankingError

MISTAKE, STOPPED = 2, 128 + signal.SIGINT


class _Stop(BaseException):
    """Ctrl-C, by a name that no library between here and the command takes for its own."""


def main() -> None:
    """Run a command. A mistake and a full disk are one message and exit code 2, Ctrl-C is 130, a closed pipe 141."""
    with _signals():
        try:
            _open_streams()
            _run()
        except RankingError as error:
            _end(str(error))
        except _Stop:
            _end("stopped", STOPPED)
        except MemoryError:
            _end("there is not enough memory for these data")
        except OSError as problem:
            _drop_output()
            where = problem.filename or "the output cannot be written"
            _end(f"{where}: {problem.strerror or problem}")


def _run() -> None:
    try:
        app()
    finally:
        sys.stdout.flush()


@contextmanager
def _signals() -> Iterator[None]:
    """Ctrl-C ends the command with its files tidied; a closed pipe, as of `| head`, ends it at once."""
    ours = {signal.SIGINT: _stop} | ({signal.SIGPIPE: signal.SIG_DFL} if hasattr(signal, "SIGPIPE") else {})
    before = {number: signal.signal(number, handler) for number, handler in ours.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _stop(_number: int, _frame: FrameType | None) -> NoReturn:
    raise _Stop


def _open_streams() -> None:
    """Signs that the terminal lacks are written as Python writes them; streams that the shell closed are empty."""
    if sys.stdout is None:
        raise OSError("it is closed")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    sys.stdin = sys.stdin or io.TextIOWrapper(io.BytesIO())


def _drop_output() -> None:
    """What is left of it, which Python would try to write at its end."""
    with suppress(OSError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _end(message: str, code: int = MISTAKE) -> NoReturn:
    with suppress(OSError):
        say(f"rankconv: {message}")
    raise SystemExit(code) from None
