"""Parquet and Arrow files."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from rankconv.errors import InputError
from rankconv.inputs import frames
from rankconv.inputs.columns import LOOKED_AT, form_of, refuse_unread
from rankconv.inputs.compound import columns_of_parts, with_first_parts
from rankconv.inputs.file import File
from rankconv.inputs.pieces import ROWS, Piece, Pieces
from rankconv.inputs.reader import Reader, Rows, Wanted
from rankconv.inputs.wanting import needed

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa

PARQUET = (".parquet", ".pq")
ARROW = (".arrow", ".feather", ".ipc", ".arrows")
_PARQUET_START, _ARROW_START, _STREAM_START = b"PAR1", b"ARROW1", b"\xff\xff\xff\xff"


def takes(file: File) -> bool:
    """Files that begin as these do."""
    return file.first_line.startswith((_PARQUET_START, _ARROW_START, _STREAM_START))


def read(file: File, wanted: Wanted) -> Rows:
    """Rows from the columns that matter; the others stay on the disk. Ids keep the type they have in the file."""
    import polars as pl

    try:
        return frames.read_frame(_opened(file), wanted, str(file), file.name)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError) as problem:
        for _ in pieces(file, wanted).each if find_spec("pyarrow") else ():
            pass  # an InputError for the first wrong row, which may stand before what is broken
        raise _broken(problem, file) from None


def _opened(file: File) -> "pl.LazyFrame":
    import polars as pl

    start = file.first_line
    if start.startswith(_PARQUET_START):
        return pl.scan_parquet(file.path, glob=False)
    if start.startswith(_ARROW_START):
        return pl.scan_ipc(file.path)
    _refuse_feather_1(file)
    # as Hugging Face datasets keeps it; polars reads on where some bytes are lost
    return pl.read_ipc_stream(file.path, use_pyarrow=find_spec("pyarrow") is not None).lazy()


def pieces(file: File, wanted: Wanted) -> Pieces:
    """Rows from the columns that matter, some at a time."""
    found = Pieces(iter(()))
    found.each = _pieces(file, wanted, found)
    return found


def _pieces(file: File, wanted: Wanted, found: Pieces) -> Iterator[Piece]:
    import narwhals.stable.v2 as nw
    import polars as pl

    known, first = needed("pyarrow", "pyarrow", "Reading within a budget of memory"), 0
    try:
        with ExitStack() as stack:
            names, batches = _in_batches(file, stack)
            found.columns, one_each = columns_of_parts(names, wanted, str(file)), with_first_parts(wanted)
            refuse_unread(names, found.columns, one_each, str(file), lambda name: _holds_numbers(file, name))
            found.form = form_of(names, found.columns, one_each)
            for batch in batches([*dict.fromkeys(found.columns.values())]):
                frame: nw.DataFrame[Any] = nw.from_native(pl.DataFrame(pl.from_arrow(batch)))
                columns = {role: frame.get_column(name) for role, name in found.columns.items()}
                yield frames.checked(columns, str(file), first)
                first += len(frame)
    except (known.ArrowException, OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as problem:
        raise _broken(problem, file) from None


def _holds_numbers(file: File, name: str) -> bool:
    """Whether the values of a column are numbers, as far as the first tell."""
    import narwhals.stable.v2 as nw
    import polars as pl

    first = pl.DataFrame()
    with ExitStack() as stack:
        _, batches = _in_batches(file, stack)
        for batch in batches([name]):
            first = pl.concat([first, pl.DataFrame(pl.from_arrow(batch)).drop_nulls()], how="diagonal")
            if len(first) >= LOOKED_AT:
                break
    return bool(first.columns) and frames.holds_numbers(nw.from_native(first), name, str(file))


def _in_batches(file: File, stack: ExitStack) -> "tuple[list[str], Callable[[list[str]], Iterator[pa.RecordBatch]]]":
    """The names of the columns, and what reads some of these."""
    from pyarrow import ipc, memory_map, parquet

    if file.first_line.startswith(_PARQUET_START):
        table: Any = stack.enter_context(parquet.ParquetFile(file.path, memory_map=False, pre_buffer=False))
        batches = lambda names: table.iter_batches(batch_size=ROWS, columns=names, use_threads=False)
        return list(table.schema_arrow.names), batches
    source = stack.enter_context(memory_map(str(file.path)))
    if file.first_line.startswith(_ARROW_START):
        opened: Any = ipc.open_file(source)
        each = (opened.get_batch(at) for at in range(opened.num_record_batches))
    else:
        _refuse_feather_1(file)
        opened = ipc.open_stream(source)
        each = iter(opened)

    def batches_of(names: list[str]) -> "Iterator[pa.RecordBatch]":
        for batch in each:
            for first in range(0, batch.num_rows, ROWS):
                yield batch.select(names).slice(first, ROWS)

    return list(opened.schema.names), batches_of


def _broken(problem: BaseException, file: File) -> InputError:
    said = str(problem).partition("\n")[0][:300]
    return InputError(f"this is no whole Parquet or Arrow file: {said}", where=str(file))


def _refuse_feather_1(file: File) -> None:
    if file.first_line.startswith(b"FEA1"):
        raise InputError("this is Feather 1", where=str(file), do="Write it anew as Feather 2 or Parquet")


READER = Reader(
    f"Parquet and Arrow files ({', '.join(PARQUET + ARROW)})",
    lambda data: isinstance(data, File) and takes(data),
    read,
    endings=PARQUET + ARROW,
    has_columns=True,
    is_text=False,
    pieces=pieces,
)
