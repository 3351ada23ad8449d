"""Libraries of the tests' own: plain functions behind an adapter, for a preset of the tests' own."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest

from rankconv import plugin
from rankconv.addons.verification import SINGLE, Takes, adapters
from rankconv.addons.verification.adapter import ADAPTERS, User

TOY = """
name: toy
title: Mean precision and reciprocal rank of a toy
version: 1.0.0
extends: base
preparation: {order: score}
aggregation: {users: union}
metrics:
  precision: {precision-denominator: k}
  mrr: {is: reciprocal_rank, ties: undefined}
  map: {is: average_precision, ties: undefined, ap-denominator: hits}
  recall: {recall-denominator: relevant, on-no-relevant: refuse-all}
"""


@pytest.fixture
def toy(tmp_path: Path) -> Iterator[Path]:
    """The preset; the registry of adapters is put back after the test."""
    adapters.load()
    before = dict(ADAPTERS)
    file = tmp_path / "toy.yaml"
    file.write_text(TOY)
    yield file
    ADAPTERS.clear()
    ADAPTERS.update(before)


def call(function: Callable[..., Any], *forms: str, package: str = "numpy") -> type[plugin.Adapter]:
    """An adapter of the toy out of a function of the users, what is asked, and the cutoff."""

    class Toy(plugin.Adapter):
        """Installed wherever the tests are, unless the package says otherwise."""

        preset = "toy"
        packages = ("no-such-package", package)
        install = "pip install toy==1.0.0"
        own_environment = "it is picky"
        calls: ClassVar = {form: form.replace("@k", " at {k}") for form in forms}
        takes = Takes(grades=("binary", "graded"))
        tolerance = SINGLE

        def given(self, users: Sequence[User]) -> Sequence[User]:
            return users

        def ask(self, given: Sequence[User], call: str, k: int | None) -> Any:
            return function(given, call, k)

    return Toy


def best_first(user: User) -> list[str]:
    """His items by falling score; ties as they come."""
    places = sorted(range(len(user.ranking)), key=lambda place: -user.scores[place])
    return [user.ranking[place] for place in places]


def precision(users: Sequence[User], call: str, k: int) -> plugin.LibraryResult:
    """What the toy does right, with values per user."""
    values = {user.name: sum(item in user.relevant for item in best_first(user)[:k]) / k for user in users}
    return plugin.LibraryResult(sum(values.values()) / len(values), values)
