"""Files that were cut off or changed on their way: an error of ours, and never the end of the process."""

import gzip
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fuzzing.damaged import LABELS, WAYS
from tests.fuzzing.mutating import EXAMPLES

pl = pytest.importorskip("polars")
pytest.importorskip("pyarrow")

ROOT = Path(__file__).parents[2]


def _table() -> "pl.DataFrame":
    rows = [(user, f"document-{item}", 1.0 / item) for user in LABELS for item in range(1, 9)]
    return pl.DataFrame(rows, schema=["user", "item", "score"], orient="row")


WRITERS: dict[str, Callable[[Path], object]] = {
    "a.arrow": lambda path: _table().write_ipc(path),
    "b.arrow": lambda path: _table().write_ipc(path, compression="lz4"),
    "c.arrow": lambda path: _table().with_columns(pl.col("item").cast(pl.Categorical)).write_ipc(path),
    "d.arrow": lambda path: _table().write_ipc(path, compat_level=pl.CompatLevel.oldest()),
    "a.arrows": lambda path: _table().write_ipc_stream(path),
    "b.arrows": lambda path: _table().write_ipc_stream(path, compat_level=pl.CompatLevel.oldest()),
    "a.parquet": lambda path: _table().write_parquet(path),
    "b.parquet": lambda path: _table().write_parquet(path, compression="uncompressed", use_pyarrow=True),
    "a.csv": lambda path: _table().write_csv(path),
    "a.csv.gz": lambda path: path.write_bytes(gzip.compress(_table().write_csv().encode())),
    "a.csv.zst": lambda path: path.write_bytes(b"\x28\xb5\x2f\xfd" + _table().write_csv().encode()),
}
"""A run in each form of file; the ends of old Arrow are those that other libraries write."""


def damaged(whole: bytes, chance: random.Random, cut: float = 0.2) -> bytes:
    """Cut the file off, or change some of its bytes; bytes of lengths and offsets are made large, small and negative.

    `cut` is the share of files that are cut off.
    """
    if chance.random() < cut:
        return whole[: chance.randrange(len(whole))]
    data = bytearray(whole)
    for _ in range(chance.choice([1, 1, 1, 2, 8])):
        at = chance.randrange(len(data))
        data[at] = chance.choice([0, 1, 0x7F, 0x80, 0xFF, data[at] ^ (1 << chance.randrange(8)), chance.randrange(256)])
    return bytes(data)


@pytest.mark.parametrize("way", WAYS)
def test_a_damaged_file_is_an_error_of_ours(way: str, tmp_path: Path) -> None:
    _table().select("user", "item").write_csv(tmp_path / "labels.csv")
    for name, write in WRITERS.items():
        whole, (form, _, ending), chance = tmp_path / name, name.partition("."), random.Random(f"{name} {way}")
        write(whole)
        # polars ends the process where a page of Parquet says that it has more values than any memory holds: with
        # memory= pyarrow reads, which does not
        cut = 1.0 if ending == "parquet" and way != "memory" else 0.2
        for number in range(EXAMPLES):
            file = tmp_path / f"run-{form}-{number:05}.{ending}"
            file.write_bytes(damaged(whole.read_bytes(), chance, cut))
    child = [sys.executable, "-m", "tests.fuzzing.damaged", str(tmp_path), way]
    done = subprocess.run(child, capture_output=True, text=True, cwd=ROOT)
    lines = done.stdout.splitlines()
    ended = signal.Signals(-done.returncode).name if done.returncode < 0 else str(done.returncode)
    assert not done.returncode, f"{ended} at {lines[-1]}"
    assert not [line for line in lines if " fault " in line]
    assert len(lines) == EXAMPLES * len(WRITERS)
