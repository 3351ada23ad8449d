"""Files that memory will not hold are told of before they are read, and others are not."""

import gzip
import warnings
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from typer.testing import CliRunner

import rankconv as rc
from rankconv.cli.app import app
from rankconv.evaluation.streaming import memory as fitting

ROWS = 5000


def files(folder: Path, ending: str) -> tuple[Path, Path]:
    """Labels and a run of many rows in one form."""
    rows = pl.DataFrame({"user": [at // 10 for at in range(ROWS)], "item": [at % 10 for at in range(ROWS)]})
    sides = rows.with_columns(grade=pl.lit(1.0)), rows.with_columns(score=pl.col("item") * 0.5)
    paths = folder / f"labels{ending}", folder / f"run{ending}"
    for side, path in zip(sides, paths, strict=True):
        match ending:
            case ".parquet":
                side.write_parquet(path)
            case ".arrow":
                side.write_ipc(path)
            case ".csv":
                side.write_csv(path)
            case ".csv.gz":
                path.write_bytes(gzip.compress(side.write_csv().encode()))
    return paths


@pytest.mark.parametrize("ending", [".parquet", ".arrow", ".csv", ".csv.gz"])
def test_what_will_not_fit_is_told_before_it_is_read(
    ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    labels, run = files(tmp_path, ending)
    monkeypatch.setattr(fitting, "available", lambda: 10_000)
    with pytest.warns(RuntimeWarning, match="GB of memory.*memory='2GB'"):
        assert rc.evaluate(labels, run, "ndcg@3")["ndcg@3"] > 0
    for enough in (10**9, None):
        monkeypatch.setattr(fitting, "available", lambda enough=enough: enough)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            rc.evaluate(labels, run, "ndcg@3")


def test_what_is_no_file_is_not_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    labels, run = files(tmp_path, ".parquet")
    needed = fitting.OF_PACKED * sum(file.stat().st_size for file in (labels, run))
    for free, told in ((needed, False), (needed - 1, True)):
        monkeypatch.setattr(fitting, "available", lambda free=free: free)
        assert bool(fitting.too_large(labels, [run], "{}")) == told
    assert fitting.too_large(labels, run, "--memory {}").endswith("with --memory 2GB they are read batch by batch")
    assert not fitting.too_large(tmp_path / "nothing.csv", {"u": ["a"]}, "{}")


def test_free_memory_is_what_the_system_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = tmp_path / "meminfo"
    monkeypatch.setattr(fitting, "_MEMORY", said)
    assert fitting.available() is None
    said.write_text("MemTotal: 9 kB\nMemAvailable:    7 kB\n")
    assert fitting.available() == 7 << 10


@pytest.mark.parametrize("quiet", [True, False])
def test_the_command_names_its_option(quiet: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    labels, run = files(tmp_path, ".csv")
    monkeypatch.setattr(fitting, "available", lambda: 1000)
    arguments: list[Any] = ["evaluate", labels, run, "-m", "ndcg@3", *(["--quiet"] if quiet else [])]
    done = CliRunner().invoke(app, [*map(str, arguments)])
    assert done.exit_code == 0, done.output
    assert ("with --memory 2GB they are read batch by batch" in done.stderr) != quiet
