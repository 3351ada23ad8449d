"""Definitions where models are trained, against the real libraries where they are installed."""

import pickle
import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import rankconv as rc

NDCG = rc.metric("ndcg@3", preset="mllib")
GRADES, SCORES, SIZES = np.array([1.0, 0, 0, 0, 1, 0, 1]), np.array([0.2, 0.9, 0.1, 0.3, 0.8, 0.7, 0.1]), [3, 4]
QUERY = np.repeat([7, 9], SIZES)
LIGHTGBM = rc.feval(NDCG, "lightgbm")
BY_HAND = NDCG(rc.grouped(GRADES, SCORES, group=SIZES))


def test_the_numbers_are_those_of_the_groups() -> None:
    assert rc.feval(NDCG, "lightgbm")(SCORES, light()) == ("rankconv_ndcg@3", BY_HAND, True)
    assert rc.feval(NDCG, "xgboost")(SCORES, extreme()) == ("rankconv_ndcg@3", BY_HAND)
    assert rc.feval("first_rank", "lightgbm")(SCORES, light())[2] is False


def light(weights: Any = None) -> SimpleNamespace:
    """A data set of LightGBM, with a weight for each row."""
    return SimpleNamespace(get_label=lambda: GRADES, get_group=lambda: np.array(SIZES), get_weight=lambda: weights)


def extreme(weights: Any = ()) -> SimpleNamespace:
    """A matrix of XGBoost, with a weight for each query."""
    ends = np.array([0, 3, 7], np.uint32)
    return SimpleNamespace(
        get_label=lambda: GRADES, get_uint_info=lambda name: ends, get_weight=lambda: np.array(weights)
    )


def test_weights_are_taken_as_the_libraries_take_them() -> None:
    one, other = NDCG(rc.grouped(GRADES, SCORES, group=SIZES)).per_user
    of_rows = light([1, 2, 3, 4, 4, 4, 4])
    assert rc.feval(NDCG, "lightgbm")(SCORES, of_rows)[1] == pytest.approx((2 * one + 4 * other) / 6)
    assert rc.feval(NDCG, "xgboost")(SCORES, extreme([3, 1]))[1] == pytest.approx((3 * one + other) / 4)
    with pytest.raises(rc.InputError, match="there are 7 weights for 2 queries"):
        rc.feval(NDCG, "xgboost")(SCORES, extreme(np.ones(7)))
    with pytest.raises(rc.MetricError, match=r"has weights, and the mean of .* is maximum"):
        rc.feval("mllib:ndcg(aggregate=maximum)@3", "xgboost")(SCORES, extreme([3, 1]))


def test_weights_are_those_of_lightgbm_itself() -> None:
    library = pytest.importorskip("lightgbm")
    data, grades, sizes = learned()
    weights = np.random.default_rng(3).random(len(grades)).astype(np.float32)
    train, seen = library.Dataset(data, grades, group=sizes, weight=weights), dict[str, Any]()
    told = {"objective": "lambdarank", "metric": "ndcg", "eval_at": [3], "label_gain": [0, 1], "verbose": -1}
    named = {"feval": rc.feval("ndcg@3", "lightgbm", preset="lightgbm"), "valid_sets": [train]}
    library.train({**told, "min_data_in_leaf": 2}, train, 3, callbacks=[library.record_evaluation(seen)], **named)
    assert seen["training"]["rankconv_ndcg@3"] == pytest.approx(seen["training"]["ndcg@3"], abs=1e-6)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: rc.feval(NDCG, "catboost"), "CatBoost hands a metric of one's own no groups"),
        (lambda: rc.feval(NDCG, "lightgmb"), "'lightgmb' is not a library.*'lightgbm'"),
        (lambda: rc.scoring(NDCG, group=QUERY), "is not a column of X.*would give wrong numbers"),
        (
            lambda: LIGHTGBM(SCORES, SimpleNamespace(get_label=lambda: GRADES, get_group=lambda: None)),
            "has no groups, so all its rows would be one list",
        ),
    ],
)
def test_what_would_give_wrong_numbers_is_refused(wrong: Any, said: str) -> None:
    with pytest.raises(rc.RankconvError, match=said):
        wrong()


def test_a_column_of_an_array_or_of_a_frame() -> None:
    data = np.column_stack([SCORES, QUERY])
    model = SimpleNamespace(predict=lambda data: np.asarray(data)[:, 0])
    assert rc.scoring(NDCG, group=1)(model, data, GRADES) == BY_HAND
    pandas = pytest.importorskip("pandas")
    assert (
        rc.scoring(NDCG, group="query")(model, pandas.DataFrame({"score": SCORES, "query": QUERY}), GRADES) == BY_HAND
    )
    falling = rc.metric("first_rank")
    assert rc.scoring(falling, group=1)(model, data, GRADES) == -falling(rc.grouped(GRADES, SCORES, group=SIZES))


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
        feval=rc.feval(NDCG, "lightgbm"),
        callbacks=[library.record_evaluation(seen)],
    )
    assert seen["training"]["rankconv_ndcg@3"][-1] == NDCG(rc.grouped(grades, model.predict(data), group=sizes))


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
        custom_metric=rc.feval(NDCG, "xgboost"),
        evals_result=seen,
        verbose_eval=False,
    )
    found = NDCG(rc.grouped(grades, model.predict(train), group=sizes))
    assert seen["train"]["rankconv_ndcg@3"][-1] == pytest.approx(found, rel=1e-5)  # it writes six digits


def test_scikit_learn_splits_queries_with_rows() -> None:
    selection = pytest.importorskip("sklearn.model_selection")
    linear = pytest.importorskip("sklearn.linear_model")
    data, grades, sizes = learned()
    rows = np.column_stack([data, np.repeat(np.arange(10), sizes)])
    folds = list(selection.GroupKFold(5).split(rows, grades, rows[:, 3]))
    scorer = rc.scoring(NDCG, group=3)
    found = selection.cross_val_score(linear.LinearRegression(), rows, grades, cv=folds, scoring=scorer)
    for number, (train, test) in zip(found, folds, strict=True):
        model = linear.LinearRegression().fit(rows[train], grades[train])
        assert number == NDCG(rc.grouped(grades[test], model.predict(rows[test]), query_id=rows[test, 3].astype(int)))


@pytest.fixture
def routing() -> Iterator[Any]:
    """scikit-learn, with metadata routed."""
    library = pytest.importorskip("sklearn")
    with library.config_context(enable_metadata_routing=True):
        yield library


def test_scikit_learn_routes_the_groups_with_the_rows(routing: Any) -> None:
    """Rows are shuffled, so that groups which were not split with them would be those of other rows."""
    from sklearn.linear_model import LinearRegression
    from sklearn.model_selection import KFold, cross_validate

    data, grades, sizes = learned()
    order = np.random.default_rng(3).permutation(60)
    data, grades, query = data[order], grades[order], np.repeat(np.arange(10), sizes)[order]
    scorer, told = rc.scoring(NDCG), {"return_estimator": True, "return_indices": True}
    found = cross_validate(
        LinearRegression(), data, grades, cv=KFold(4), scoring=scorer, params={"groups": query}, **told
    )
    for number, model, test in zip(found["test_score"], found["estimator"], found["indices"]["test"], strict=True):
        assert number == NDCG(rc.grouped(grades[test], model.predict(data[test]), query_id=query[test]))
    again = pickle.loads(pickle.dumps(scorer))
    assert again(model, data, grades, groups=query) == scorer(model, data, grades, groups=query)
    with pytest.raises(rc.InputError, match=r"no groups came with the rows.*params="):
        cross_validate(LinearRegression(), data, grades, cv=KFold(4), scoring=scorer, error_score="raise")


def test_scikit_learn_searches_by_routed_groups(routing: Any) -> None:
    from sklearn.linear_model import Ridge
    from sklearn.model_selection import GridSearchCV, GroupKFold

    data, grades, sizes = learned()
    search = GridSearchCV(Ridge(), {"alpha": [0.1, 1000.0]}, scoring=rc.scoring(NDCG), cv=GroupKFold(5))
    search.fit(data, grades, groups=np.repeat(np.arange(10), sizes))
    assert 0 < search.best_score_ <= 1
    rank = rc.metric("first_rank")
    assert rc.scoring(rank)(search.best_estimator_, data, grades, groups=np.repeat(np.arange(10), sizes)) < 0


def test_groups_beside_the_rows_are_routed_or_refused() -> None:
    library = pytest.importorskip("sklearn")
    with (
        library.config_context(enable_metadata_routing=False),
        pytest.raises(rc.MetricError, match=r"only where metadata are routed.*enable_metadata_routing=True"),
    ):
        rc.scoring(NDCG)


def test_routing_needs_scikit_learn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(rc.LibraryError, match="scikit-learn is not installed"):
        rc.scoring(NDCG)


def test_what_selects_models_is_pickled() -> None:
    data = np.column_stack([SCORES, QUERY])
    scorer = pickle.loads(pickle.dumps(rc.scoring(NDCG, group=1)))
    assert scorer(SimpleNamespace(predict=lambda rows: rows[:, 0]), data, GRADES) == BY_HAND
    assert pickle.loads(pickle.dumps(rc.feval(NDCG, "lightgbm")))


def test_the_metric_is_read_as_by_evaluate() -> None:
    data = np.column_stack([SCORES, QUERY])
    model = SimpleNamespace(predict=lambda rows: rows[:, 0])
    for metric, preset in (("mllib:ndcg@3", None), ("ndcg@3", "mllib"), (NDCG, "mllib"), (NDCG, rc.preset("mllib"))):
        given = rc.grouped(GRADES, SCORES, group=SIZES)
        expected = rc.metric("ndcg@3", "mllib")(given)
        assert rc.feval(metric, "xgboost", preset=preset)(SCORES, extreme()) == ("rankconv_ndcg@3", expected)
        assert rc.scoring(metric, group=1, preset=preset)(model, data, GRADES) == expected
    for use in (lambda metric: rc.feval(metric, "xgboost"), rc.scoring):
        with pytest.raises(rc.MetricError, match="'ndcg@3,5' asks for 2 numbers"):
            use("ndcg@3,5")
        with pytest.raises(rc.MetricError, match="is not a metric"):
            use(["ndcg@3"])


def test_nothing_is_chosen_by_a_metric_without_a_better_end() -> None:
    popularity = rc.metric("popularity@3")
    for use in (lambda: rc.feval(popularity, "lightgbm"), lambda: rc.scoring(popularity)):
        with pytest.raises(rc.MetricError, match="no end of popularity is the better one, so no model can be chosen"):
            use()
