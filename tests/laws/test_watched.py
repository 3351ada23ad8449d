"""What a rename or a move could change in silence: bits of numbers, orders, chance."""

from hashlib import blake2b

import pytest

import rankconv as rc
from rankconv.aggregation import DATA_POLICIES as OF_DATA
from rankconv.aggregation import POLICIES as OF_USERS
from rankconv.aggregation import PREPARED_DATA_POLICIES
from rankconv.aggregation.special_case import AND
from rankconv.metrics import METRICS
from tests.laws.watched import digests, record

POLICIES = """
on-invalid on-not-in-labels on-not-in-run on-no-ranking on-nothing-judged on-empty-ranking
on-too-few-rows on-short-ranking on-unjudged on-undetermined on-equal-or-zero-scores on-no-labels
on-no-relevant on-zero-grade-sum on-few-relevant on-several-relevant
on-no-non-relevant on-no-hits on-unretrieved-relevant on-negative-denominator on-above-one on-zero-value
on-nonzero-over-zero on-zero-division
""".split()
"""The first of these that holds for a user decides."""
DATA_POLICIES = """
on-no-labels-at-all on-one-user on-no-rows-at-all on-k-beyond-rankings on-k-beyond-ranks
on-k-beyond-ranks-with-relevant on-zero-highest-grades on-no-hits-at-all on-one-user-with-relevant
on-no-relevant-at-all on-no-hits-within-k-at-all
""".split()
IN_ORDER = """
precision recall f hit_rate hit_count r_precision distance_recall average_precision reciprocal_rank cg dcg ideal_dcg
ndcg scaled_dcg
gain_mean discounted_gain err pfound rbp rbp_residual cwl auc label_ranking_loss pr_auc auc_extrapolated auc_by_rank
auc_of_ranked partial_auc roc_range_auc percentile_rank candidate_percentile bpref inferred_ap judged_share
unjudged_share
interpolated_precision eleven_point work_saved
bin_g g_measure ndcg_rel rndcg compat set_map utility yaap fall_out accuracy mcc
count first_rank coverage_error mean_position summed_over_ranks summed_over_table popularity novelty new_to_user
diversity category_share serendipity coverage relevant_coverage items_shown gini entropy personalisation
alpha_dcg alpha_ndcg err_ia nrbp relevant_rank rank_statistic group_share group_fairness awrf fair_ndcg
expected_exposure item_exposure nugget_recall highest_gain grade_tau jaccard
"""
DIVIDED = {
    "base": "51d140a01688",
    "fastml": "e01f72965c71",
    "koren2008": "aa36aafc5f53",
    "leave-one-out": "6c7b542ccb36",
    "lenskit-crossfold": "90bc4cc51851",
    "recbole-default": "7ad2963f21e0",
    "rectools-time": "f873ec43ee1d",
}
"""A digest of what each protocol makes of the same ratings."""


def divided(name: str) -> str:
    """A digest of the parts that a protocol makes of the same ratings: who is drawn, and what is held out."""
    rows = [
        (f"u{user}", f"i{(user * 7 + place * 3) % 101}", 1 + (user + place) % 5, 86_400 * (2 * place + user % 40))
        for user in range(120)
        for place in range(3 + user % 30)
    ]
    split = rc.protocol(name).split(rows, seed=5)
    parts = {what: sorted(map(str, frame.rows())) for what, frame in split.to_frames().items()}
    return blake2b(repr(parts).encode(), digest_size=6).hexdigest()


def test_no_bit_of_a_number_changes() -> None:
    found, recorded = digests(), record()
    changed = [
        f"{name}:{spec}"
        for name in recorded
        for spec in recorded[name]
        if found.get(name, {}).get(spec) != recorded[name][spec]
    ]
    assert not changed, f"{len(changed)} numbers: {', '.join(changed[:20])}"
    assert {name: [*each] for name, each in found.items()} == {name: [*each] for name, each in recorded.items()}


def test_policies_are_asked_in_one_order() -> None:
    assert [policy for policy in OF_USERS if AND not in policy] == POLICIES
    assert [*OF_DATA, *PREPARED_DATA_POLICIES] == DATA_POLICIES


def test_metrics_are_listed_in_one_order() -> None:
    assert list(METRICS) == IN_ORDER.split()


@pytest.mark.parametrize("name", DIVIDED)
def test_chance_draws_the_same(name: str) -> None:
    assert divided(name) == DIVIDED[name]
