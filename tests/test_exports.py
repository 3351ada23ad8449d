"""The public door is a list of names, complete."""

import types

import rankconv as rc


def test_all_is_complete() -> None:
    defined = {name for name, value in vars(rc).items() if not isinstance(value, types.ModuleType)}
    assert {name for name in defined if not name.startswith("_")} - {"QUESTIONS"} == set(rc.__all__)


def test_everything_public_says_what_it_is() -> None:
    silent = [name for name in rc.__all__ if not getattr(rc, name).__doc__]
    assert not silent
