"""What a paper is told: worked examples, results, and what plugins add."""

from pathlib import Path

import pytest

import rankconv as rc
from rankconv.evaluation.citing.paragraph import paragraph

LABELS = {"ada": {"a": 2}, "bob": {"b": 0}, "eve": {"c": 1}}
RUN = {"ada": ["a"], "eve": ["x", "c"], "kim": ["y"]}


def test_one_paragraph_word_by_word() -> None:
    definition = rc.preset("mllib").definition("ndcg", (), 10)
    assert paragraph(definition) == (
        "A label is relevant if its grade is above 0; only the relevant labels are used; a negative grade is a grade "
        "like any other; of several labels for one item the last counts. Every occurrence of a repeated item counts; "
        "lists are evaluated in the order given; an item without a label is not relevant. The nDCG of a user is the "
        "sum of the discounted gains of the items in the first 10 ranks (DCG), divided by that of an ideal list, where "
        "a relevant item gains 1 and any other 0; the gain at rank j is divided by ln(j + 1); the ideal list holds all "
        "labels used, by falling gain; the ideal list is cut at rank 10. All users of the labels or of the rankings "
        "are evaluated; a user who has no relevant label or has a value of 0/0 counts as 0. The reported number is the "
        "arithmetic mean over the users counted; it is NaN if no user counts. There is no conversion of grades, limit "
        "on grades, item added to a list, item taken out beforehand, other limit of depth, change of scores, threshold "
        "on scores, pooling of lists, lower bound, rounding of a user's value or rounding of the mean, and no other "
        "policy applies to a user or to the data as a whole."
    )


@pytest.mark.parametrize(
    ("spec", "formula"),
    [
        ("mllib:map@10", r"\frac{\sum_{j=1}^{10} r_j P_j}{\min(10, R)}"),
        ("mllib:map", r"\frac{\sum_{j=1}^{n} r_j P_j}{R}"),
        ("blog:precision@3", r"\frac{\sum_{j=1}^{3} r_j}{3}"),
        (
            "rankconv:dcg(gain=exponential, discount=log(base=e))@3",
            r"\mathrm{E}\left[\sum_{j=1}^{3} \frac{\left(2^{g_j} - 1\right)}{\ln (j + 1)}\right]",
        ),
        (
            "rankconv:rbp(rbp-persistence=0.5, gain=linear)",
            r"\mathrm{E}\left[(1 - p) \sum_{j=1}^{n} p^{j-1} g_j\right], \quad p = 0.5",
        ),
    ],
)
def test_formulas_by_hand(spec: str, formula: str) -> None:
    assert rc.cite(spec).cited[0].formula == f"m = {formula}"


@pytest.mark.parametrize(
    ("mean", "formula"),
    [
        ("geometric-mean(floor=0.1)", r"\exp\left(\frac{1}{\left|U\right|} \sum_{u \in U} \ln \max(m_u, 0.1)\right)"),
        ("sum", r"\sum_{u \in U} m_u"),
    ],
)
def test_means_by_hand(mean: str, formula: str) -> None:
    assert rc.cite(f"recall(aggregate={mean})@5").cited[0].mean_formula == f"M = {formula}"


def test_a_result_says_who_was_counted() -> None:
    result = rc.evaluate(LABELS, RUN, ["recall@1", "mllib:recallAt(1)"])
    ours, theirs = result.methods()
    left_out = "2 were scored, 1 was left out of the mean (no relevant label) and 1 was not evaluated"
    assert f"The number is 0.5; of 4 users, {left_out}." in ours.paragraph
    as_zero = "2 were scored and 2 were counted as 0 (no relevant label)"
    assert f"The number is 0.25; of 4 users, {as_zero}." in theirs.paragraph
    assert [one.definition.text for one in result.methods("recall@1")] == ["rankconv:recall@1"]
    with pytest.raises(rc.MetricError, match="was not evaluated"):
        result.methods("map")


def test_a_number_that_is_refused_says_why() -> None:
    result = rc.evaluate(LABELS, RUN, "trec_eval:map", on_error="collect")
    (one,) = result.methods()
    assert "There is no number for these data: topic 'bob' has no ranked row in the input" in one.paragraph


def test_a_loaded_result_says_the_same(tmp_path: Path) -> None:
    specs = [
        "trec_eval@9.0.8:ndcg_cut_5",
        "rankconv:ndcg(gain=exponential, discount=log(base=e))@5",
        "implicit:precision",
        "map",
    ]
    result = rc.evaluate(LABELS, RUN, specs)
    result.save(tmp_path / "a.json")
    assert rc.Result.load(tmp_path / "a.json").methods().to_dict() == result.methods().to_dict()


def test_changed_settings_are_named() -> None:
    (one,) = rc.cite("mllib:ndcg(gain=exponential)@10")
    assert one.paragraph.startswith(
        "nDCG@10 is computed as the rankconv preset mllib (Apache Spark MLlib, RankingMetrics, version 4.3.0) "
        "defines it, but with gain=exponential. "
    )


def test_every_form_holds_paragraph_formula_and_sources() -> None:
    told = rc.cite(["trec_eval:map", "mllib:map"])
    for one in told:
        for form in (told.to_markdown(), told.to_latex(), told.to_text()):
            assert one.formula in form
            assert one.fingerprint in form
    assert told.to_markdown().count("```bibtex") == 1
    assert r"~\cite{trec_eval-10, manning2008, rankconv}" in told.to_latex()
    assert told.to_bibtex().count("@misc{rankconv,") == 1
    data = told.to_dict()[0]
    assert data["settings"]["ties"] == {
        "setting": "item-descending",
        "words": "items of equal score are ordered by their ids as text, falling",
    }
    assert set(data["settings"]) == {name for name in told.cited[0].definition.settings if "-and-on-" not in name}
    assert all(setting["words"] for setting in data["settings"].values())


def test_what_a_plugin_adds_is_told_by_its_rule() -> None:
    convention = rc.convention("gain")

    @convention.setting("cubic", rule="g^3")
    def _(grades):  # type: ignore[no-untyped-def]
        """More than exponential, for grades below 2."""
        return grades**3

    try:
        (one,) = rc.cite("dcg(gain=cubic)@3")
        assert "where gain is cubic (g^3);" in one.paragraph
        assert one.formula == r"m = \mathrm{E}\left[\sum_{j=1}^{3} \frac{\mathrm{gain}(g_j)}{\log_{2}(j + 1)}\right]"
    finally:
        del convention.setting_types["cubic"]


def test_a_preset_of_ones_own_has_the_metrics_source_and_us(tmp_path: Path) -> None:
    (tmp_path / "shop.yaml").write_text(
        "name: shop\ntitle: Our shop\nextends: base\nmetrics:\n  map: {is: average_precision}\n"
    )
    told = rc.cite("map@3", tmp_path / "shop.yaml")
    assert [source.key for source in told.cited[0].sources] == ["manning2008"]
    assert told.to_bibtex().split("\n\n")[1].startswith("@misc{rankconv,")
    assert told.cited[0].paragraph.startswith("MAP@3 is computed as the rankconv preset shop (Our shop) defines it. ")


def test_one_list_of_all_users_has_no_mean() -> None:
    text = paragraph(rc.preset("recbole").definition("auc"))
    assert "the lists of all users are merged into one, by falling score. The AUC of that list is " in text
    assert "The reported number is the value of that one list; it is NaN if no user counts." in text
    assert "arithmetic" not in text


def test_of_settings_papers_alone_are_cited() -> None:
    assert [source.key for source in rc.cite("trec_eval@9.0.8:map").cited[0].sources] == ["trec_eval-9", "manning2008"]
    assert "mcsherry2008" in [source.key for source in rc.cite("ndcg(ties=expected, order=score)").cited[0].sources]
