"""The playground in a real browser: items move by key and by drag, and the address brings all of it back."""

import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from rankconv.addons.playground import playground_app as web
from tests.rendering.pages.web.test_browser import CHROMIUM, shown

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")
uvicorn = pytest.importorskip("uvicorn")
starlette = pytest.importorskip("starlette")

HOSTILE = ["<img src=x onerror=document.title='taken'>", "שלום", "😀", "a"]
STATE = {
    "items": [{"id": one} for one in HOSTILE[:3]] + [{"id": "a", "grade": 1}],
    "unretrieved": [],
    "metric": "mrr",
    "k": None,
}
TRY = """
const names = () => [...document.querySelectorAll("#items .name")].map((one) => one.value);
const answered = async () => {
  const done = () => document.getElementById("busy").textContent.includes("of this list");
  while (!done()) await new Promise((go) => setTimeout(go, 20));
  return document.querySelector("#numbers .value:not(th)").textContent;
};
const place = (name) => names().indexOf(name) + 1;
const told = [];
const tell = async (what) => told.push(`${what} ${place("a")} ${await answered()}`);
const key = () => document.activeElement.dispatchEvent(
  new KeyboardEvent("keydown", { key: "ArrowUp", altKey: true, bubbles: true, cancelable: true }));
const drag = (from, to) => {
  const [one, other] = [from, to].map((rank) => document.querySelector(`#items li:nth-child(${rank}) .handle`));
  const y = other.getBoundingClientRect().bottom;
  one.setPointerCapture = () => {};
  for (const [kind, clientY] of [["pointerdown", 0], ["pointermove", y], ["pointerup", y]])
    one.dispatchEvent(new PointerEvent(kind, { clientY, button: 0, pointerId: 1, bubbles: true, cancelable: true }));
};
addEventListener("load", async () => {
  if (sessionStorage.getItem("told")) {
    told.push(...JSON.parse(sessionStorage.getItem("told")));
    await tell("reloaded");
    document.body.append(`told: ${told.join(", ")}. images: ${document.querySelectorAll("#items img").length}.`);
    return;
  }
  await tell("first");
  document.querySelector("#items li:nth-child(4) .up").click();
  await tell("button");
  document.querySelector("#items li:nth-child(3) .name").focus();
  key();
  await tell("key");
  drag(1, 2);
  await tell("drag");
  const back = new Promise((go) => addEventListener("popstate", go, { once: true }));
  history.back();
  await back;
  await tell("back");
  document.querySelector("#items li:nth-child(2) .up").click();
  await tell("again");
  sessionStorage.setItem("told", JSON.stringify(told));
  location.reload();
});
"""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The playground as it is served, with one more script of its own origin, which uses it."""
    from starlette.responses import Response
    from starlette.routing import Route

    from rankconv.addons.playground import playground_app

    async def trying(request: object) -> Response:
        page = (
            playground_app._asset("page.html")
            .decode()
            .replace("</head>", '<script src="/try.js" defer></script></head>')
        )
        return Response(page, media_type="text/html", headers=playground_app.HEADERS)

    async def script(request: object) -> Response:
        return Response(TRY, media_type="text/javascript")

    served = playground_app.application()
    served.router.routes += [Route("/try", trying), Route("/try.js", script)]
    with web.listening(0) as opened:
        yield from _served(served, opened)


def _served(served: object, opened: socket.socket) -> Iterator[str]:
    server = uvicorn.Server(uvicorn.Config(served, log_level="error"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [opened]})
    thread.start()
    try:
        yield web.address(opened)
    finally:
        server.should_exit = True
        thread.join()


def test_items_move_and_the_address_keeps_them(address: str, tmp_path: Path) -> None:
    """The reciprocal rank of `a` under every usual preset: its rank says the number."""
    dom, console = shown(f"{address}try#{quote(json.dumps(STATE))}", tmp_path, 1200, wait=30_000)
    steps = (
        "first 4 0.2500, button 3 0.3333, key 2 0.5000, drag 1 1.0000, back 2 0.5000, again 1 1.0000, reloaded 1 1.0000"
    )
    assert dom.partition("told: ")[2].partition(".</body>")[0] == f"{steps}. images: 0"
    assert "<title>rankconv playground</title>" in dom
    assert not console


def test_thousands_of_items_are_one_sentence(address: str, tmp_path: Path) -> None:
    many = {"items": [{"id": f"i{number}"} for number in range(3000)]}
    address = f"{address}#{quote(json.dumps(many, separators=(',', ':')), safe=':,')}"
    dom, console = shown(address, tmp_path, 500, wait=10_000)
    assert "3,000 items. The playground takes 200 at most." in dom
    assert not console
