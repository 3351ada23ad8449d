"""Harnesses: programs of any language that read a vector a line and write a reply a line."""

import json
import math
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from queue import Empty, Queue
from threading import Thread, current_thread, main_thread
from typing import Any

from rankconv.conformance.vectors import Case
from rankconv.errors import InputError

MOST_FAILURES = 3
"""After so many hangs, crashes and lines that are not replies nothing more is sent."""
SHOWN = 120
"""Letters of a line that is not a reply."""


@dataclass(frozen=True)
class Reply:
    """What a harness says of one vector."""

    mean: float | None = None
    """NaN where it says that there is none; None where it says nothing."""
    users: Mapping[str, float] = field(default_factory=dict)
    has_users: bool = False
    unsupported: str = ""
    failure: str = ""
    """Why there is no reply: a hang, a crash, a line that is not one."""

    @property
    def has_values(self) -> bool:
        """Whether it says any number."""
        return not self.unsupported and not self.failure


class Harness:
    """A running program; it is started when a vector is sent, and again after a failure."""

    def __init__(self, command: Sequence[str], time_limit: float) -> None:
        self.command, self.time_limit = list(command), time_limit
        self._process: subprocess.Popen[str] | None = None
        self._lines: Queue[str] = Queue()

    def reply(self, case: Case) -> Reply:
        """Send a vector, and return what comes back within the time limit."""
        process = self._process or self._start()
        try:
            assert process.stdin is not None
            process.stdin.write(case.line + "\n")
            process.stdin.flush()
            line = self._lines.get(timeout=self.time_limit)
        except Empty:
            return self._failed(f"no reply within {self.time_limit:g} s")
        except OSError:
            line = ""
        if not line:
            self.stop(grace=1.0)
            return Reply(failure=f"the program ended with exit code {process.returncode}")
        try:
            return _read(line, case.vector.id)
        except (ValueError, RecursionError) as error:
            return self._failed(f"{error}: {line.strip()[:SHOWN]!r}")

    def stop(self, grace: float = 0.0) -> None:
        """End the program, by force after so many seconds."""
        if self._process is not None:
            with suppress(OSError):
                self._process.stdin.close()  # type: ignore[union-attr]
            try:
                self._process.wait(grace)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None

    def _start(self) -> subprocess.Popen[str]:
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        try:
            process = subprocess.Popen(self.command, text=True, encoding="utf-8", errors="replace", **pipes)
        except OSError as error:
            wrong = f"the harness cannot be started: {error.strerror or error}"
            do = "Give the program after --, as in: rankconv conform -- python harness.py"
            raise InputError(wrong, where=" ".join(self.command), do=do) from None
        self._process, self._lines = process, Queue()
        Thread(target=_follow, args=(process.stdout, self._lines.put), daemon=True).start()
        return process

    def _failed(self, why: str) -> Reply:
        self.stop()
        return Reply(failure=why)


def _follow(lines: Any, put: Callable[[str], None]) -> None:
    """Hand on each line, and an empty one at the end."""
    with lines:
        for line in lines:
            put(line)
    put("")


def replies(command: Sequence[str], cases: Sequence[Case], time_limit: float) -> Iterator[Reply]:
    """Yield the reply to each vector; after too many failures the rest is not sent."""
    harness, failures = Harness(command, time_limit), 0
    pipes = hasattr(signal, "SIGPIPE") and current_thread() is main_thread()
    before = signal.signal(signal.SIGPIPE, signal.SIG_IGN) if pipes else None  # a program that ends is no end of ours
    try:
        for case in cases:
            if failures == MOST_FAILURES:
                yield Reply(failure=f"not sent, after {MOST_FAILURES} failures")
                continue
            found = harness.reply(case)
            failures += bool(found.failure)
            yield found
    finally:
        harness.stop()
        if before is not None:
            signal.signal(signal.SIGPIPE, before)


def _read(line: str, vector: str) -> Reply:
    """The reply in a line; a ValueError says what is wrong with it."""
    try:
        found = json.loads(line)
    except ValueError:
        raise ValueError("a line is not JSON; logs belong on stderr") from None
    if not isinstance(found, dict) or found.get("id") != vector:
        raise ValueError(f"a line is not a reply to {vector}, whose id it must repeat")
    if "unsupported" in found:
        return Reply(unsupported=str(found["unsupported"]) or "unsupported")
    users = found.get("users")
    if "mean" not in found and users is None:
        raise ValueError("a reply has neither mean, users nor unsupported")
    if not isinstance(users, dict | None):
        raise ValueError("users is not an object of values by user")
    mean = _number(found["mean"], "mean") if "mean" in found else None
    values = {user: _number(value, f"users.{user}") for user, value in (users or {}).items()}
    return Reply(mean, values, users is not None)


def _number(value: Any, name: str) -> float:
    """A value as a number; NaN for null and for a state."""
    if value is None or (isinstance(value, dict) and "state" in value):
        return math.nan
    try:
        if isinstance(value, bool):
            raise TypeError
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} is not a number, a decimal in quotes, null or a state") from None
