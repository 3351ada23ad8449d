"""The web application, static files and values as JSON, and its server, which listens on this machine alone."""

import json
import socket
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from rankconv.errors import InputError
from rankconv.optional import require
from rankconv.playground.play import names, play

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

MOST_BYTES = 1_000_000
"""A longer request is not read."""
HOSTS = ["127.0.0.1", "localhost"]
"""What a browser on this machine asks for; another name that leads here is another site's."""
TYPES = {"page.html": "text/html", "play.js": "text/javascript", "play.css": "text/css", "icon.svg": "image/svg+xml"}
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


def application() -> "Starlette":
    """The playground for a server of one's own choice; needs Starlette.

    A host that is not this machine is refused, as is a body over a megabyte, and one that is not said to be JSON, which
    no other site's form can say.
    """
    from anyio import CapacityLimiter
    from starlette.applications import Starlette
    from starlette.exceptions import HTTPException
    from starlette.middleware import Middleware
    from starlette.middleware.trustedhost import TrustedHostMiddleware
    from starlette.routing import Route

    one_at_a_time = CapacityLimiter(1)

    async def played(request: "Request") -> "Response":
        """The values, differences and matches of one request."""
        return await _response(request, one_at_a_time)

    hosts = Middleware(TrustedHostMiddleware, allowed_hosts=HOSTS, www_redirect=False)
    routes = [
        *(Route(f"/{name}" if name != "page.html" else "/", _static(name)) for name in TYPES),
        Route("/names", _names),
        Route("/play", played, methods=["POST"]),
    ]
    return Starlette(routes=routes, middleware=[hosts], exception_handlers={HTTPException: _refused})


def _static(name: str) -> Any:
    async def file(request: "Request") -> "Response":
        """One file of the page."""
        from starlette.responses import Response

        return Response(_asset(name), media_type=TYPES[name], headers=HEADERS)

    return file


@cache
def _asset(name: str) -> bytes:
    return (files(__package__) / "page" / name).read_bytes()


async def _names(request: "Request") -> "Response":
    """What may be chosen."""
    from starlette.concurrency import run_in_threadpool

    return _json(await run_in_threadpool(names))


async def _response(request: "Request", limiter: Any) -> "Response":
    from anyio.to_thread import run_sync

    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        return _json({"error": "the request is not said to be application/json."}, 415)
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MOST_BYTES:
            return _json({"error": f"the request is longer than {MOST_BYTES:,} bytes."}, 413)
    try:
        body_fields = json.loads(body)
    except (ValueError, RecursionError):
        return _json({"error": "the request is no JSON."}, 400)
    async with limiter:
        if await request.is_disconnected():  # the list has moved on while this one waited
            return _json({"error": "no client waits for this response."}, 408)
        return _json(await run_sync(play, body_fields))


async def _refused(request: "Request", problem: Any) -> "Response":
    """Another path or method as JSON: no setting of this application is plain text."""
    return _json({"error": f"{request.method} {request.url.path}: {problem.detail}."}, problem.status_code)


def _json(data: Any, status: int = 200) -> "Response":
    from starlette.responses import JSONResponse

    return JSONResponse(data, status, HEADERS)


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
    uvicorn, _ = (require(name, "rankconv[serve]", "The playground") for name in ("uvicorn", "starlette"))
    with listening(port) as opened:
        opened.listen()
        ready(address(opened))
        config = uvicorn.Config(application(), log_level="warning", server_header=False)
        uvicorn.Server(config).run(sockets=[opened])
