"""A search that is interrupted keeps what it has found, and says that it is not all."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import rankconv as rc
from rankconv.analysis.identify.candidate_values import Swept
from rankconv.basics.progress import INTERRUPTS, CtrlC
from tests.rendering.pages.runs import LABELS, run

RUN = run(1)
VALUE = f"{rc.evaluate(LABELS, RUN, 'ndcg@5', 'mllib')['ndcg@5']:.4f}"


@pytest.fixture(scope="module")
def whole() -> rc.typing.IdentifyResult:
    return rc.identify(LABELS, RUN, "ndcg@5", VALUE)


def interrupt_after(calls: int, monkeypatch: pytest.MonkeyPatch, how: type[BaseException] = KeyboardInterrupt) -> None:
    """Let the search be stopped after so many groups of definitions."""
    left, own = [calls], Swept.average

    def average(self: Swept, group: object) -> None:
        if not left[0]:
            raise how
        left[0] -= 1
        own(self, group)  # type: ignore[arg-type]

    monkeypatch.setattr(Swept, "average", average)


@pytest.mark.parametrize("how", INTERRUPTS)
@pytest.mark.parametrize("calls", [0, 3])
def test_it_has_what_was_found_until_then(
    calls: int, how: type[BaseException], whole: rc.typing.IdentifyResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupt_after(calls, monkeypatch, how)
    found = rc.identify(LABELS, RUN, "ndcg@5", VALUE)
    assert found.interrupted
    assert "mllib:ndcg@5" in found.rows[0].presets
    assert 100 < found.tried < whole.tried
    assert found.not_tried[-1] == "what was left when the search was interrupted"
    assert found.to_text().startswith("Interrupted; this was found until then. ndcg@5 = ")
    assert found.to_dict()["interrupted"]
    assert not whole.interrupted
    assert not whole.to_text().startswith("Interrupted")


def test_more_time_finds_more(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as at_once:
        interrupt_after(0, at_once)
        least = rc.identify(LABELS, RUN, "ndcg@5", VALUE).tried
    interrupt_after(5, monkeypatch)
    assert rc.identify(LABELS, RUN, "ndcg@5", VALUE).tried > least


def test_without_a_match_it_has_the_nearest_presets(monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt_after(0, monkeypatch)
    found = rc.identify(LABELS, RUN, "ndcg@5", "0.98761234")
    assert not found.found
    assert found.nearest
    assert "Possible reasons: what was not tried, a definition" in found.to_text(None)
    assert "were tried too" not in found.to_text(None)


def test_several_numbers_keep_the_presets_that_give_all(monkeypatch: pytest.MonkeyPatch) -> None:
    own = rc.evaluate(LABELS, RUN, ["ndcg@5", "map@5"], "mllib")
    numbers = {metric: f"{value:.4f}" for metric, value in own.items()}

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("rankconv.analysis.identify.identify._of_settings", interrupted)
    found = rc.identify(LABELS, RUN, numbers)
    assert isinstance(found, rc.typing.JointIdentifyResult)
    assert found.interrupted
    assert "mllib" in found.rows[0].presets
    assert found.to_text().startswith("Interrupted")


def test_before_anything_is_found_it_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("rankconv.analysis.identify.candidate_search.of_presets", interrupted)
    with pytest.raises(KeyboardInterrupt):
        rc.identify(LABELS, RUN, "ndcg@5", VALUE)
    assert not issubclass(CtrlC, Exception), "no library catches it"


def test_ctrl_c_prints_what_was_found(tmp_path: Path) -> None:
    """The signal comes while definitions are searched, of so many lists that this takes long."""
    pytest.importorskip("typer")
    rows = [(user, item) for user in range(400) for item in range(60)]
    labels = [f"{user},{item},{(user * item) % 4}" for user, item in rows if (user + item) % 3 == 0]
    lists = [f"{user},{item},{(item * 7 + user) % 61}" for user, item in rows]
    (tmp_path / "labels.csv").write_text("\n".join(["user,item,grade", *labels]))
    (tmp_path / "run.csv").write_text("\n".join(["user,item,score", *lists]))
    words = [sys.executable, "-m", "rankconv", "identify", "labels.csv", "run.csv", "-m", "ndcg@10", "--value", "0.5"]
    search = subprocess.Popen(
        [*words, "--progress"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path, env=dict(os.environ)
    )
    assert search.stderr is not None
    said = b""
    while b"Searching definitions" not in said and search.poll() is None:
        said += os.read(search.stderr.fileno(), 4096)
    search.send_signal(signal.SIGINT)
    printed, rest = search.communicate(timeout=120)
    assert search.returncode == 130, rest
    assert printed.startswith(b"Interrupted; this was found until then. ndcg@10 = 0.5")
    assert b"definitions" in printed
    assert rest.endswith(b"rankconv: stopped\n")
