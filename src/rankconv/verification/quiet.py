"""Silence while a library speaks: its warnings, and what its compiled part prints, are not ours."""

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def quiet() -> Iterator[None]:
    """Ignore warnings, and send both output streams nowhere: logs of C and Java do not pass through Python."""
    _flush()
    kept = {stream: os.dup(stream) for stream in (1, 2)}
    try:
        with open(os.devnull, "w") as nowhere, warnings.catch_warnings():
            for stream in kept:
                os.dup2(nowhere.fileno(), stream)
            warnings.simplefilter("ignore")
            yield
    finally:
        _flush()
        for stream, copy in kept.items():
            os.dup2(copy, stream)
            os.close(copy)


def _flush() -> None:
    sys.stdout.flush()
    sys.stderr.flush()
