"""Listening on this machine alone, until somebody stops it."""

import socket
from collections.abc import Callable

from rankconv.errors import InputError, LibraryError

LOOPBACK = "127.0.0.1"
HIGHEST = 65535


def listening(port: int) -> socket.socket:
    """A socket on this machine; an InputError where the port is taken, or none. Port 0 represents a free one."""
    if not 0 <= port <= HIGHEST:
        raise InputError(f"{port} is not a port", allowed=f"Ports go from 0, any free one, to {HIGHEST}")
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((LOOPBACK, port))
    except OSError as problem:
        found.close()
        do, shell = "Take another port.", "Take another: --port 0 finds a free one."
        raise InputError(f"port {port} is not available: {problem.strerror}", do=do, shell=shell) from None
    return found


def address(opened: socket.socket) -> str:
    """Where the page is found."""
    return f"http://{LOOPBACK}:{opened.getsockname()[1]}/"


def serve(port: int, ready: Callable[[str], None]) -> None:
    """Serve the playground until Ctrl-C; `ready` is called with its address once it can be opened.

    Raises LibraryError where Starlette or uvicorn is not installed, and InputError for a port that is not available.
    """
    try:
        import starlette  # noqa: F401
        import uvicorn
    except ImportError:
        wrong = "the playground needs Starlette and uvicorn"
        raise LibraryError(wrong, do="Install them: pip install 'rankconv[serve]'.") from None
    from rankconv.playground.app import application

    with listening(port) as opened:
        opened.listen()
        ready(address(opened))
        config = uvicorn.Config(application(), log_level="warning", server_header=False)
        uvicorn.Server(config).run(sockets=[opened])
