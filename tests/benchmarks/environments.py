"""Where each peer runs: a process of its own, with the interpreter of its own environment; and what it found there."""

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from tests.benchmarks.peers.peer import Means, Peer

TOP = Path(__file__).parents[2]
NAMES = (
    *("implicit", "polars", "duckdb"),
    *("pytrec_eval", "ir_measures", "ranx", "ranx_frame", "rectools", "recommenders", "sklearn", "trec_eval"),
)
LONGEST = 1800
"""Seconds that a peer may take in all."""


class Missing(Exception):  # noqa: N818
    """Why a peer, or another part, is left out."""


@dataclass(frozen=True)
class Places:
    """The folders of a run; without `venvs`, peers that are importable here run here, and others are missing."""

    data: Path
    venvs: Path | None = None


@dataclass(frozen=True)
class Answer:
    """What a peer found, and how long it took, in CPU seconds."""

    means: Means
    convert: float
    evaluate: float
    version: str = ""


def peer(name: str) -> Peer:
    """The peer of this name."""
    found: Peer = import_module(f"tests.benchmarks.peers.{name}").PEER
    return found


def ask(name: str, folder: Path, places: Places, repetitions: int) -> Answer:
    """Run a peer on the data of this folder. Where it has no environment, or fails, it is missing."""
    interpreter = interpreter_of(name, places)
    with tempfile.TemporaryDirectory() as scratch:
        answer = Path(scratch) / "answer.json"
        command = [interpreter, "-m", f"tests.benchmarks.peers.{name}", str(folder), str(answer), str(repetitions)]
        run(command, os.environ | {"PYTHONPATH": ""})
        return Answer(**json.loads(answer.read_text("utf-8")))


def interpreter_of(name: str, places: Places) -> str:
    """The Python that has what the peer needs."""
    asked = peer(name)
    if not asked.requirements:
        return sys.executable
    if places.venvs is None:
        absent = [one for one in asked.requirements if not installed(one.partition("==")[0])]
        if absent:
            raise Missing(f"{', '.join(absent)} not installed here, and no --venvs given")
        return sys.executable
    return str(environment(places.venvs / name, asked))


def installed(package: str) -> bool:
    """Whether this interpreter has it."""
    try:
        return bool(version(package))
    except PackageNotFoundError:
        return False


def environment(folder: Path, asked: Peer) -> Path:
    """The interpreter of an environment, which is made on demand."""
    interpreter = folder / "bin" / "python"
    done = folder / "benchmark-requirements.txt"
    wanted = "\n".join(("numpy", *asked.requirements))
    if not (done.exists() and done.read_text("utf-8") == wanted):
        if not interpreter.exists():
            run([sys.executable, "-m", "venv", str(folder)], os.environ)
        run([str(interpreter), "-m", "pip", "install", "--quiet", *wanted.split("\n")], os.environ)
        done.write_text(wanted, "utf-8")
    return interpreter


def run(command: list[str], environ: dict[str, str] | os._Environ[str]) -> None:
    """A command whose failure makes what needs it missing, with its last words."""
    try:
        subprocess.run(command, cwd=TOP, env=environ, capture_output=True, text=True, check=True, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        raise Missing(f"stopped after {LONGEST} s") from None
    except subprocess.CalledProcessError as problem:
        last = (problem.stderr or problem.stdout or "no message").strip().split("\n")[-1]
        raise Missing(f"{Path(command[0]).name} failed: {last:.160}") from None
