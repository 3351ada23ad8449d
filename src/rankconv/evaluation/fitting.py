"""Whether files fit in memory, seen by their sizes before they are read."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rankconv.errors import RankconvError
from rankconv.inputs.files import PACKED_ENDINGS, runs_in
from rankconv.inputs.frames import ARROW, PARQUET

BYTES_A_ROW, BYTES_A_TEXT_ROW = 50, 80
"""Of memory, for a row of Parquet whose ids are integers, and of one whose ids are text."""
OF_ARROW, OF_TEXT, OF_PACKED = 1.4, 3.0, 12.0
"""Bytes of memory for each byte of a file: measured with 4 million rows and four metrics, but for packed ones."""
USUAL = "2GB"
"""A budget with which any data are read."""
_GB = 10**9
_MEMORY = Path("/proc/meminfo")


def too_large(labels: Any, rankings: Any, way_out: str) -> str:
    """What to say before these files are read, where memory will not hold them; empty where it will, or none can tell.

    `way_out` is how a budget is given: `--memory {}`. Data that are no paths are in memory already.
    """
    files = [file for given in (labels, rankings) for file in _files(given)]
    free, needed = available(), sum(map(_needed, files))
    if free is None or needed <= free:
        return ""
    text = f"these files take about {needed / _GB:.1f} GB of memory, and {free / _GB:.1f} GB are free"
    return f"{text}; with {way_out.format(USUAL)} they are read batch by batch"


def available() -> int | None:
    """Bytes of memory that can be had now; None where the system does not say."""
    try:
        lines = _MEMORY.read_text("ascii").splitlines()
        [kilobytes] = [line.split()[1] for line in lines if line.startswith("MemAvailable:")]
        return int(kilobytes) << 10
    except (OSError, ValueError):
        return None


def _files(given: Any) -> Iterable[Path]:
    """The files of a path, or of a list of them; none for other data and for what is not there, as reading tells."""
    several = isinstance(given, list) and bool(given) and isinstance(given[0], os.PathLike)
    for one in given if several else [given]:
        if isinstance(one, str | os.PathLike):
            yield from _at(Path(one))


def _at(path: Path) -> Iterable[Path]:
    try:
        found = [*runs_in(path).values()] if path.is_dir() else [path]
        return [file for file in found if file.is_file()]
    except RankconvError:
        raise
    except (OSError, ValueError):
        return []


def _needed(file: Path) -> float:
    """Bytes of memory that the rows of a file take."""
    ending = file.suffix.lower()
    size = file.stat().st_size
    if ending in PARQUET:
        return _of_parquet(file) or size * OF_TEXT
    if ending in PACKED_ENDINGS:
        return size * OF_PACKED
    return size * (OF_ARROW if ending in ARROW else OF_TEXT)


def _of_parquet(file: Path) -> float:
    """By the rows that its last lines tell; 0 where they tell nothing."""
    import polars as pl

    try:
        found = pl.scan_parquet(file, glob=False)
        rows = found.select(pl.len()).collect().item()
        text = any(kind in (pl.String, pl.Categorical) for kind in found.collect_schema().dtypes())
    except (pl.exceptions.PolarsError, OSError):
        return 0
    return float(rows * (BYTES_A_TEXT_ROW if text else BYTES_A_ROW))
