"""One message, the input that causes it, and what follows from each piece of its advice."""

import io
import json
import re
import shlex
import sys
import warnings
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest

import rankconv as rc
from rankconv.basics.errors import RankconvError
from rankconv.cli.app import app
from tests.advice.sites import Site, recorded

HERE = "§"
"""Stands, in what is done, for the piece of advice."""
LENGTH = "#"
"""Stands, at the end of a place in JSON, for how many entries are there."""
_CODE = re.compile(r"\brc\.\w|\b\w+=(?!=)\S|(?<![\w-])--?[a-z]|\w\(\S")
"""Signs of code or of an option in advice."""
Outcome = float | str
"""The number, or a part of the refusal that the advice announces."""


@dataclass(frozen=True)
class Follow:
    """A piece of the advice, what is done with it, and what comes of it."""

    says: str | re.Pattern[str]
    """It is in the message, word for word; a pattern where numbers of this machine are in it."""
    done: str
    """An expression or a command, with § where the piece stands; without it, what the piece says in words."""
    outcome: Outcome
    fill: Mapping[str, str] = field(default_factory=dict)
    """What a user writes in place of dots and capital letters."""
    files: Mapping[str, str | bytes] = field(default_factory=dict)
    """Files that are written anew for it."""
    at: str = ""
    """Of a command, where the number is in its JSON: `decisions 0 value`; without it, the first."""

    def piece(self, said: str) -> str:
        """The piece as it is there; nothing where it is not."""
        if isinstance(self.says, str):
            return self.says if self.says in said else ""
        found = self.says.search(said)
        return found[0] if found else ""


@dataclass(frozen=True)
class Case:
    """An input that is refused, and the advice on it."""

    cause: str
    """A Python expression, or a command that begins with `rankconv`."""
    follows: tuple[Follow, ...]
    given: str = ""
    """Statements before it."""
    patched: Mapping[str, Any] = field(default_factory=dict)
    """What is otherwise while it is caused: a full disk, little memory."""
    files: Mapping[str, str | bytes] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict)
    """Variables of the environment, for it and what follows."""

    @property
    def in_shell(self) -> bool:
        """Whether a command causes it."""
        return self.cause.startswith("rankconv ")

    def failures(self, reached: dict[Site, set[str]]) -> list[str]:
        """What is not as stated; the sites of the message are put into `reached`."""
        with TemporaryDirectory() as folder, warnings.catch_warnings(), pytest.MonkeyPatch.context() as patch:
            warnings.simplefilter("ignore")
            patch.chdir(folder)
            for name, value in self.variables.items():
                patch.setenv(name, value)
            patch.setattr("sys.stdin", sys.stdin)  # and what a case puts in its place is gone after it
            return self._failures(reached)

    def _failures(self, reached: dict[Site, set[str]]) -> list[str]:
        self._write(self.files)
        with recorded() as made, pytest.MonkeyPatch.context() as patch:
            for place, otherwise in self.patched.items():
                patch.setattr(place, otherwise)
            error = self._error(self.cause)
        if error is None:
            return [f"{self.cause}: not refused"]
        for site in made.get(error.wrong, ()):
            reached.setdefault(site, set()).add("shell" if self.in_shell else "do")
        advice = (error.shell or error.do) if self.in_shell else error.do
        said = f"{error.allowed} {error.nearest} {advice}"
        wrong = [self._failure(follow, said, str(error)) for follow in self.follows]
        rest = advice
        for follow in self.follows:
            rest = rest.replace(follow.piece(rest) or "\0", "")
        if _CODE.search(rest):
            wrong.append(f"not followed: {rest}")
        if not self.follows:
            wrong.append(f"nothing is done: {said}")
        return [f"{self.cause}: {one}" for one in wrong if one]

    def _failure(self, follow: Follow, said: str, message: str) -> str:
        piece = follow.piece(said)
        if not piece:
            return f"'{follow.says}' is not in: {message}\n    do: {said}"
        for blank, filled in follow.fill.items():
            if blank not in piece:
                return f"'{blank}' is not in '{piece}'"
            piece = piece.replace(blank, filled)
        self._write({**self.files, **follow.files})
        done = (follow.done or self.cause).replace(HERE, piece)
        try:
            found: Any = self._value(done, follow.at)
        except RankconvError as error:
            found = error.on_command_line if self.in_shell else str(error)
        except Exception as error:
            return f"{done}: {type(error).__name__}: {error}"
        if isinstance(follow.outcome, str):
            return "" if isinstance(found, str) and follow.outcome in found else f"{done}: {found!r}"
        right = not isinstance(found, str) and np.isclose(float(found), follow.outcome, atol=1e-9)
        return "" if right else f"{done}: {found!r}, not {follow.outcome}"

    def _error(self, cause: str) -> RankconvError | None:
        try:
            self._value(cause)
        except RankconvError as error:
            return error
        return None

    def _value(self, what: str, at: str = "") -> Any:
        if self.in_shell:
            return command(what, at)
        names = {"rc": rc, "np": np, "numpy": np, "ev": ev, "Path": Path}
        exec(self.given, names)
        return eval(what, names)

    @staticmethod
    def _write(files: Mapping[str, str | bytes]) -> None:
        for name, text in files.items():
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).write_bytes(text if isinstance(text, bytes) else text.encode())


def ev(labels: Any, run: Any = None, metric: str = "mrr", **more: Any) -> float:
    """The value of one metric."""
    return rc.evaluate(labels, run, metric, **more)[metric]


def command(words: str, at: str = "") -> float:
    """The number that a command prints: `at` a place of its JSON, else the first; of other forms that with a point.

    It is 1 where a page was written, or is served at an address.
    """
    name, *given = shlex.split(words)[1:]
    prints_json, out = "--format" not in given and name not in WITHOUT_FORMS, io.StringIO()
    with redirect_stdout(out), redirect_stderr(io.StringIO()), pytest.MonkeyPatch.context() as patch:
        if name == "serve":  # which is not begun
            patch.setattr("uvicorn.Server.run", lambda self, sockets: None)
        end = given.index("--") if "--" in given else len(given)  # what follows is of a program
        app([name, *given[:end], *(["--format", "json"] if prints_json else []), *given[end:]], standalone_mode=False)
    if name in WITHOUT_FORMS:
        return float(name == "report" or "http://127.0.0.1:" in out.getvalue())
    if not prints_json:
        return float((re.findall(r"\d+\.\d+", out.getvalue()) or ["nan"])[0])
    found = json.loads(out.getvalue())
    for key in at.split():
        found = len(found) if key == LENGTH else found[int(key) if key.isdecimal() else key]
    return float(found) if at else _first_number(found)


WITHOUT_FORMS = ("report", "serve")
"""Commands that print no JSON."""


def _first_number(found: Any) -> float:
    """That of the data of a command; of checks, programs and libraries whether all is right, of names how many."""
    match found:
        case [{"mean": value}, *_] | {"tests": [{"means": [value, *_]}, *_]} | {"difference": value}:
            return float(value)
        case {"decisions": [{"value": value}, *_]} | {"measures": [{"value": value}, *_]}:
            return float(value)
        case {"metrics": {**values}} | {"mean": {**values}}:
            first = next(iter(values.values()))
            return float(first if isinstance(first, int | float) else bool(first))
        case {"lines": {**lines}, "up": up}:
            return float(next(iter(lines.values()))[up][-1])
        case {"segments": [{"number": value}, *_]} | {"rows": [{"value": value}, *_]} | {"value": value}:
            return float(value)
        case {"rows": [{"values": {**values}}, *_]} | {"segments": [{"values": {**values}}, *_]}:
            return float(next(iter(values.values())))
        case {"numbers": [{"ours": value}, *_]} | {"numbers": [{"mean": value}, *_]}:
            return float(value)
        case {"ok": ok}:
            return float(ok)
        case [{"ok": _}, *_]:
            return float(all(one["ok"] for one in found))
    return float(len(found))
