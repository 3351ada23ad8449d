"""Functions on arrays state shapes, and docstrings name what they are about: so none needs a second reading."""

import inspect

import pytest
from numpydoc.docscrape import FunctionDoc
from numpydoc.validate import validate

import rankconv
from rankconv import plugin, protocols

PUBLIC = {
    **{f"rankconv.{name}": getattr(rankconv, name) for name in rankconv.__all__ if not name.endswith("Error")},
    **{
        f"{module.__name__}.{name}": function
        for module in (plugin, protocols)
        for name in module.__all__
        if inspect.isfunction(function := getattr(module, name))
    },
}


RETURNED = (rankconv.Definition, rankconv.Preset, rankconv.Result)
"""Classes that no user makes."""
NOT_REQUIRED = {"SA01", "ES01", "EX01", "PR04"}
"""A "See Also", an extended summary and examples everywhere, and types of labels and runs, which are of many kinds."""


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_docstring_is_valid_numpydoc_and_matches_the_signature(name: str) -> None:
    allowed = NOT_REQUIRED | ({"PR01"} if PUBLIC[name] in RETURNED else set())
    assert [error for error in validate(name)["errors"] if error[0] not in allowed] == []


@pytest.mark.parametrize("name", PUBLIC)
def test_errors_that_a_docstring_names_are_ours(name: str) -> None:
    sections = [] if isinstance(PUBLIC[name], type) else FunctionDoc(PUBLIC[name])["Raises"]
    raised = [error.strip() for one in sections for error in one.type.split(",")]
    assert all(issubclass(getattr(rankconv, error), rankconv.RankconvError) for error in raised)
