"""The playground: from a request to its values as JSON, and the application that serves them on this machine alone."""

import json
import logging
import socket
import warnings
from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, FiniteFloat, ValidationError

from rankconv.analysis.identify.candidates import one_metric
from rankconv.analysis.identify.identify import identify
from rankconv.analysis.identify.identify_result import IdentifyResult, few
from rankconv.analysis.why.attribution import digits_for, notes, shares
from rankconv.analysis.why.why import why
from rankconv.basics.errors import InputError, MetricError, RankconvError, RespelledIds, not_among
from rankconv.basics.optional import require
from rankconv.evaluation.compare import DEFAULT_PRESETS, compare
from rankconv.evaluation.results.comparison import absent_words
from rankconv.evaluation.results.differences import EqualNumbers
from rankconv.metrics import METRICS
from rankconv.presets.checked_file import Strict, problem_text
from rankconv.presets.folders import GROUPS, likely_presets
from rankconv.presets.preset_registry import ALL, ALL_PRESETS, list_presets, names_preset
from rankconv.rendering.pages.cells import finite, number, plural

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

MOST_ITEMS = 200
"""So many items one list has at most; with more nobody moves them by hand."""
MOST_LETTERS = 200
LIST = "the list"
"""How the one user is called."""

Text = Annotated[str, Field(max_length=MOST_LETTERS)]
Grade = Annotated[FiniteFloat, Field(strict=True, ge=-1000, le=1000)]


class Judged(Strict):
    """An item, and what somebody found of it."""

    id: Annotated[str, Field(min_length=1, max_length=MOST_LETTERS)]
    grade: Grade | None = None
    """None: nobody has judged it."""


class Ranked(Judged):
    """An item of the list."""

    score: Annotated[FiniteFloat, Field(strict=True)] | None = None


class MetricRequest(Strict):
    """One request."""

    items: list[Ranked] = Field(default=[])
    """Best first."""
    unretrieved: list[Judged] = Field(default=[])
    """Judged items that the list lacks."""
    metric: Text = "ndcg"
    k: Annotated[int, Field(strict=True)] | None = None
    """A cutoff for a metric that names none."""
    presets: list[Text] = Field(default=[], max_length=300)
    """Names and groups of presets; none: the usual ones."""
    why: tuple[Text, Text] | None = None
    identify: Text | None = None
    """A number as it was printed."""

    @property
    def spec(self) -> str:
        """The metric at its cutoff."""
        spec = one_metric(self.metric)
        return str(spec.at(self.k) if self.k is not None and not any(spec.cutoffs) else spec)

    def checked(self) -> None:
        """A ConventionError for a preset that is none; a path is none either, as who asks may be anybody."""
        for word in (*self.presets, *(self.why or ())):
            if word not in {ALL, *GROUPS} and not names_preset(word):
                raise not_among("preset", word, likely_presets(word, [*GROUPS, *list_presets()]), ALL_PRESETS)

    @property
    def labels(self) -> dict[str, dict[str, float]]:
        """The grade of each judged item; an InputError for an item that has two."""
        grades: dict[str, float] = {}
        for one in (*self.items, *self.unretrieved):
            if one.grade is not None and grades.setdefault(one.id, one.grade) != one.grade:
                do = "Give it the same grade everywhere, or another name."
                raise InputError(f"item '{one.id}' has the grades {grades[one.id]:g} and {one.grade:g}", do=do)
        return {LIST: grades}

    @property
    def run(self) -> dict[str, Any]:
        """The list, with its scores if it has some; an InputError where only some items have one."""
        without = [one.id for one in self.items if one.score is None]
        if len(without) == len(self.items):
            return {LIST: without}
        if without:
            raise InputError(
                f"item '{without[0]}' has no score, and others have", do="Give all items a score, or none."
            )
        return {LIST: [(one.id, one.score) for one in self.items]}


def read(given: Any) -> MetricRequest:
    """The request that plain data stand for; an InputError says what in them is none."""
    if not isinstance(given, dict):
        raise InputError("the request is no JSON object")
    for name in ("items", "unretrieved"):
        listed = given.get(name)
        if isinstance(listed, list) and len(listed) > MOST_ITEMS:
            do = "For longer lists: rankconv compare LABELS RUN."
            allowed = f"The playground takes {MOST_ITEMS} at most"
            raise InputError(f"the list has {len(listed):,} items", allowed=allowed, do=do)
    try:
        request = MetricRequest.model_validate(given)
    except ValidationError as problem:
        error = problem.errors(include_url=False)[0]
        where = ", ".join(str(one + 1) if isinstance(one, int) else one for one in error["loc"])  # counted from one
        raise InputError(problem_text(error), where=where) from None
    request.checked()
    return request


DIGITS = 4
USUAL = (*DEFAULT_PRESETS, "ranx", "torchmetrics", "recommenders", "recbole", "lightgbm")
"""The presets that are shown where none are named."""
ROWS = 8
"""Definitions that are listed for a number."""


def play(request: Any) -> dict[str, Any]:
    """Compute the values of presets for one list, their differences, and the presets that give a certain value.

    Takes `items` (objects with `id`, and `grade` and `score` if known; best first), `unretrieved` (judged items
    that the list lacks), `metric`, `k`, `presets` (names or groups; none for the usual ones), two presets under
    `why`, and a number as text under `identify`. All of it is plain data, as is the result: `metric`, `warnings`,
    `numbers`, `why`, `identify`; a part that fails holds its `error` and leaves the others alone. What is no request
    has an `error` and nothing else. Nothing is raised, and nothing is kept between two calls.

    >>> items = [{"id": "a", "grade": 1}, {"id": "b"}, {"id": "c", "grade": 1}]
    >>> result = play({"items": items, "metric": "map", "k": 2, "presets": ["blog", "mllib"]})
    >>> [(group["shown"], group["presets"]) for group in result["numbers"]["groups"]]
    [('0.5000', ['mllib']), ('1.0000', ['blog'])]
    >>> result["numbers"]["groups"][1]["step"]["settings"]
    ['ap-denominator=hits']
    """
    try:
        checked = read(request)
        metric, labels, run = checked.spec, checked.labels, checked.run
    except RankconvError as error:
        return {"error": error.on_a_page}
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        warnings.simplefilter("ignore", RespelledIds)  # of one list: ids that differ are meant to
        parts = {
            "numbers": _part(lambda: _numbers(checked, metric, labels, run)),
            "why": checked.why and _part(lambda: _why(checked, metric, labels, run)),
            "identify": checked.identify and _part(lambda: _identified(checked, metric, labels, run)),
        }
    return {"metric": metric, "warnings": list(dict.fromkeys(str(one.message) for one in warned)), **parts}


def names() -> dict[str, Any]:
    """What may be chosen: metrics, presets and groups of them, which are the usual ones, how many items."""
    return {
        "metrics": sorted(METRICS),
        "presets": sorted({*list_presets(), *USUAL}),
        "groups": [ALL, *GROUPS],
        "usual": list(USUAL),
        "most_items": MOST_ITEMS,
    }


def _part(compute: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    try:
        return compute()
    except RankconvError as error:
        return {"error": error.on_a_page}


def _numbers(request: MetricRequest, metric: str, labels: Any, run: Any) -> dict[str, Any]:
    found = compare(labels, run, metric, request.presets or USUAL)
    row = _only(found.metrics, metric)
    return {"groups": [_group(one) for one in found.by_value(row, DIGITS)], "absent": absent_words(found, row)}


def _only(metrics: Sequence[str], name: str) -> str:
    """The one metric of this name; a MetricError where the presets mean several by it, as by `official`, or none."""
    if len(metrics) != 1:
        wrong = f"'{name}' is the name of {plural(len(metrics), 'metric')} in these presets"
        do = f"Choose one of them: {', '.join(metrics)}." if metrics else "Choose another metric, or other presets."
        raise MetricError(wrong, do=do)
    return metrics[0]


def _group(one: EqualNumbers) -> dict[str, Any]:
    [mean] = one.means
    step = one.step and {"upper": one.step.upper, "lower": one.step.lower, "settings": one.step.settings}
    return {"value": finite(mean), "shown": number(mean, DIGITS), "presets": sorted(one.names), "step": step}


def _why(request: MetricRequest, metric: str, labels: Any, run: Any) -> dict[str, Any]:
    assert request.why is not None
    found = why(labels, run, metric, a=request.why[0], b=request.why[1])
    digits = digits_for(found, None)
    steps = [
        {"change": "; ".join(one.player.changes), "share": one.share, "shown": shown}
        for one, shown in zip(found.contributions, shares(found, digits), strict=True)
    ]
    sides = zip((found.ours, found.other), (found.first, found.second), strict=True)
    ends = [{"name": side.name, "value": one.mean, "shown": number(one.mean, digits)} for side, one in sides]
    return {"ends": ends, "steps": steps, "notes": notes(found)}


def _identified(request: MetricRequest, metric: str, labels: Any, run: Any) -> dict[str, Any]:
    found = identify(labels, run, metric, request.identify)
    assert isinstance(found, IdentifyResult)
    rows = found.listed or found.rows or found.nearest
    parts = [
        {"definition": row.spec, "value": finite(row.value), "how": row.how, "also": few(row.others, ROWS)}
        for row in rows[:ROWS]
    ]
    return {"headline": found.headline(ROWS), "found": found.found, "rows": parts, "more": max(0, len(rows) - ROWS)}


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
        return _json(await run_sync(play, body_fields, abandon_on_cancel=True))


async def _refused(request: "Request", problem: Any) -> "Response":
    """Another path or method as JSON: no response of this application is plain text."""
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

    Requests under way are cut off then. Raises LibraryError where Starlette or uvicorn is not installed, and
    InputError for a port that is not available.
    """
    uvicorn, _ = (require(name, "rankconv[serve]", "The playground") for name in ("uvicorn", "starlette"))
    with listening(port) as opened:
        opened.listen()
        ready(address(opened))
        config = uvicorn.Config(application(), log_level="warning", server_header=False, timeout_graceful_shutdown=0)

        class Server(uvicorn.Server):  # type: ignore[misc,name-defined]
            """One that ends without a word of the requests that Ctrl-C cuts off."""

            def handle_exit(self, sig: int, frame: FrameType | None) -> None:
                logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
                super().handle_exit(sig, frame)

        Server(config).run(sockets=[opened])
