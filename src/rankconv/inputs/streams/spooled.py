"""Tables that come as streams of Arrow batches, such as DuckDB's and those of ibis: computed once, onto the disk."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from rankconv.errors import InputError
from rankconv.inputs import frames
from rankconv.inputs.columns import form_of, refuse_unread
from rankconv.inputs.compound import columns_of_parts, with_first_parts
from rankconv.inputs.file import File
from rankconv.inputs.reader import Wanted
from rankconv.inputs.streams.hashed import full_disk
from rankconv.inputs.streams.tables import Side

ROWS = 1 << 17
"""So many rows at a time are asked of a table."""
_IN_BATCHES: tuple[tuple[str, Callable[[Any], Any]], ...] = (
    ("to_arrow_reader", lambda table: table.to_arrow_reader(ROWS)),
    ("fetch_record_batch", lambda table: table.fetch_record_batch(ROWS)),
    ("to_pyarrow_batches", lambda table: table.to_pyarrow_batches(chunk_size=ROWS)),
    ("__arrow_c_stream__", lambda table: _reader(table)),
)
"""How tables give batches: DuckDB's and those of ibis by methods of their own, which compute no more than is read."""


def streams(data: Any) -> bool:
    """Whether data come as Arrow batches."""
    return any(callable(getattr(data, name, None)) for name, _ in _IN_BATCHES)


def spooled(table: Any, wanted: Wanted, folder: Path) -> Side:
    """The side that a table is, its columns written to a file in the folder; it is computed once.

    Raises InputError where it cannot be computed, where columns are missing, and where the disk is full.
    """
    import narwhals.stable.v2 as nw
    import polars as pl
    from pyarrow import ipc

    name, rows = frames.source_of(table), 0
    path = folder / f"{wanted.what}-{sum(1 for _ in folder.iterdir())}.arrows"
    first, others = _computed(lambda: _begun(table), name)
    if first is None:
        raise InputError("there is no row in it", where=name)
    names = first.schema.names
    chosen = columns_of_parts(names, wanted, name)
    beside = lambda column: frames.holds_numbers(nw.from_native(pl.DataFrame(pl.from_arrow(first))), column, name)
    refuse_unread(names, chosen, with_first_parts(wanted), name, beside)
    with full_disk(folder), path.open("wb") as file:
        writer: Any = None
        for batch in _each(first, others, name):
            kept = batch.select([*dict.fromkeys(chosen.values())])
            writer = writer or ipc.new_stream(file, kept.schema, options=ipc.IpcWriteOptions(compression="lz4"))
            writer.write_batch(kept)
            rows += kept.num_rows
        writer.close()
    return Side(wanted, (File(name, path),), rows, form=form_of(names, chosen, with_first_parts(wanted)))


def _reader(table: Any) -> Any:
    from pyarrow import RecordBatchReader

    return RecordBatchReader.from_stream(table)


def _begun(table: Any) -> tuple[Any, Iterator[Any]]:
    """The first batch, None where there is none, and the others."""
    batches = iter(next(read(table) for how, read in _IN_BATCHES if hasattr(table, how)))
    return next(batches, None), batches


def _each(first: Any, others: Iterator[Any], name: str) -> Iterable[Any]:
    """The batches, with errors of the engine behind them as ours."""
    batch = first
    while batch is not None:
        yield batch
        batch = _computed(lambda: next(others, None), name)


def _computed(compute: Callable[[], Any], name: str) -> Any:
    """What an engine computes; any may be behind a table, and fail with any error of its own."""
    try:
        return compute()
    except Exception as error:
        said = str(error).strip().partition("\n")[0]
        raise InputError(f"the table cannot be computed: {said}", where=name) from None
