"""Definitions where models are trained, against the real libraries where they are installed."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import rankconv as rc

NDCG = rc.metric("ndcg@3", preset="mllib")
GRADES, SCORES, SIZES = np.array([1.0, 0, 0, 0, 1, 0, 1]), np.array([0.2, 0.9, 0.1, 0.3, 0.8, 0.7, 0.1]), [3, 4]
QUERY = np.repeat([7, 9], SIZES)
BY_HAND = NDCG(rc.grouped(GRADES, SCORES, group=SIZES))


def test_the_numbers_are_those_of_the_groups() -> None:
    light = SimpleNamespace(get_label=lambda: GRADES, get_group=lambda: np.array(SIZES))
    assert NDCG.feval("lightgbm")(SCORES, light) == ("ndcg@3", BY_HAND, True)
    extreme = SimpleNamespace(get_label=lambda: GRADES, get_uint_info=lambda name: np.array([0, 3, 7], np.uint32))
    assert NDCG.feval("xgboost")(SCORES, extreme) == ("ndcg@3", BY_HAND)
    assert rc.metric("first_rank").feval("lightgbm")(SCORES, light)[2] is False


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: NDCG.feval("catboost"), "CatBoost hands a metric of one's own no groups"),
        (lambda: NDCG.feval("lightgmb"), "'lightgmb' is not a library.*'lightgbm'"),
        (lambda: NDCG.scorer(QUERY), "is no column of X.*would give wrong numbers"),
        (
            lambda: NDCG.feval("lightgbm")(SCORES, SimpleNamespace(get_label=lambda: GRADES, get_group=lambda: None)),
            "has no groups, so all its rows would be one list",
        ),
    ],
)
def test_what_would_give_wrong_numbers_is_refused(wrong: Any, said: str) -> None:
    with pytest.raises(rc.RankingError, match=said):
        wrong()


def test_a_column_of_an_array_or_of_a_frame() -> None:
    data = np.column_stack([SCORES, QUERY])
    model = SimpleNamespace(predict=lambda data: np.asarray(data)[:, 0])
    assert NDCG.scorer(group=1)(model, data, GRADES) == BY_HAND
    pandas = pytest.importorskip("pandas")
    assert NDCG.scorer(group="query")(model, pandas.DataFrame({"score": SCORES, "query": QUERY}), GRADES) == BY_HAND
    falling = rc.metric("first_rank")
    assert falling.scorer(group=1)(model, data, GRADES) == -falling(rc.grouped(GRADES, SCORES, group=SIZES))


def learned(seed: int = 1) -> tuple[Any, Any, list[int]]:
    draw = np.random.default_rng(seed)
    data = draw.normal(size=(60, 3))
    return data, (data[:, 0] + draw.normal(size=60) > 0.5).astype(float), [6] * 10


def test_lightgbm_stops_on_it() -> None:
    library = pytest.importorskip("lightgbm")
    data, grades, sizes = learned()
    train = library.Dataset(data, grades, group=sizes)
    seen: dict[str, Any] = {}
    model = library.train(
        {"objective": "lambdarank", "metric": "None", "verbose": -1, "min_data_in_leaf": 2},
        train,
        5,
        valid_sets=[train],
        feval=NDCG.feval("lightgbm"),
        callbacks=[library.record_evaluation(seen)],
    )
    assert seen["training"]["ndcg@3"][-1] == NDCG(rc.grouped(grades, model.predict(data), group=sizes))


def test_xgboost_stops_on_it() -> None:
    library = pytest.importorskip("xgboost")
    data, grades, sizes = learned()
    train = library.DMatrix(data, grades)
    train.set_group(sizes)
    seen: dict[str, Any] = {}
    model = library.train(
        {"objective": "rank:ndcg", "disable_default_eval_metric": True},
        train,
        5,
        evals=[(train, "train")],
        custom_metric=NDCG.feval("xgboost"),
        evals_result=seen,
        verbose_eval=False,
    )
    found = NDCG(rc.grouped(grades, model.predict(train), group=sizes))
    assert seen["train"]["ndcg@3"][-1] == pytest.approx(found, rel=1e-5)  # it writes six digits


def test_scikit_learn_splits_queries_with_rows() -> None:
    selection = pytest.importorskip("sklearn.model_selection")
    linear = pytest.importorskip("sklearn.linear_model")
    data, grades, sizes = learned()
    rows = np.column_stack([data, np.repeat(np.arange(10), sizes)])
    folds = list(selection.GroupKFold(5).split(rows, grades, rows[:, 3]))
    found = selection.cross_val_score(linear.LinearRegression(), rows, grades, cv=folds, scoring=NDCG.scorer(group=3))
    for number, (train, test) in zip(found, folds, strict=True):
        model = linear.LinearRegression().fit(rows[train], grades[train])
        assert number == NDCG(rc.grouped(grades[test], model.predict(rows[test]), query_id=rows[test, 3].astype(int)))
