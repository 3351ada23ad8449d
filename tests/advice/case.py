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
            found: Any = self._value(done)
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

    def _value(self, what: str) -> Any:
        if self.in_shell:
            return command(what)
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


def command(words: str) -> float:
    """The first number that a command prints as JSON; where it prints none, how many parts there are."""
    out = io.StringIO()
    form = [] if words.startswith(WITHOUT_FORMS) else ["--format", "json"]
    with redirect_stdout(out), redirect_stderr(io.StringIO()):
        app([*shlex.split(words)[1:], *form], standalone_mode=False)
    found = json.loads(out.getvalue()) if form else [out.getvalue()]
    if "tests" in found:
        return float(found["tests"][0]["means"][0])
    if "metrics" in found and isinstance(found["metrics"], dict):
        return float(next(iter(found["metrics"].values())))
    return float(found[0]["mean"] if isinstance(found, list) and "mean" in found[0] else len(found))


WITHOUT_FORMS = ("rankconv report",)
"""Commands that print no JSON."""
