"""When a row was given: seconds since 1970 of dates and moments, or the numbers that stand there."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rankconv.errors import InputError
from rankconv.inputs.reader import Floats, Place

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw
    import polars as pl

FORMS = "A time is a number, such as 978300760, or as in 2000-12-31 and 2000-12-31T22:12:40"


def from_text(texts: "pl.Series", place: Place) -> Floats:
    """The times that these texts say, shape (rows,); an InputError names the first row without one."""
    import polars as pl

    plain = texts.str.strip_chars() if texts.dtype == pl.String else texts
    numbers = plain.cast(pl.Float64, strict=False)
    if len(numbers) and numbers[0] is None:
        numbers = _of_dates(plain) if plain.dtype == pl.String else numbers
    for row in (numbers.is_null() | ~numbers.is_finite().fill_null(False)).arg_true().head(1):
        raise InputError(f"the time '{texts[row]}' cannot be read", where=place(row), allowed=FORMS)
    return numbers.to_numpy(writable=True)


def from_objects(values: Sequence[Any], place: Place) -> Floats:
    """The times that these numbers, texts, dates or moments are, shape (rows,)."""
    import polars as pl

    return from_text(pl.Series([None if one is None else str(one) for one in values], dtype=pl.String), place)


def _of_dates(texts: "pl.Series") -> "pl.Series":
    """Seconds since 1970, UTC where no zone is told; null where a text is no moment."""
    import polars as pl

    with_zone = texts.str.replace(r"Z$", "+00:00").str.replace(" ", "T", literal=True)
    moments = with_zone.str.to_datetime("%Y-%m-%dT%H:%M:%S%.f%:z", strict=False, time_unit="us", time_zone="UTC")
    for form in ("%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%dT%H:%M"):
        plain = with_zone.str.to_datetime(form, strict=False, time_unit="us").dt.replace_time_zone("UTC")
        moments = moments.zip_with(moments.is_not_null(), plain)
    days = with_zone.str.to_date("%Y-%m-%d", strict=False).cast(pl.Datetime("us", "UTC"))
    return moments.zip_with(moments.is_not_null(), days).cast(pl.Int64).cast(pl.Float64) / 1e6


def from_column(column: "nw.Series[Any]", place: Place) -> Floats:
    """The times in the column of a table, shape (rows,)."""
    import narwhals.stable.v2 as nw
    import polars as pl

    if column.dtype.is_temporal() and not column.is_null().any():
        if column.dtype == nw.Date:
            column = column.cast(nw.Datetime("us"))
        return column.dt.timestamp("us").to_numpy().astype(np.float64) / 1e6
    if column.dtype.is_numeric():
        return from_text(pl.Series(column.to_list(), dtype=pl.Float64), place)
    return from_objects(column.to_list(), place)
