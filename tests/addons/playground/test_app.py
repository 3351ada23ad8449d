"""The web application: what it serves, to whom, and what it refuses."""

import json
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings

from rankconv.addons.playground import playground_app as web
from rankconv.basics.errors import InputError
from tests.addons.playground.requests import ANYTHING
from tests.laws import examples

pytest.importorskip("starlette")
pytest.importorskip("httpx2")
from starlette.testclient import TestClient

from rankconv.addons.playground.playground_app import MOST_BYTES, TYPES, application

LIST = {"items": [{"id": "a", "grade": 1}, {"id": "b"}], "metric": "map"}


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(application(), base_url="http://127.0.0.1:8421") as opened:
        yield opened


@pytest.mark.parametrize("name", TYPES)
def test_each_file_comes_with_a_policy_without_eval_and_inline(client: TestClient, name: str) -> None:
    found = client.get("/" if name == "page.html" else f"/{name}")
    assert found.status_code == 200
    policy = found.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert found.headers["X-Content-Type-Options"] == "nosniff"
    assert found.headers["Content-Type"].startswith(TYPES[name])


def test_the_page_names_no_file_that_is_not_served_and_writes_no_markup() -> None:
    folder = files("rankconv.addons.playground") / "page"
    page, script = ((folder / name).read_text("utf-8") for name in ("page.html", "play.js"))
    assert {*re.findall(r'(?:src|href)="([^"]+)"', page)} == TYPES.keys() - {"page.html"}
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function", script)
    assert not re.search(r"<script>|\son\w+=|\sstyle=", page)


def test_a_response(client: TestClient) -> None:
    found = client.post("/play", json=LIST)
    assert found.status_code == 200
    assert found.json()["numbers"]["groups"][-1]["value"] == 1.0
    assert found.headers["Cache-Control"] == "no-store"
    assert "blog" in client.get("/names").json()["usual"]


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:8421", ""])
def test_another_host_is_refused(client: TestClient, host: str) -> None:
    assert client.get("/", headers={"Host": host}).status_code == 400
    assert client.post("/play", json=LIST, headers={"Host": host}).status_code == 400
    assert client.get("/", headers={"Host": "localhost:8421"}).status_code == 200


@pytest.mark.parametrize(
    ("body", "kind", "status", "said"),
    [
        (b"{", "application/json", 400, "no JSON"),
        (b"\xff", "application/json", 400, "no JSON"),
        (b"[" * 100_000, "application/json", 400, "no JSON"),
        (b"[]", "application/json", 200, "no JSON object"),
        (b'{"k": NaN}', "application/json", 200, "k: "),
        (b" " * (MOST_BYTES + 1), "application/json", 413, "1,000,000 bytes"),
        (b"{}", "text/plain", 415, "application/json"),
        (b"{}", "application/x-www-form-urlencoded", 415, "application/json"),
    ],
)
def test_what_is_no_request_is_refused(client: TestClient, body: bytes, kind: str, status: int, said: str) -> None:
    found = client.post("/play", content=body, headers={"Content-Type": kind})
    assert (found.status_code, said in found.json()["error"]) == (status, True)


BODIES = st.one_of(
    st.binary(max_size=60),
    ANYTHING.map(lambda one: json.dumps(one).encode()),
    st.tuples(ANYTHING.map(lambda one: json.dumps(one).encode()), st.integers(0, 200), st.binary(max_size=3)).map(
        lambda parts: parts[0][: parts[1]] + parts[2] + parts[0][parts[1] + len(parts[2]) :]
    ),
    st.sampled_from([b"[", b'{"a":', b'{"items":[']).flatmap(
        lambda piece: st.integers(1, 3000).map(lambda depth: piece * depth)
    ),
    st.integers(1, 5000).map(lambda digits: b'{"k":' + b"9" * digits + b"}"),
    st.sampled_from(["utf-16", "utf-32", "utf-8-sig"]).map(lambda code: '{"metric": "map"}'.encode(code)),
)


@settings(max_examples=examples.of(quick=60, ci=200, long=1000), suppress_health_check=[HealthCheck.too_slow])
@given(body=BODIES, path=st.sampled_from(["/play"] * 9 + ["/", "/names", "/nothing"]))
def test_every_body_is_answered_with_json(client: TestClient, body: bytes, path: str) -> None:
    found = client.post(path, content=body, headers={"Content-Type": "application/json"})
    assert found.status_code in ((200, 400) if path == "/play" else (404, 405))
    told: dict[str, Any] = found.json()
    assert "error" in told if found.status_code != 200 else told.keys() & {"error", "numbers"}


def test_nothing_else_is_served(client: TestClient) -> None:
    for path in ("/page.html", "/app.py", "/%2e%2e/app.py", "/page/play.js", "/docs"):
        assert client.get(path).status_code == 404
    assert client.get("/play").status_code == 405


def test_a_port_that_is_taken_or_none_is_one_sentence() -> None:
    with web.listening(0) as opened:
        opened.listen()
        port = opened.getsockname()[1]
        assert opened.getsockname()[0] == "127.0.0.1"
        with pytest.raises(InputError, match=f"port {port} is not available"):
            web.listening(port)
    with pytest.raises(InputError, match=r"70000 is not a port\. Ports go from 0"):
        web.listening(70000)


def test_without_starlette_the_command_says_how_it_is_installed() -> None:
    told = "sys.modules['uvicorn'] = None; sys.argv = ['rankconv', 'serve']"
    code = f"import sys; {told}; import rankconv.cli as c; c.main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "pip install 'rankconv[serve]'" in done.stderr
    assert "Traceback" not in done.stderr


HALVES = {
    "head": b"POST /play HTT",
    "body": b"POST /play HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{",
}


@pytest.mark.parametrize("half", HALVES)
def test_ctrl_c_ends_it_while_a_request_is_half_sent(half: str) -> None:
    command = [sys.executable, "-m", "rankconv", "serve", "--port", "0"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **pipes) as server:
        port = int(server.stdout.readline().rpartition(":")[2].partition("/")[0])
        address = ("127.0.0.1", port)
        with socket.create_connection(address) as page, socket.create_connection(address) as sent:
            page.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            page.recv(1)  # it serves, so that what comes next is read
            sent.sendall(HALVES[half])
            time.sleep(0.3)
            server.send_signal(signal.SIGINT)
            try:
                said = server.communicate(timeout=10)[1]  # half a second, but on a busy machine
            finally:
                server.kill()
    assert (server.returncode, said) == (130, "rankconv: stopped\n")
