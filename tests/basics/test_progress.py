"""A bar for those who wait: on a clock and a terminal that are made up."""

import io
import re
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace

import pytest

import rankconv as rc
from rankconv.basics import progress
from rankconv.basics.progress import CLEAR, Bar, current_bar, stage, watching
from rankconv.data.joined import Joined
from tests.laws.test_laws import group_by_group

LABELS, RUN = {f"u{n}": ["a"] for n in range(40)}, {f"u{n}": ["x", "a"] for n in range(40)}


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@dataclass
class Work:
    to_do: int
    done: int


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    made = Terminal()
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=made, modules={}))
    return made


def test_it_appears_after_a_while_and_goes_away(terminal: Terminal) -> None:
    clock = Clock()
    bar = Bar(terminal, after=2.0, clock=clock)
    works = [Work(1000, 0), Work(1000, 0), Work(500, 0)]
    for seconds, done in [(0.0, 0), (1.9, 100)]:
        clock.now, works[0].done = 100.0 + seconds, done
        bar(works)
    assert terminal.getvalue() == ""
    clock.now, works[0].done, works[1].done = 104.0, 1000, 500
    bar(works)
    assert "600 of 1,000 users 150 users/s 0:00:03 left" in terminal.getvalue()
    length = len(terminal.getvalue())
    clock.now, works[2].done = 104.05, 500
    bar(works)
    assert len(terminal.getvalue()) == length, "it is not drawn more often than anyone can see"
    clock.now = 108.0
    bar(works)
    assert "800 of 1,000 users 100 users/s 0:00:02 left" in terminal.getvalue()
    bar.close()
    assert terminal.getvalue().endswith("\x1b[2K"), "the line is cleared"


def test_a_stage_is_named_and_its_rate_is_its_own(terminal: Terminal) -> None:
    clock = Clock()
    bar = Bar(terminal, after=2.0, clock=clock)
    bar.begin("First")
    assert terminal.getvalue() == "", "nobody waits yet"
    clock.now = 110.0
    bar.begin("Second", "lists")
    assert terminal.getvalue().endswith("Second …")
    clock.now = 114.0
    bar([Work(100, 40)])
    assert "Second ━━━━━        40 of 100 lists 10 lists/s 0:00:06 left" in terminal.getvalue()


def test_what_a_call_calls_is_shown_on_its_bar(terminal: Terminal) -> None:
    assert stage("nobody watches") is None
    with watching(True) as bar:
        with watching(None) as inner, watching(False) as innermost:
            assert inner is innermost is bar is current_bar()
        assert stage("Going on", "lists") is bar
        assert current_bar() is bar, "an inner call does not take it away"
    assert current_bar() is None
    with watching(False) as bar, watching(True) as inner:
        assert bar is inner is stage("in silence") is None


CALLS: dict[str, tuple[Callable[..., object], list[str]]] = {
    "identify": (lambda **shown: rc.identify(LABELS, RUN, "mrr", "0.5", **shown), ["Evaluating presets", "Searching"]),
    "several": (lambda **shown: rc.identify(LABELS, RUN, {"mrr": "0.5", "map": "0.5"}, **shown), ["Searching"]),
    "identify_table": (
        lambda **shown: rc.identify_table({"one": {"mrr": "0.5"}}, LABELS, rc.Runs(one=RUN), **shown),
        ["Searching definitions"],
    ),
    "why": (lambda **shown: rc.why(LABELS, RUN, "ndcg@3", a="blog", b="mllib", **shown), ["Changing settings"]),
    "sensitivity": (
        lambda **shown: rc.sensitivity(LABELS, {user: {"x": 1.0, "a": 1.0} for user in RUN}, "mrr", ["ranx"], **shown),
        ["Varying the order of ties", "40 of 40 users"],
    ),
    "report": (
        lambda **shown: rc.report(LABELS, {"a": RUN, "b": LABELS}, "mrr", ["ranx"], **shown),
        ["Evaluating", "Testing differences", "Checking the data"],
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_long_calls_say_what_they_do(name: str, terminal: Terminal) -> None:
    call, said = CALLS[name]
    call(progress=True)
    assert all(text in terminal.getvalue() for text in said), terminal.getvalue()
    assert terminal.getvalue().endswith(CLEAR)
    terminal.seek(0)
    terminal.truncate()
    call(progress=False)
    assert terminal.getvalue() == ""


@pytest.mark.parametrize(
    ("shown", "at_terminal", "bar"),
    [(None, True, True), (None, False, False), (True, False, True), (False, True, False)],
)
def test_who_sees_it(monkeypatch: pytest.MonkeyPatch, shown: bool | None, at_terminal: bool, bar: bool) -> None:
    stream = Terminal() if at_terminal else io.StringIO()
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=stream))
    with watching(shown) as told:
        assert (told is not None) == bar


@pytest.mark.parametrize("kernel", [True, False])
def test_a_notebook_shows_it(monkeypatch: pytest.MonkeyPatch, kernel: bool) -> None:
    stream = type("OutStream", (io.StringIO,), {"__module__": "ipykernel.iostream" if kernel else "io"})()
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=stream))
    with watching(None) as told:
        assert (told is not None) == kernel


def test_it_is_one_line_of_a_narrow_terminal(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    Bar(terminal, after=0.0)([Work(1000, 500)])
    assert max(map(len, terminal.getvalue().split("\r\x1b[2K"))) < 30


def test_an_evaluation_tells_of_all_users(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "EVERY", 0.0)
    monkeypatch.setattr(Joined, "groups", group_by_group(7))
    specs = ["ndcg@2", "mrr", "precision(candidates=labelled-only)@2"]
    quiet = rc.evaluate(LABELS, RUN, specs, progress=False)
    assert terminal.getvalue() == ""
    loud = rc.evaluate(LABELS, RUN, specs, progress=True)
    told = [int(done) for done in re.findall(r"(\d+) of 40 users", terminal.getvalue())]
    assert told == sorted(told)
    assert told[-1] == 40
    assert len(set(told)) > 6
    assert loud.to_dict() == quiet.to_dict()


def test_a_comparison_too(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "EVERY", 0.0)
    rc.compare(LABELS, RUN, "ndcg@2", ["mllib", "sklearn"], progress=True)
    assert "40 of 40 users" in terminal.getvalue()


def test_quick_work_shows_nothing(terminal: Terminal) -> None:
    rc.evaluate(LABELS, RUN, "ndcg@2")
    assert terminal.getvalue() == ""


def fail_half_way() -> None:
    with watching(True) as told:
        assert told is not None
        told([Work(10, 5)])
        raise rc.InputError("no")


def test_it_goes_away_when_the_work_fails(terminal: Terminal) -> None:
    with pytest.raises(rc.InputError):
        fail_half_way()
    assert "5 of 10 users" in terminal.getvalue()
    assert terminal.getvalue().endswith("\x1b[2K")
