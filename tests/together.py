"""Like cases in one test that tells all that fail: of small ones pytest's own part would take longer than the cases."""

from collections.abc import Callable, Iterable
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Any

import pytest

FAILURES = (Exception, pytest.fail.Exception)


def together(names: str, cases: Iterable[Any], by: Callable[..., str]) -> Callable[[Callable[..., None]], Any]:
    """As `pytest.mark.parametrize`, but for one test for each group that `by` tells of the values of a case.

    A case is a tuple, or a `pytest.param` with an id. Every case of a group is tried, whatever became of others.
    """
    given = [name.strip() for name in names.split(",")]
    groups: dict[str, list[tuple[str, dict[str, Any]]]] = {}
    for case in cases:
        values = getattr(case, "values", case)
        told = getattr(case, "id", None) or "-".join(map(str, values))
        groups.setdefault(by(*values), []).append((told, dict(zip(given, values, strict=True))))

    def decorate(test: Callable[..., None]) -> Any:
        @wraps(test)
        def of_group(group: str, **fixtures: Any) -> None:
            failed = list(filter(None, (_failure(test, told, case | fixtures) for told, case in groups[group])))
            assert not failed, f"{len(failed)} of {len(groups[group])} fail\n" + "\n".join(failed)

        fixtures = [name for name in signature(test).parameters if name not in given]
        taken = [Parameter(name, Parameter.KEYWORD_ONLY) for name in ("group", *fixtures)]
        of_group.__signature__ = Signature(taken)  # type: ignore[attr-defined]
        return pytest.mark.parametrize("group", list(groups))(of_group)

    return decorate


def _failure(test: Callable[..., None], told: str, given: dict[str, Any]) -> str:
    """What fails there, in words; empty where nothing does."""
    try:
        test(**given)
    except FAILURES as error:
        return f"{told}: {type(error).__name__}: {error}"
    return ""
