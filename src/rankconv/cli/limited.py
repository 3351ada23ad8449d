"""Memory that the shell limits (`ulimit -v`).

The library that reads the files ends its process where it finds no memory, and no message of ours comes out. So a
command under a limit works in a process of its own, and the one that was started waits, and can still speak.
"""

import os
import signal
import sys
from collections.abc import MutableMapping
from importlib import import_module
from typing import NoReturn

TOO_LITTLE = "there is not enough memory for these data"
SPARING = {
    "OPENBLAS_NUM_THREADS": "1",
    "POLARS_MAX_THREADS": "1",
    "_RJEM_MALLOC_CONF": "background_thread:false,narenas:1",
}
"""Threads set addresses aside by the hundred megabytes; no number depends on how many there are."""
LEAST = 700 << 20
"""Below this many bytes of addresses some libraries do not start, and may wait for ever."""
_OUT_OF_MEMORY = {
    getattr(signal, name) for name in ("SIGABRT", "SIGSEGV", "SIGBUS", "SIGTRAP") if hasattr(signal, name)
}


def limit() -> int | None:
    """How many bytes of addresses this process may have; None where nobody limits them."""
    try:
        import resource
    except ImportError:  # not on Windows
        return None
    found = resource.getrlimit(resource.RLIMIT_AS)[0]
    return None if found == resource.RLIM_INFINITY else found


def spare(environment: MutableMapping[str, str]) -> None:
    """Ask libraries that are not loaded yet for few threads, unless the caller has asked for some number."""
    for name, value in SPARING.items():
        environment.setdefault(name, value)


def work_apart() -> str:
    """Go on in another process, which returns; the first ends as that one does. Returns why not, or nothing."""
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
    """End as the worker ends; what stops this process, stops it too."""
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
