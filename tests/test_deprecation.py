"""The deprecation policy: a deprecated name works, warns at the line that uses it, and is documented as deprecated."""

import inspect
import re
from collections.abc import Iterable
from importlib import import_module
from importlib.metadata import version

import pytest

from rankconv.deprecation import deprecated
from rankconv.exports import MODULES


@deprecated(since="1.2", instead="rankconv.evaluate")
def assess(labels: int, run: int = 2) -> int:
    """Add two numbers."""
    return labels + run


def test_a_deprecated_name_works_and_warns_where_it_is_used() -> None:
    with pytest.warns(DeprecationWarning, match=r"^deprecated since 1\.2; use rankconv.evaluate$") as seen:
        assert assess(1, run=3) == 4
    assert seen[0].filename == __file__


def test_it_keeps_its_signature_and_docstring() -> None:
    assert str(inspect.signature(assess)) == "(labels: int, run: int = 2) -> int"
    assert inspect.getdoc(assess) == "Add two numbers."


def outlived(objects: Iterable[object], major: int) -> list[str]:
    """The messages of names that were deprecated before this major version."""
    messages = (getattr(one, "__deprecated__", "") for one in objects)
    return [one for one in messages if (since := re.search(r"since (\d+)", one)) and int(since[1]) < major]


def test_no_deprecated_name_outlives_its_major_version() -> None:
    """A name that is deprecated in 1.2 is removed in 2.0."""
    assert [outlived([assess, len], major) for major in (1, 2)] == [[], [assess.__deprecated__]]  # type: ignore[attr-defined]
    public = (getattr(import_module(module), name) for module in MODULES for name in import_module(module).__all__)
    assert not outlived(public, int(version("rankconv").partition(".")[0]))
