"""What a metric says of itself, beside its value, is so: a quotient of sums, between two bounds."""

import numpy as np
import pytest

import rankconv as rc
from rankconv import plugin
from rankconv.conventions.data_parts import ALL_PARTS
from rankconv.engine import measure
from rankconv.metrics import METRICS
from rankconv.preparation.blocks.row_block import prepare
from rankconv.preparation.working_rows import working_block
from rankconv.presets.definition import with_changes
from rankconv.presets.definition_page import definition_page
from rankconv.rendering.pages.text import text
from tests.laws.test_laws import different
from tests.metrics.worked import beside, neutral

NEUTRAL = neutral().replace(no_subtopic="one")
"""Where groups are looked at, all labels of a user are one."""
OURS = [name for name, metric in METRICS.items() if metric.__module__.startswith("rankconv.metrics")]


def scored(lists: dict[str, list[str]]) -> dict[str, list[tuple[str, float]]]:
    """Scores that fall with the rank, for metrics that compare them to grades."""
    return {user: [(item, -float(place)) for place, item in enumerate(items)] for user, items in lists.items()}


# denominators: of three users with other labels and lists

GRADES = {"a": 3, "b": 1, "c": 2, "d": 1, "e": 0}
LABELS = {"t": GRADES, "u": {"a": 1, "x": 0}, "v": {"b": 2, "c": 2, "x": 0, "y": 0}}
RUN = {"t": ["b", "x", "a", "y", "d"], "u": ["x", "a"], "v": ["b", "x", "c", "y", "z", "q"]}
NOT_AS_THEY_DIVIDE = {
    "compat": "both sides are weighted by depth",
    "f": "what it is divided by depends on the list, unless it is made of counts",
    "accuracy": "the catalogue, which all users share",
}


def test_what_all_users_are_divided_by_alike_is_no_denominator_to_sum() -> None:
    joined = rc.join(LABELS, scored(RUN), **beside(RUN, "abcxyzq", 20))
    refused, sums = {"compat"}, dict[str, float]()
    for name in OURS:
        if name in NOT_AS_THEY_DIVIDE or METRICS[name].of_all_lists:
            continue
        [definition] = NEUTRAL.define(name)
        found = definition.metric.per_user(prepare(working_block(joined, np.arange(3)), definition.preparation))
        ratio = found if isinstance(found, plugin.Ratio) else found.ratio
        numerators, denominators = np.asarray(ratio.numerator), np.asarray(ratio.denominator)
        if len(set(denominators.tolist())) == 1:
            refused.add(name)
        else:
            sums[f"{name}(aggregate=micro)"] = numerators.sum() / denominators.sum()
    assert dict(rc.evaluate(joined, list(sums), preset=NEUTRAL)) == pytest.approx(sums, rel=1e-12)
    for name in refused:
        with pytest.raises(rc.MetricError, match=rf"needs a denominator to sum, and {name} has none"):
            NEUTRAL.define(f"{name}(aggregate=micro)")[0].check()


# expected values over the orders of tied rows

PROMISES = ("linear", "closed_form", "of_hit_count")
OF_ANY_ORDER = {"distance_recall": "rows of equal score have one value"}
OF_SOME = {"mean_position", "auc"}
"""Of these it is known under some settings, or over whole lists."""
COUNTED = {"precision", "recall", "f"}
"""Linear, but under some settings: of these the mean over the numbers of hits is known."""


def test_a_metric_has_an_expected_value_or_says_why_not() -> None:
    for name in {name for name in OURS if METRICS[name].reads_labels} - {*OF_ANY_ORDER}:
        promised = {promise for promise in PROMISES if METRICS[name].keeps(promise)}
        known = name in OF_SOME or not METRICS[name].why_no_expectation
        assert len(promised) == known + (name in COUNTED), (name, promised)


def test_metrics_of_whole_lists_have_no_form_with_a_cutoff() -> None:
    refusing = {name for name in OURS if not NEUTRAL.offers(f"{name}@3")}
    assert refusing == {"compat", "percentile_rank", "candidate_percentile", "ndcg_rel", "rndcg", "work_saved"}


# what is read


def test_a_plugins_metric_reads_all_unless_it_says_what() -> None:
    class Own(METRICS["precision"]):  # type: ignore[name-defined, misc]
        name = "own"

    class Says(Own):
        name = "says"
        reads_data = ("grades",)

    assert METRICS["precision"].data_read() == frozenset()
    assert METRICS["g_measure"].data_read() == {"grades"}
    assert METRICS["auc"].data_read() == {"scores"}
    assert Own.data_read() == ALL_PARTS
    assert Says.data_read() == {"grades"}


# bounds, and which end is best


LISTS = {
    "best": ["a", "c", "b", "d", "e", "x", "y"],
    "worst": ["x", "e", "y", "d", "b", "c", "a"],
    "hit": ["a"],
    "miss": ["e", "x"],
}
OF_WHOLE_LISTS = {
    "auc",
    "roc_range_auc",
    "label_ranking_loss",
    "coverage_error",
    "first_rank",
    "mean_position",
    "relevant_rank",
}
TELL_NOTHING = {"count", "ideal_dcg", "judged_share", "unjudged_share", "distance_recall", "work_saved"}
"""These do not tell good lists from bad ones; `work_saved` at the neutral level of recall, 0."""


@pytest.fixture(scope="module")
def result() -> rc.Result:
    """Each metric over the whole lists and down to rank 3."""
    joined = rc.join(dict.fromkeys(LISTS, GRADES), scored(LISTS), **beside(LISTS, "edcba", 9))
    asked = [f"{name}{at}" for name in OURS for at in ("", *["@3"] * METRICS[name].cuts)]
    return rc.evaluate(joined, asked, preset=NEUTRAL, on_error="collect")


def test_values_lie_in_the_range_of_the_metric(result: rc.Result) -> None:
    for spec in result.specs:
        least, most = METRICS[spec.partition("@")[0]].range
        finite = result.per_user[spec][np.isfinite(result.per_user[spec])]
        assert ((finite >= least) & (finite <= most)).all(), (spec, finite)


def test_the_better_list_has_the_less_value_where_less_is_better(result: rc.Result) -> None:
    for name in OURS:
        if name in TELL_NOTHING or not METRICS[name].directed or METRICS[name].of_all_lists:
            continue
        spec = f"{name}@3" if METRICS[name].cuts and name not in OF_WHOLE_LISTS else name
        values = dict(zip(result.users.tolist(), np.nan_to_num(result.per_user[spec]), strict=True))
        assert values["best"] != values["worst"], name
        assert (values["best"] < values["worst"]) == METRICS[name].lower_is_better, name


def test_only_metrics_that_say_so_look_at_scores() -> None:
    """In the order given, scores that are tied or not make a difference to no other metric.

    Nor do they to one whose settings declare that they read scores: those are moved by these settings alone.
    """
    mixed = {"u": [("c", 2.0), ("a", 1.0), ("d", 4.0), ("b", 3.0)]}
    tied = {"u": [(item, 0.5) for item in "cadb"]}
    in_order = {"order": "given", "ties": "given", "min-score": "none", "score-transform": "none"}
    moved, by_setting = set(), set()
    for labels in ({"a": 2, "c": 1, "b": 1, "d": 0, "e": 1}, {"a": 2, "b": 1, "c": 0, "d": 0, "e": 1}):
        mine, others = (rc.join({"u": labels}, run, **beside("uvw", "abcdx", 20)) for run in (mixed, tied))
        given = [with_changes(one, in_order) for one in {one.metric: one for one in different()}.values()]
        asked = [one for one in given if one and not one.preparation.by_score and not one.preparation.keeps_ties]
        asked = [one for one in asked if not one.settings["max-depth"].startswith("score-at-least")]
        for one, other in zip(*(measure(joined, asked, None) for joined in (mine, others)), strict=True):
            same = np.array_equal(one.values, other.values, equal_nan=True)
            metric = one.definition.metric
            declared = any("scores" in setting.data_read for setting in metric.settings.values())
            where = by_setting if declared and not metric.compares_scores else moved
            where |= set() if same else {metric.name}
    assert by_setting == {"average_precision", "nugget_recall"}
    assert moved == {"auc", "compat", "label_ranking_loss", "pr_auc", "roc_range_auc", "distance_recall"}
    assert moved == {name for name, metric in METRICS.items() if metric.compares_scores}


# what is left to the formula


def test_the_page_of_f_says_what_its_formula_decides() -> None:
    one = rc.metric("f1(f-zero-division=as-computed)@3")
    assert "As computed by the formula: f-zero-division" in text(definition_page(one, ""))
