"""Presets grouped by their numbers: who stands together, and what parts one group from the next."""

import json
import re
from dataclasses import replace
from itertools import pairwise

import pytest
from typer.testing import CliRunner

import rankconv as rc
from rankconv.cli.app import app
from rankconv.cli.five_users import LABELS, RUN
from rankconv.evaluation.results.comparison import values_of
from rankconv.evaluation.results.differences import GroupStep
from rankconv.rendering.pages.page import Page
from rankconv.rendering.pages.text import text
from rankconv.typing import Comparison

METRICS = ["precision@3", "recall@3", "map@3", "ndcg@3", "mrr@3"]


@pytest.fixture(scope="module")
def five() -> Comparison:
    return rc.compare(LABELS, RUN, METRICS, "all")


def test_where_nobody_gives_a_number_there_is_no_group() -> None:
    """As for a metric that needs a catalogue, and none was given."""
    assert rc.compare(LABELS, RUN, "coverage", ["rankconv"]).by_value("coverage") == []


def test_groups_rise_and_the_lowest_has_no_step(five: Comparison) -> None:
    groups = five.by_value("map@3")
    assert [one.means for one in groups] == sorted(five.groups("map@3"))
    assert [one.names for one in groups] == list(five.groups("map@3").values())
    assert [one.step is None for one in groups] == [True] + [False] * (len(groups) - 1)


def test_a_step_leads_from_a_member_of_the_group_below(five: Comparison) -> None:
    groups = five.by_value("ndcg@3")
    for below, one in pairwise(groups):
        assert one.step is not None
        assert (one.step.upper in one.names, one.step.lower in below.names) == (True, True)


def test_one_setting_is_named_where_one_setting_is_the_difference() -> None:
    [_, upper] = rc.compare(LABELS, RUN, "map@3", ["catboost+unretrieved", "catboost"]).by_value("map@3")
    assert upper.step == GroupStep("catboost+unretrieved", "catboost", ["candidates=with-unretrieved(lowest=1)"])


@pytest.mark.parametrize("metric", METRICS[2:4])
def test_the_settings_of_a_step_are_enough(five: Comparison, metric: str) -> None:
    """Given to the lower preset, they make the number of the upper one, unless that refuses the mixture."""
    name, k = metric.split("@")
    for one in five.by_value(metric)[1:]:
        assert one.step is not None
        if one.step.settings[0].startswith("is="):  # another strategy under the same name
            continue
        spec = f"{name}({', '.join(one.step.settings)})@{k}"
        try:
            rc.metric(spec, one.step.lower)
        except rc.MetricError:  # such as a mean under which the policies of the lower preset say nothing
            continue
        result = rc.evaluate(LABELS, RUN, spec, one.step.lower, on_error="collect")
        found = result[spec]
        assert result.errors or found == pytest.approx(five[metric, one.step.upper], rel=1e-12), (one.step, spec)


def test_relevance_by_the_highest_grade_matters_where_nothing_is_labelled() -> None:
    """Everything is as good as the best, 0, in a list without labelled items."""
    table = rc.compare(LABELS, RUN, "mrr@3", ["allrank+unretrieved", "evidently+unretrieved"])
    assert "relevant=above(0)" in table.separating["evidently+unretrieved"]


def test_several_runs_share_a_line_only_if_all_their_numbers_agree() -> None:
    runs = rc.Runs(short={1: [1], 2: [2]}, long={1: [1, 9], 2: [2, 9]})
    table = rc.compare({1: [1], 2: [2]}, runs, "precision@2", ["mllib", "rankconv", "xgboost"])
    assert table.groups("precision@2") == {(0.5, 0.5): ["mllib", "rankconv"], (1.0, 0.5): ["xgboost"]}
    [_, upper] = table.by_value("precision@2")
    assert upper.step is not None
    assert "precision-denominator=min(k, length)" in upper.step.settings
    printed = text(Page([[values_of(table.by_value("precision@2"), table.runs)]])).splitlines()
    assert printed[:2] == ["     short      long   presets", "    0.5000    0.5000   mllib, rankconv"]


def test_lines_fit_and_say_who_is_absent(five: Comparison) -> None:
    lines = text(replace(five, metrics=METRICS[:2])._page(), 80).splitlines()
    assert max(map(len, lines)) <= 80
    assert [line for line in lines if line in METRICS] == METRICS[:2]
    assert any("which do not define it" in line for line in lines)
    assert any("on-no-ranking=refuse-all" in line for line in lines)


def test_the_command_prints_groups() -> None:
    def printed(*more: str) -> str:
        arguments = ["compare", "--by-value", "-p", "search", "-p", "mllib", "-m", "map@3", *more]
        return CliRunner().invoke(app, arguments, catch_exceptions=False).stdout

    assert re.search(r"0\.1667   mllib, .*\btrec_eval-c\b", printed())
    groups = json.loads(printed("--format", "json"))["map@3"]
    assert groups[0] == {"means": [0.0926], "names": ["beir"], "step": None}
    assert printed("--format", "csv").startswith("metric,mean,presets,against the row above\nmap@3,0.0926,beir,\n")
