"""Parquet and Arrow files."""

from typing import TYPE_CHECKING

from rankconv.errors import InputError
from rankconv.inputs import frames
from rankconv.inputs.file import File
from rankconv.inputs.reader import Reader, Rows, Wanted

if TYPE_CHECKING:
    import polars as pl

PARQUET = (".parquet", ".pq")
ARROW = (".arrow", ".feather", ".ipc", ".arrows")
_PARQUET_START, _ARROW_START = b"PAR1", b"ARROW1"


def takes(file: File) -> bool:
    """Files that begin as these do."""
    return file.first_line.startswith((_PARQUET_START, _ARROW_START))


def read(file: File, wanted: Wanted) -> Rows:
    """Rows from the columns that matter; the others stay on the disk. Ids keep the type they have in the file."""
    import polars as pl

    try:
        return frames.read_frame(_opened(file), wanted, str(file), file.name)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as problem:
        said = str(problem).partition("\n")[0]
        raise InputError(f"this is no whole Parquet or Arrow file: {said}", where=str(file)) from None


def _opened(file: File) -> "pl.LazyFrame":
    import polars as pl

    start = file.first_line
    if start.startswith(_PARQUET_START):
        return pl.scan_parquet(file.path, glob=False)
    if start.startswith(_ARROW_START):
        return pl.scan_ipc(file.path)
    if start.startswith(b"FEA1"):
        raise InputError("this is Feather 1", where=str(file), do="Write it anew as Feather 2 or Parquet")
    return pl.read_ipc_stream(file.path).lazy()  # as Hugging Face datasets keeps it


READER = Reader(
    f"Parquet and Arrow files ({', '.join(PARQUET + ARROW)})",
    lambda data: isinstance(data, File) and takes(data),
    read,
    endings=PARQUET + ARROW,
    has_columns=True,
    is_text=False,
)
