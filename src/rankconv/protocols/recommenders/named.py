"""Recommenders by what a user calls them: a name, a function in a file, or a function."""

import importlib.util
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rankconv.errors import InputError, RankconvError, likely, nearest
from rankconv.protocols.recommenders.builtin import ItemItem, Popularity
from rankconv.protocols.recommenders.libraries import (
    implicit_als,
    implicit_bm25,
    lenskit_als,
    lenskit_item_knn,
    sklearn_nmf,
    sklearn_svd,
)
from rankconv.protocols.recommenders.training import Training

NAMED: dict[str, Callable[[Training], Any]] = {
    "popularity": Popularity,
    "item-item": ItemItem,
    "implicit-als": implicit_als,
    "implicit-bm25": implicit_bm25,
    "lenskit-als": lenskit_als,
    "lenskit-item-knn": lenskit_item_knn,
    "sklearn-nmf": sklearn_nmf,
    "sklearn-svd": sklearn_svd,
}
Recommend = Callable[..., Any]
"""`recommend(items, values, n)`: ids, best first, or ids and scores."""


@dataclass(frozen=True)
class Many:
    """A recommender that is asked for several users at once."""

    recommend: Recommend
    """`recommend_many(histories, n)`: a setting for each of several (items, values)."""


def name_of(source: Any) -> str:
    """What a recommender is called in tables: `als` of `my_models.py:als`."""
    if callable(source):
        return str(getattr(source, "__name__", type(source).__name__))
    return str(source).rpartition(":")[2]


def maker(source: Any) -> Callable[[Training], Any]:
    """What makes a recommender from training data; an InputError for a name or a file that has none."""
    if callable(source):
        found: Callable[[Training], Any] = source
        return found
    text = str(source)
    file, sign, name = text.rpartition(":")
    if sign and file.endswith(".py"):
        return _of_file(Path(file), name)
    if text not in NAMED:
        raise InputError(
            f"'{text:.100}' is no recommender",
            allowed=f"There are {', '.join(NAMED)}, and functions in files, written my_models.py:als",
            nearest=nearest(text, likely(text, NAMED)),
        )
    return NAMED[text]


def _of_file(file: Path, name: str) -> Callable[[Training], Any]:
    if not file.is_file():
        raise InputError(f"there is no file {file}", do="Name it as my_models.py:als, a function in a file.")
    spec = importlib.util.spec_from_file_location(f"rankconv_recommenders_{file.stem}", file)
    if spec is None or spec.loader is None:
        raise InputError(f"{file} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as problem:
        raise InputError(f"it cannot be loaded: {type(problem).__name__}: {problem}", where=str(file)) from problem
    found = getattr(module, name, None)
    if not callable(found):
        there = [one for one, value in vars(module).items() if callable(value) and not one.startswith("_")]
        wrong, allowed = f"there is no function '{name}'", f"There are: {', '.join(there)}"
        raise InputError(wrong, where=str(file), allowed=allowed, nearest=nearest(name, there))
    made: Callable[[Training], Any] = found
    return made


def made(source: Any, training: Training) -> Recommend | Many:
    """What recommends, learned from training data; InputError where that raises, or makes none."""
    name = name_of(source)
    try:
        model = maker(source)(training)
    except RankconvError:
        raise
    except Exception as problem:
        raise InputError(
            f"it cannot learn: {type(problem).__name__}: {problem}", where=f"recommender {name}"
        ) from problem
    many = getattr(model, "recommend_many", None)
    if callable(many):
        return Many(many)
    found = getattr(model, "recommend", model)
    if not callable(found):
        do = "Return an object with recommend(items, values, n), or such a function; or with recommend_many."
        raise InputError(f"{type(model).__name__} does not recommend", where=f"recommender {name}", do=do)
    recommend: Recommend = found
    return recommend
