"""A result as plain data with its signatures and intervals, as `rankconv evaluate --format json` prints it."""

from typing_extensions import TypedDict

from rankconv.evaluation.results.result import Result, ResultData
from rankconv.evaluation.results.result_tables import intervals_or_note
from rankconv.evaluation.statistics.intervals import IntervalData


class MeanIntervalsData(TypedDict, total=False):
    """The confidence intervals of means."""

    intervals: dict[str, IntervalData]
    """Of each mean of 5 users or more; left out where no mean has one, with --no-interval and without SciPy."""


class SignedResultData(ResultData, MeanIntervalsData):
    """The values of one run under one preset, with the intervals and signatures of the means."""

    signatures: dict[str, str]
    """The signature of each mean: its definition, users, and digests of the data."""
    digests: dict[str, str]
    """The digest of each part of the data that was read, of 32 hexadecimal digits; empty with --no-digest."""


def signed_data(result: Result, confidence_level: float | None) -> SignedResultData:
    """Return a result as plain data with its signatures, and its intervals where SciPy is installed."""
    found, _ = intervals_or_note(result.by_spec, result.users, confidence_level)
    intervals: MeanIntervalsData = {"intervals": {spec: one.to_dict() for spec, one in found.items()}} if found else {}
    return {**result.to_dict(), **intervals, "signatures": result.signatures, "digests": result.digests}
