"""How a command ends: well, by a mistake of the user's, by Ctrl-C, or where nothing more can be written."""

import atexit
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

from rankconv.cli.app import app
from rankconv.cli.limited import TOO_LITTLE, work_apart
from rankconv.cli.printing import say
from rankconv.errors import LeftOut, PluginRun, RankconvError

MISTAKE, STOPPED = 2, 128 + signal.SIGINT


OBJECTS = 100_000
"""So many are made before it is asked which are garbage: modules make as many, and all of these stay."""


KNOWN = {
    *sys.stdlib_module_names,
    *("rankconv", "numpy", "polars", "narwhals", "yaml", "cython_runtime", "pydantic", "pydantic_core"),
    *("annotated_types", "typing_extensions", "typing_inspection"),
    *("typer", "click", "annotated_doc", "shellingham", "rich", "pygments"),
}
"""The libraries of most commands, none of which minds what is left when Python ends."""


class _Stop(BaseException):
    """Ctrl-C, by a name that no library between here and the command takes for its own."""


def main() -> None:
    """Run a command. A mistake and a full disk are one message and exit code 2, Ctrl-C is 130, a closed pipe 141."""
    gc.set_threshold(OBJECTS, 50, 100)
    atexit.register(_leave_garbage)
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # to look for them takes longer than many a command
    missing = work_apart()
    if missing:
        _end(missing)
    with _signals(), _left_out_said():
        try:
            _open_streams()
            _run()
        except RankconvError as error:
            _end(error.on_command_line)
        except _Stop:
            _end("stopped", STOPPED)
        except MemoryError:
            _end(TOO_LITTLE)
        except OSError as problem:
            if problem.errno == errno.ENOMEM or f"os error {errno.ENOMEM}" in str(problem):
                _end(TOO_LITTLE)
            _drop_output()
            where = problem.filename or "the output cannot be written"
            _end(f"{where}: {problem.strerror or problem}")


def _leave_garbage() -> None:
    """All memory goes back at the end anyway, and to look for garbage in it takes longer than many a command.

    Where a plugin or another library is loaded it is looked for: some say on stderr what they find left.
    """
    loaded = {name.partition(".")[0] for name in sys.modules}
    if all(name in KNOWN or name.startswith("_") for name in loaded):
        gc.freeze()


def _run() -> None:
    try:
        app()
    finally:
        sys.stdout.flush()


@contextmanager
def _left_out_said() -> Iterator[None]:
    """What is left out, and which plugin a preset runs, is one line on stderr."""
    with warnings.catch_warnings():
        plain = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
            if issubclass(category, (LeftOut, PluginRun)):
                say(f"rankconv: {message}")
            else:
                plain(message, category, *place, **more)

        warnings.showwarning = show
        yield


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
    """Say whose message it is, once: one about the house preset begins with its name, which is ours."""
    with suppress(OSError):
        say(message if message.startswith("rankconv:") else f"rankconv: {message}")
    raise SystemExit(code) from None
