"""How long to search, how input is broken, and which outcomes are allowed."""

import os
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from rankconv.basics.errors import RankconvError
from rankconv.data.labels_and_rankings import Labels, Run

EXAMPLES = {"quick": 20, "ci": 400, "long": 6000}[os.environ.get("RANKCONV_FUZZING", "quick")]
"""Inputs for each test."""

searching = settings(
    max_examples=EXAMPLES,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.data_too_large],
)

PIECES = [
    *(bytes([sign]) for sign in b"\0\r\n\t \"',;:#|\\/=@()[]{}<>&*!-+.0123456789eExX_\x0b\x0c\x1b\x1c\x7f\x85\xa0\xff"),
    *(b"\r\n", b"\n\n", b"  ", b"::", b"qid:", b"\xef\xbb\xbf", b"\xc2\xa0", b"\xc2\x85", b"\xe2\x80\xa8", b"\xff\xfe"),
    *(b"nan", b"inf", b"-inf", b"1e400", b"1e-400", b"-0", b"0x1f", b"1_0", b"1,000", b"9" * 30, b"9" * 5000, b"NaN"),
    *(b"null", b"true", b"{}", b"[]", b'""', b'"a"', b"\\u0000", b"\\ud800", b"Infinity", b"user", b"item", b"score"),
    *(b"!!python/name:os.system", b"&a", b"*a", b"<<: ", b"- ", b": ", b"[" * 200, b"{a: " * 30, b"(" * 50),
]
"""What parsers stumble over."""


@st.composite
def mutated(draw: st.DrawFn, whole: st.SearchStrategy[bytes]) -> bytes:
    """The whole, with up to four places removed, repeated, exchanged or filled in; often it stays as it is."""
    data = draw(whole)
    for _ in range(draw(st.integers(0, 4))):
        first, last = sorted((draw(st.integers(0, len(data))), draw(st.integers(0, len(data)))))
        last = min(last, first + draw(st.sampled_from([0, 1, 1, 2, 8, 64])))
        middle = draw(
            st.sampled_from([b"", data[first:last] * 2, data[first:last][::-1]])
            | st.sampled_from(PIECES)
            | st.binary(max_size=3)
        )
        data = data[:first] + middle + data[last:]
    return data


def outcome(read: Callable[[], Any]) -> Any:
    """What came of it: plain data, or the error, of printable lines."""
    try:
        found = read()
    except RankconvError as error:
        found = error
    if isinstance(found, RankconvError):
        assert all(line.isprintable() for line in str(found).split("\n"))
        assert found.wrong
    return rows_of(found) if isinstance(found, Labels | Run) else found


def rows_of(data: Labels | Run) -> dict[str, Any]:
    """All of a table, and that it holds together; words, where it has such in the place of numbers, as texts."""
    numbers = data.grade if isinstance(data, Labels) else data.score
    assert data.starts[0] == 0
    assert data.starts[-1] == len(data.item)
    assert numbers is None or (len(numbers) == len(data.item) and abs(numbers).max(initial=0) < float("inf"))
    return {
        "users": data.users.values.tolist(),
        "items": data.items.values[data.item].tolist(),
        "starts": data.starts.tolist(),
        "numbers": None if numbers is None else numbers.tolist() if data.words is None else data.words.of_rows(numbers),
    }
