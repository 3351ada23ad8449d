"""The playground in a real browser: items move by key and by drag, and it shows the numbers of `play`."""

import json
import re
import socket
import threading
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from rankconv.addons.playground import playground_app
from rankconv.addons.playground.playground_app import play
from tests.browser import in_a_browser, shown

pytestmark = in_a_browser
uvicorn = pytest.importorskip("uvicorn")
starlette = pytest.importorskip("starlette")

HOSTILE = ["<img src=x onerror=document.title='taken'>", "שלום", "😀", "a"]
STATE = {
    "items": [{"id": one} for one in HOSTILE[:3]] + [{"id": "a", "grade": 1}],
    "unretrieved": [],
    "metric": "mrr",
    "k": None,
}
MOVE = """
const names = () => [...document.querySelectorAll("#items .name")].map((one) => one.value);
const numberShown = async () => {
  const done = () => document.getElementById("busy").textContent.includes("of this list");
  while (!done()) await new Promise((go) => setTimeout(go, 20));
  return document.querySelector("#numbers .value:not(th)").textContent;
};
const place = (name) => names().indexOf(name) + 1;
const steps = [];
const note = async (what) => steps.push(`${what} ${place("a")} ${await numberShown()}`);
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
  if (sessionStorage.getItem("steps")) {
    steps.push(...JSON.parse(sessionStorage.getItem("steps")));
    await note("reloaded");
    document.body.append(`steps: ${steps.join(", ")}. images: ${document.querySelectorAll("#items img").length}.`);
    return;
  }
  await note("first");
  document.querySelector("#items li:nth-child(4) .up").click();
  await note("button");
  document.querySelector("#items li:nth-child(3) .name").focus();
  key();
  await note("key");
  drag(1, 2);
  await note("drag");
  const back = new Promise((go) => addEventListener("popstate", go, { once: true }));
  history.back();
  await back;
  await note("back");
  document.querySelector("#items li:nth-child(2) .up").click();
  await note("again");
  sessionStorage.setItem("steps", JSON.stringify(steps));
  location.reload();
});
"""


USE_ALL = """
const run = new Set();
for (const name of FUNCTIONS) {
  const own = window[name];
  window[name] = (...values) => { run.add(name); return own(...values); };
}
const shown = async () => {
  const done = () => document.getElementById("busy").textContent.includes("of this list");
  while (!done()) await new Promise((go) => setTimeout(go, 20));
};
const enter = (selector, value) => {
  const field = document.querySelector(selector);
  field.value = value;
  field.dispatchEvent(new Event("change"));
};
addEventListener("load", async () => {
  await shown();
  document.querySelector("#items li:nth-child(2) .down").click();
  document.getElementById("add").click();
  document.getElementById("add-unretrieved").click();
  enter("#unretrieved li:last-child .grade", "2");
  document.querySelector("#items li:last-child .remove").click();
  document.getElementById("scored").click();
  enter("#items li:nth-child(1) .score", "2.5");
  const moved = () => new Promise((go) => addEventListener("popstate", go, { once: true }));
  const broken = moved();
  location.hash = "#{";
  await broken;
  const problem = document.getElementById("said").textContent;
  const back = moved();
  history.back();
  await back;
  enter("#identify", "0.5");
  await shown();
  const left = FUNCTIONS.filter((name) => !run.has(name));
  const result = document.createElement("pre");
  const cells = (id) => [...document.querySelectorAll(`#${id} td.value`)].map((one) => one.textContent);
  const numbers = { numbers: cells("numbers"), why: cells("why"), identify: cells("identified") };
  const state = JSON.parse(decodeURIComponent(location.hash.slice(1)));
  result.textContent = JSON.stringify({ left, problem, numbers, state });
  result.id = "result";
  document.body.append(result);
});
"""
SCRIPT = playground_app._asset("play.js").decode()
FUNCTIONS = sorted(re.findall(r"^(?:async )?function (\w+)", SCRIPT, re.MULTILINE))
AT_THE_START = ["again", "begin", "listen"]
"""Functions that are run, or held by a listener, before another script can watch them."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The playground as it is served, and under two more addresses with a script of its own origin that uses it."""
    from starlette.responses import Response
    from starlette.routing import Route

    async def page_with(request: Any) -> Response:
        script = f'<script src="/{request.path_params["name"]}.js" defer></script></head>'
        page = playground_app._asset("page.html").decode().replace("</head>", script)
        return Response(page, media_type="text/html", headers=playground_app.HEADERS)

    async def script(request: Any) -> Response:
        texts = {f"fault{place}": script for place, (script, _) in enumerate(FAULTS.values())}
        texts |= {"move": MOVE, "use": f"const FUNCTIONS = {json.dumps(FUNCTIONS)};\n{USE_ALL}"}
        return Response(texts[request.path_params["name"]], media_type="text/javascript")

    served = playground_app.application()
    served.router.routes += [Route("/with-{name}", page_with), Route("/{name}.js", script)]
    with playground_app.listening(0) as opened:
        yield from _served(served, opened)


def _served(served: object, opened: socket.socket) -> Iterator[str]:
    server = uvicorn.Server(uvicorn.Config(served, log_level="error"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [opened]})
    thread.start()
    try:
        yield playground_app.address(opened)
    finally:
        server.should_exit = True
        thread.join()


FAULTS = {
    "no response": ("window.fetch = async () => { throw new TypeError('Failed to fetch'); };", "There is no response."),
    "no JSON": ("window.fetch = async () => new Response('<html>');", "The response is not JSON."),
    "an error": (
        "window.fetch = async () => Response.json({ error: 'item a has none.' });",
        "item a has none.",
    ),
    "a fault of the script": (
        "window.bar = () => { throw new ReferenceError('width is not defined'); };",
        "This page cannot draw the response, which is a fault of rankconv: width is not defined",
    ),
}
"""What goes wrong, and what the page says then."""


@pytest.mark.parametrize("name", FAULTS)
def test_a_failed_request_and_a_fault_of_the_script_are_told_apart(address: str, tmp_path: Path, name: str) -> None:
    place = [*FAULTS].index(name)
    dom, console = shown(f"{address}with-fault{place}", tmp_path, 1200, wait=30_000)
    said = re.findall(r'<p class="error">(.*?)</p>', dom)
    assert len(said) == 1
    assert said[0].startswith(FAULTS[name][1])
    assert ("width is not defined" in console) == (name == "a fault of the script")


def test_items_move_and_the_address_keeps_them(address: str, tmp_path: Path) -> None:
    """The reciprocal rank of `a` under every usual preset: its rank says the number."""
    dom, console = shown(f"{address}with-move#{quote(json.dumps(STATE))}", tmp_path, 1200, wait=30_000)
    steps = (
        "first 4 0.2500, button 3 0.3333, key 2 0.5000, drag 1 1.0000, back 2 0.5000, again 1 1.0000, reloaded 1 1.0000"
    )
    assert dom.partition("steps: ")[2].partition(".</body>")[0] == f"{steps}. images: 0"
    assert "<title>rankconv playground</title>" in dom
    assert not console


def test_every_function_runs_and_the_page_has_the_numbers_of_play(address: str, tmp_path: Path) -> None:
    """The list is a, c, b, d, e after a move, with falling scores, and g, which no ranking has, is new."""
    dom, console = shown(f"{address}with-use", tmp_path, 1200, wait=30_000)
    found = re.search(r'<pre id="result">(.*?)</pre>', dom, re.DOTALL)
    assert not console
    assert found, dom
    result = json.loads(unescape(found[1]))
    assert result["left"] == AT_THE_START
    assert result["problem"] == "The address holds no list that can be read, so the page starts anew."
    state = result["state"]
    assert [one["id"] for one in state["items"]] == ["a", "c", "b", "d", "e"]
    assert state["items"][0] == {"id": "a", "grade": 3, "score": 2.5}
    request = {**{name: state[name] for name in ("items", "unretrieved", "metric", "k", "why", "identify")}}
    theirs = play(request)
    parts = {"numbers": theirs["numbers"]["groups"], "why": [*theirs["why"]["ends"], *theirs["why"]["steps"]]}
    for name, rows in parts.items():
        assert sorted(result["numbers"][name]) == sorted(row["shown"] for row in rows)
        assert len(rows) > 2
    values = [row["value"] for row in theirs["identify"]["rows"]]
    assert result["numbers"]["identify"] == [f"{value:.6f}" for value in values]
    assert values


def test_thousands_of_items_are_one_sentence(address: str, tmp_path: Path) -> None:
    many = {"items": [{"id": f"i{number}"} for number in range(3000)]}
    address = f"{address}#{quote(json.dumps(many, separators=(',', ':')), safe=':,')}"
    dom, console = shown(address, tmp_path, 500, wait=10_000)
    assert "3,000 items. The playground takes 200 at most." in dom
    assert not console
