"""How a command runs and ends: with success, by a user's error, by Ctrl-C, or where memory or the disk is full.

Where the shell limits memory (`ulimit -v`), a library that finds none ends its process without a message of ours. So a
command under a limit runs in a process of its own; the one that was started waits, and reports.
"""

import atexit
import errno
import gc
import io
import os
import signal
import sys
import warnings
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager, suppress
from importlib import import_module
from types import FrameType
from typing import Any, NoReturn

from rankconv.cli.app import app
from rankconv.cli.printing import say
from rankconv.errors import LeftOut, MissingGrades, PluginRun, RankconvError, RespelledIds, UnreadData

MISTAKE, STOPPED = 2, 128 + signal.SIGINT


OBJECTS = 100_000
"""Objects before the first search for garbage: modules create as many, and all of these stay."""


KNOWN = {
    *sys.stdlib_module_names,
    *("rankconv", "numpy", "polars", "narwhals", "yaml", "cython_runtime", "pydantic", "pydantic_core"),
    *("annotated_types", "typing_extensions", "typing_inspection"),
    *("typer", "click", "annotated_doc", "shellingham", "rich", "pygments"),
}
"""The libraries of most commands, which need no clean-up when Python ends."""


TOO_LITTLE = "there is not enough memory for these data"
SPARING = {
    "OPENBLAS_NUM_THREADS": "1",
    "POLARS_MAX_THREADS": "1",
    "_RJEM_MALLOC_CONF": "background_thread:false,narenas:1",
}
"""Few threads, each of which reserves hundreds of megabytes of addresses; no value depends on their number."""
LEAST = 700 << 20
"""Bytes of addresses below which some libraries do not start, and may wait for ever."""
_OUT_OF_MEMORY = {
    getattr(signal, name) for name in ("SIGABRT", "SIGSEGV", "SIGBUS", "SIGTRAP") if hasattr(signal, name)
}


class _Stop(BaseException):
    """Ctrl-C, in a class that no library catches."""


def main() -> None:
    """Run a command: errors and a full disk are one message and exit code 2, Ctrl-C is 130, a closed pipe 141."""
    gc.set_threshold(OBJECTS, 50, 100)
    atexit.register(_leave_garbage)
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # the search takes longer than most commands
    missing = run_in_worker()
    if missing:
        _end(missing)
    with _signals(), _reported_warnings():
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
    """Leave garbage uncollected at the end, unless a plugin or another library is loaded, which may report it."""
    loaded = {name.partition(".")[0] for name in sys.modules}
    if all(name in KNOWN or name.startswith("_") for name in loaded):
        gc.freeze()


def _run() -> None:
    try:
        app()
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
    raise _Stop


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


def limit() -> int | None:
    """Return the limit of this process in bytes of addresses; None without one."""
    try:
        import resource
    except ImportError:  # not on Windows
        return None
    allowed = resource.getrlimit(resource.RLIMIT_AS)[0]
    return None if allowed == resource.RLIM_INFINITY else allowed


def spare(environment: MutableMapping[str, str]) -> None:
    """Set few threads for libraries that are not loaded yet, unless the caller has set a number."""
    for name, value in SPARING.items():
        environment.setdefault(name, value)


def run_in_worker() -> str:
    """Continue in another process; the first waits and ends as that one does. Returns why not, or nothing."""
    allowed = limit()
    if allowed is None or not hasattr(os, "fork"):
        return ""
    if allowed < LEAST:
        return f"the shell allows {allowed >> 20} MB of memory (ulimit -v), and {LEAST >> 20} MB are the least"
    import_module("numpy")  # loaded in the worker, it leaves another library so much that this waits for ever
    spare(os.environ)
    worker = os.fork()
    if worker:
        _wait_for(worker)
    return ""


def _wait_for(worker: int) -> NoReturn:
    """End as the worker ends; signals that stop this process stop it too."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches both
    signal.signal(signal.SIGTERM, lambda number, _: os.kill(worker, number))
    code = os.waitstatus_to_exitcode(os.waitpid(worker, 0)[1])
    if code >= 0:
        os._exit(code)
    if -code in _OUT_OF_MEMORY:
        print(f"rankconv: {TOO_LITTLE}", file=sys.stderr, flush=True)
        os._exit(2)
    signal.signal(-code, signal.SIG_DFL)
    os.kill(os.getpid(), -code)
    os._exit(128 - code)
