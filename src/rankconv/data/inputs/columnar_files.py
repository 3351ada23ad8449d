"""Parquet and Arrow files: whole, as a table that polars reads, or some rows at a time through pyarrow."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from rankconv.basics.errors import InputError, RankconvError
from rankconv.basics.optional import require
from rankconv.data.inputs.columns import LOOKED_AT, chosen_columns, refuse_repeated_names
from rankconv.data.inputs.files import File
from rankconv.data.inputs.frame_shapes import record_of_row, rows_as_records
from rankconv.data.inputs.frames import checked, holds_numbers, read_frame
from rankconv.data.inputs.input_rows import FILE_READERS, ColumnSpec, InputReader, RawRows
from rankconv.data.inputs.json_files import record_batches
from rankconv.data.inputs.row_batches import ROWS, Record, RowBatch, RowBatches

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa

PARQUET = (".parquet", ".pq")
ARROW = (".arrow", ".feather", ".ipc", ".arrows")
_PARQUET_START, _ARROW_START, _STREAM_START = b"PAR1", b"ARROW1", b"\xff\xff\xff\xff"


def read_file(file: File, spec: ColumnSpec) -> RawRows:
    """RawRows from the columns that matter; the others stay on the disk. Ids keep the type they have in the file."""
    import polars as pl

    try:
        return read_frame(_scanned(file), spec, str(file), file.name)
    except RankconvError:
        _refuse_repeated_names(file)
        raise
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError) as problem:
        _refuse_repeated_names(file)
        raise _broken(problem, file) from None


def _refuse_repeated_names(file: File) -> None:
    """Say so where polars fails at columns of one name, or knows the last of them alone: pyarrow lists them all."""
    if find_spec("pyarrow") is None:
        return
    from pyarrow import ArrowException

    try:
        with ExitStack() as stack:
            _in_batches(file, stack)
    except RankconvError:
        raise
    except (ArrowException, OSError, ValueError):
        return  # it is damaged, as polars says


def _scanned(file: File) -> "pl.LazyFrame":
    import polars as pl

    start = file.first_line
    if start.startswith(_PARQUET_START):
        return pl.scan_parquet(file.path, glob=False)
    if start.startswith(_ARROW_START):
        return pl.scan_ipc(file.path)
    # as Hugging Face datasets keeps it; polars reads on where some bytes are lost
    if find_spec("pyarrow") is None:
        return pl.read_ipc_stream(file.path, use_pyarrow=False).lazy()
    from pyarrow import ipc, memory_map

    with memory_map(str(file.path)) as source, ipc.open_stream(source) as batches:
        return _whole(batches.read_all()).lazy()


def columnar_batches(file: File, spec: ColumnSpec) -> RowBatches:
    """RawRows from the columns that matter, some at a time; of lists, from all columns."""
    import narwhals.stable.v2 as nw

    with _damage_refused(file), ExitStack() as stack:
        names, batches = _in_batches(file, stack)
        first = next(batches(names), None)
        made = None if first is None else record_of_row(nw.from_native(first), spec)
    if made is not None:
        place = lambda row: f"{file}, row {row} (counted from 0)"
        return record_batches(enumerate(_records_of_batches(file, made)), spec, str(file), place)
    found = RowBatches(iter(()))
    found.each = _batches_of_frames(file, spec, found)
    return found


def _records_of_batches(file: File, made: Callable[[Record], Record]) -> Iterator[Record]:
    import narwhals.stable.v2 as nw

    with _damage_refused(file), ExitStack() as stack:
        names, batches = _in_batches(file, stack)
        for table in batches(names):
            yield from rows_as_records(nw.from_native(table), made)


def _batches_of_frames(file: File, spec: ColumnSpec, found: RowBatches) -> Iterator[RowBatch]:
    import narwhals.stable.v2 as nw

    first = 0
    with _damage_refused(file), ExitStack() as stack:
        names, batches = _in_batches(file, stack)
        in_numbers = lambda name: _holds_numbers(file, name)
        found.columns, found.form = chosen_columns(names, spec, str(file), in_numbers)
        for table in batches([*dict.fromkeys(found.columns.values())]):
            frame: nw.DataFrame[Any] = nw.from_native(table)
            columns = {role: frame.get_column(name) for role, name in found.columns.items()}
            yield checked(columns, str(file), first)
            first += len(frame)


@contextmanager
def _damage_refused(file: File) -> Iterator[None]:
    """An InputError where pyarrow or polars finds that the file is damaged."""
    import polars as pl

    known = require("pyarrow", "rankconv[memory]", "Reading within a budget of memory")
    try:
        yield
    except RankconvError:
        raise
    except (
        known.ArrowException,
        OSError,
        ValueError,
        pl.exceptions.PolarsError,
        pl.exceptions.PanicException,
    ) as problem:
        raise _broken(problem, file) from None


def _holds_numbers(file: File, name: str) -> bool:
    """Whether the values of a column are numbers, as far as the first tell."""
    import narwhals.stable.v2 as nw
    import polars as pl

    first = pl.DataFrame()
    with ExitStack() as stack:
        _, batches = _in_batches(file, stack)
        for table in batches([name]):
            first = pl.concat([first, table.drop_nulls()], how="diagonal")
            if len(first) >= LOOKED_AT:
                break
    return bool(first.columns) and holds_numbers(nw.from_native(first), name, str(file))


def _in_batches(file: File, stack: ExitStack) -> "tuple[list[str], Callable[[list[str]], Iterator[pl.DataFrame]]]":
    """The names of the columns, and what reads some of these."""
    from pyarrow import ipc, memory_map, parquet

    if file.first_line.startswith(_PARQUET_START):
        table: Any = stack.enter_context(parquet.ParquetFile(file.path, memory_map=False, pre_buffer=False))
        how: dict[str, Any] = {"batch_size": ROWS, "use_threads": False}
        has_rows = table.num_row_groups > 0  # pyarrow 18 takes a file without row groups for a broken one
        refuse_repeated_names(table.schema_arrow.names, str(file))
        return list(table.schema_arrow.names), lambda names: map(
            _whole, table.iter_batches(columns=names, **how) if has_rows else ()
        )
    source = stack.enter_context(memory_map(str(file.path)))
    if file.first_line.startswith(_ARROW_START):
        opened: Any = ipc.open_file(source)
        each = (opened.get_batch(at) for at in range(opened.num_record_batches))
    else:
        opened = ipc.open_stream(source)
        each = iter(opened)
    refuse_repeated_names(opened.schema.names, str(file))

    def batches_of(names: list[str]) -> "Iterator[pl.DataFrame]":
        for batch in each:
            yield from _whole(batch.select(names)).iter_slices(ROWS)

    return list(opened.schema.names), batches_of


def _whole(batch: "pa.RecordBatch | pa.Table") -> "pl.DataFrame":
    """The rows of a batch or a table; an ArrowException where its bytes are damaged, as conversion trusts them."""
    import polars as pl

    batch.validate(full=True)
    return pl.DataFrame(pl.from_arrow(batch))


def _broken(problem: BaseException, file: File) -> InputError:
    said = str(problem).partition("\n")[0][:300]
    return InputError(f"this is no whole Parquet or Arrow file: {said}", where=str(file))


FILE_READERS.put(
    "columnar",
    InputReader(
        f"Parquet and Arrow files ({', '.join(PARQUET + ARROW)})",
        lambda file: file.first_line.startswith((_PARQUET_START, _ARROW_START, _STREAM_START)),
        read_file,
        endings=PARQUET + ARROW,
        has_columns=True,
        is_text=False,
        row_batches=columnar_batches,
    ),
)
