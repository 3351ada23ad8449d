"""Changed copies of a preset."""

import pytest

import rankconv as rc

BLOG, TREC = rc.preset("blog"), rc.preset("trec_eval")


def setting(preset: rc.Preset, spec: str, convention_name: str) -> str:
    [found] = preset.define(spec)
    return found.settings[convention_name]


def test_a_changed_copy_says_so_in_its_name() -> None:
    changed = BLOG.replace(on_zero_division="skip")
    assert changed.name == "blog (modified)"
    assert changed.replace(on_no_users=0).name == "blog (modified)"
    assert setting(changed, "map@3", "on-zero-division") == "skip"


def test_a_name_of_ones_own() -> None:
    mine = BLOG.replace(name="mine", on_zero_division="skip")
    assert mine.name == "mine"
    assert rc.evaluate({"u": ["a"]}, {"u": ["a"]}, "map@3", preset=mine).preset == "mine"


def test_without_a_change_it_is_the_preset_itself() -> None:
    assert BLOG.replace() is BLOG
    assert BLOG.replace(users="union", grades="binary") is BLOG
    assert rc.preset("mlflow").replace(on_zero_division=0.0) is rc.preset("mlflow")
    assert BLOG.replace(metrics={"map": {"ap-denominator": "hits"}}) is BLOG
    assert BLOG.replace(on_zero_division="skip").replace(on_zero_division=0, name="again") is not BLOG


def test_the_original_stays_as_it_is() -> None:
    [before] = TREC.define("ndcg@3")
    changed = TREC.replace(ties="reversed", gain="binary")
    assert setting(changed, "ndcg@3", "gain") == "binary"
    assert TREC.define("ndcg@3") == [before]
    assert setting(TREC, "ndcg@3", "ties") == "item-descending"
    assert rc.preset("trec_eval") is TREC


def test_a_setting_is_replaced_inside_entries_too() -> None:
    sklearn = rc.preset("sklearn")
    assert [setting(sklearn, spec, "ties") for spec in ("ndcg@3", "map")] == ["expected", "rank(max)"]
    changed = sklearn.replace(ties="reversed")
    assert [setting(changed, spec, "ties") for spec in ("ndcg@3", "map", "lrap")] == ["reversed"] * 3


def test_a_metric_can_be_lent_under_a_name_of_its_own() -> None:
    lent = rc.preset("mllib").replace(metrics={"first_hit": {"is": "mrr"}})
    assert rc.evaluate({"u": ["b"]}, {"u": ["a", "b"]}, "first_hit", lent)["first_hit"] == 0.5


def test_keys_of_an_entry_may_have_underscores_as_conventions_may() -> None:
    written = [rc.preset("mllib").replace(metrics={"ndcg": {key: {"gain": "linear"}}}) for key in ("with_k", "with-k")]
    assert written[0].entries == written[1].entries


@pytest.mark.parametrize("name", ["x" * 5000, f"{'x' * 5000}.yaml", "ranx(ties=given, ties=reversed)"])
def test_odd_names_are_refused(name: str) -> None:
    with pytest.raises(rc.ConventionError):
        rc.preset(name)


def test_a_setting_is_replaced_among_those_with_a_cutoff_too() -> None:
    base = rc.preset("base").replace(metrics={"ndcg": {"with-k": {"gain": "binary", "ideal-cutoff": "none"}}})
    changed = base.replace(gain="exponential")
    assert setting(changed, "ndcg@3", "gain") == setting(changed, "ndcg", "gain") == "exponential"
    assert setting(changed, "ndcg@3", "ideal-cutoff") == "none"


def test_one_metric_alone() -> None:
    changed = TREC.replace(metrics={"ndcg": {"gain": "exponential", "ties": "reversed"}})
    assert (setting(changed, "ndcg@3", "gain"), setting(changed, "dcg", "gain")) == ("exponential", "linear")
    assert (setting(changed, "ndcg@3", "ties"), setting(changed, "map", "ties")) == ("reversed", "item-descending")
    assert changed.define("ndcg_cut_3")[0].key == "ndcg"


def test_a_change_of_one_metric_wins_over_a_change_of_all() -> None:
    changed = BLOG.replace(on_zero_division="skip", metrics={"map": {"on-zero-division": 1}})
    assert (setting(changed, "map@3", "on-zero-division"), setting(changed, "mrr", "on-zero-division")) == ("1", "skip")


def test_conventions_may_be_written_as_python_names() -> None:
    changed = BLOG.replace(ap_denominator="relevant", metrics={"precision": {"precision_denominator": "length"}})
    assert setting(changed, "map@3", "ap-denominator") == "relevant"
    assert setting(changed, "precision@3", "precision-denominator") == "length"


def test_a_metric_is_lent_to_a_preset_that_lacks_it() -> None:
    kaggle = rc.preset("kaggle")
    assert not kaggle.offers("ndcg@3")
    lent = kaggle.replace(metrics={"ndcg": {"gain": "binary"}, "rr": {"is": "reciprocal_rank"}})
    assert (setting(lent, "ndcg@3", "gain"), setting(lent, "ndcg@3", "duplicates")) == ("binary", "once")
    assert lent.metrics == ["map", "ndcg", "rr"]
    assert lent.offers("rr")
    assert not kaggle.offers("ndcg@3")


def test_a_hidden_cutoff_and_other_spellings_may_be_given() -> None:
    changed = BLOG.replace(metrics={"map": {"k": 2, "called": "map_{k}"}})
    assert [one.k for one in changed.define("map") + changed.define("map_7")] == [2, 7]


def test_a_systems_own_name_may_hold_settings() -> None:
    trec = rc.preset("trec_eval")
    level, at = trec.define("iprec_at_recall_0.40")[0], trec.define("Rprec_mult.1.20")[0]
    assert level.settings["recall-level"] == "0.4"
    assert at.settings["r-precision-at"] == "multiple(1.2)"
    assert rc.preset("ranx").define("rbp.95")[0].text == "ranx:rbp(rbp-persistence=0.95)"
    for wrong in ("iprec_at_recall_x", "iprec_at_recall_", "rbp"):
        assert not trec.offers(wrong + "_0")
    with pytest.raises(rc.ConventionError, match=r"1.5 is not a setting of 'recall-level'"):
        trec.define("iprec_at_recall_1.5")


def test_the_change_changes_the_number() -> None:
    labels, run = {"u": ["a", "b"]}, {"u": ["a", "x"]}
    changed = BLOG.replace(ap_denominator="relevant")
    values = [rc.evaluate(labels, run, "map@2", preset=preset)["map@2"] for preset in (BLOG, changed)]
    assert values == [1, 1 / 2]
    assert rc.evaluate(labels, run, "map@2", preset=changed).preset == "blog (modified)"


def test_an_unknown_convention_is_told_the_nearest() -> None:
    with pytest.raises(rc.ConventionError, match=r"'tie' is not a convention\..* Did you mean 'ties'\?"):
        BLOG.replace(tie="expected")
    with pytest.raises(rc.ConventionError, match=r"'gian' is not a convention\..* Did you mean 'gain'\?"):
        BLOG.replace(metrics={"ndcg": {"gian": "linear"}})


def test_an_unknown_setting_is_told_the_nearest() -> None:
    with pytest.raises(rc.ConventionError, match=r"'expectd' is not .* Did you mean 'expected'\?"):
        BLOG.replace(ties="expectd")
    with pytest.raises(rc.ConventionError, match=r"'linaer' is not a gain\..* Did you mean 'linear'\?"):
        BLOG.replace(metrics={"ndcg": {"gain": "linaer"}})


def test_a_change_that_a_metric_cannot_take_is_told_when_it_is_asked_for() -> None:
    changed = TREC.replace(aggregate="mean-of-parts")
    assert setting(changed, "f1", "aggregate") == "mean-of-parts"
    with pytest.raises(
        rc.MetricError, match=r"^trec_eval:map\(aggregate=mean-of-parts\): aggregate=mean-of-parts averages parts, and"
    ):
        changed.define("map")


@pytest.mark.parametrize("metrics", [{"ndgc": {}}, {"best": {"is": "ndgc"}}])
def test_an_unknown_metric_is_told_the_nearest(metrics: dict[str, dict[str, str]]) -> None:
    with pytest.raises(rc.RankconvError, match=r"'ndgc' is not a metric\..* Did you mean 'ndcg'\?"):
        BLOG.replace(metrics=metrics)


def test_a_metric_is_lent_by_the_name_that_presets_use() -> None:
    assert rc.preset("kaggle").replace(metrics={"mrr": {}}).define("mrr@3")[0].metric.name == "reciprocal_rank"


def test_a_convention_that_the_metric_does_not_ask_is_an_error() -> None:
    with pytest.raises(rc.ConventionError):
        BLOG.replace(metrics={"map": {"gain": "linear"}})


def test_a_spec_of_another_preset_is_an_error() -> None:
    with pytest.raises(rc.RankconvError):
        BLOG.define("mllib:ndcg@3")


def test_a_nickname_stands_for_all_its_metrics() -> None:
    trec_eval = rc.preset("trec_eval")
    assert [str(one.requested) for one in trec_eval.define("official")] == [
        str(one.requested) for member in trec_eval.members("official") for one in trec_eval.define(member)
    ]
    for spec in ("official@10", "official(gain=linear)"):
        with pytest.raises(rc.MetricError, match="'official' takes no cutoff"):
            trec_eval.define(spec)
