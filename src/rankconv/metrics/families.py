"""The families of metrics that are imported when one of their names is looked up, in the order of all lists."""

from typing import NamedTuple

from rankconv.conventions.convention import CONVENTIONS, TABLES
from rankconv.metrics.base import METRICS, SPELLINGS


class MetricFamily(NamedTuple):
    """What a module, or a package, registers: names with blanks between them."""

    module: str
    metrics: str = ""
    """Each followed by what else spells it: `auc/roc_auc`."""
    conventions: str = ""
    tables: str = ""

    @property
    def spellings(self) -> dict[str, list[str]]:
        """What else spells each metric, by its name."""
        words = [one.split("/") for one in self.metrics.split()]
        return {name: others for name, *others in words}


FAMILIES = (
    MetricFamily("reader", "err pfound rbp rbp_residual", "pfound-decay rbp-persistence rbp-scale rbp-norm"),
    MetricFamily("continuation", conventions="cwl-continuation"),
    MetricFamily("cwl", "cwl", "cwl-max-rank cwl-last-rank cwl-weight-norm cwl-measure cwl-unjudged-gain"),
    MetricFamily("auc", "auc/roc_auc label_ranking_loss", "auc-tied-pairs auc-pairs auc-direction auc-weight"),
    MetricFamily("pr_auc", "pr_auc", "pr-interpolation"),
    MetricFamily(
        "auc_by_rank",
        "auc_extrapolated auc_by_rank auc_of_ranked partial_auc roc_range_auc percentile_rank candidate_percentile",
        "auc-denominator partial-auc-positives roc-range roc-scale",
    ),
    MetricFamily(
        "judged",
        "bpref inferred_ap/infap judged_share/judged unjudged_share/hole interpolated_precision/iprec "
        "eleven_point/11pt",
        "bpref-denominator bpref-none-above bpref-zero-division judged-denominator judged-scope recall-level "
        "recall-rounding interpolation",
    ),
    MetricFamily("against_ideal", "bin_g g_measure ndcg_rel rndcg compat", "compat-persistence compat-order"),
    MetricFamily(
        "sets",
        "set_map utility yaap fall_out accuracy mcc count first_rank coverage_error mean_position summed_over_ranks "
        "summed_over_table",
        "count-of summand",
    ),
    MetricFamily(
        "beyond",
        "popularity/arp novelty/miuf new_to_user diversity/ild category_share serendipity coverage/item_coverage "
        "items_shown gini/gini_index entropy/shannon_entropy personalisation/personalization",
        "row-denominator row-weight item-count popularity unseen-item item-novelty novelty-rows pair-distance "
        "unknown-pair pair-value pair-denominator category-denominator serendipity-kind serendipity-sum coverage-of "
        "coverage-denominator gini-items gini-denominator gini-form entropy-of entropy-log entropy-denominator "
        "list-overlap",
        tables="item-number",
    ),
    MetricFamily("subtopic_ideals", conventions="subtopic-ideal"),
    MetricFamily("alpha_ndcg", "alpha_dcg alpha_ndcg err_ia nrbp", "subtopic-alpha nrbp-patience"),
    MetricFamily(
        "relevant_ranks",
        "relevant_rank rank_statistic",
        "competing-rows rank-value rank-statistic rank-adjustment pair-weight",
    ),
)

for _family in FAMILIES:
    _module = f"rankconv.metrics.{_family.module}"
    METRICS.defer(_module, _family.spellings)
    CONVENTIONS.defer(_module, _family.conventions.split())
    TABLES.defer(_module, _family.tables.split())
    SPELLINGS |= {word: name for name, words in _family.spellings.items() for word in words}
