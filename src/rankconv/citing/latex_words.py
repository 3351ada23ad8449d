r"""Every metric as LaTeX of one user's value. Answers and the cutoff stand between « and »."""

HITS_WORTH = r"\sum_{j=1}^{«K»} «hit-worth»"
HITS = r"\sum_{j=1}^{«K»} r_j"
DCG = r"\sum_{j=1}^{«K»} \frac{«gain»}{«discount»}"
IDEAL_DCG = r"\sum_{j=1}^{«I»} \frac{«ideal gain»}{«discount»}"
PRECISIONS = r"\sum_{j=1}^{«K»} r_j P_j"
READ_ON = r"\prod_{i=1}^{j-1}"

METRICS: dict[str, str] = {
    "precision": rf"\frac{{{HITS_WORTH}}}{{«precision-denominator»}}",
    "recall": rf"\frac{{{HITS_WORTH}}}{{«recall-denominator»}}",
    "f": r"\frac{(1 + b) P R^{*}}{b P + R^{*}}, \quad b = «beta-enters», \quad "
    rf"P = \frac{{{HITS_WORTH}}}{{«precision-denominator»}}, \quad "
    rf"R^{{*}} = \frac{{{HITS_WORTH}}}{{«recall-denominator»}}",
    "hit_rate": rf"\min\left(1, {HITS}\right)",
    "hit_rate(hit-by=grade-sum)": r"\mathbf{1}\left[\sum_{j=1}^{«K»} g_j > 0\right]",
    "hit_count": HITS_WORTH,
    "r_precision": r"\frac{1}{«r-precision-denominator»} \sum_{j=1}^{\rho} r_j, \quad \rho = «r-precision-at»",
    "average_precision": rf"\frac{{{PRECISIONS}}}{{«ap-denominator»}}",
    "reciprocal_rank": r"\max_{1 \leq j \leq «K»} \frac{r_j}{j}",
    "reciprocal_rank(rr-over=hits)": rf"\frac{{\sum_{{j=1}}^{{«K»}} r_j / j}}{{{HITS}}}",
    "reciprocal_rank(rr-over=relevant)": r"\frac{1}{R} \sum_{j=1}^{«K»} \frac{r_j}{j}",
    "reciprocal_rank(rr-over=sum)": r"\sum_{j=1}^{«K»} \frac{r_j}{j}",
    "cg": r"\sum_{j=1}^{«K»} «gain»",
    "dcg": DCG,
    "ideal_dcg": IDEAL_DCG,
    "ndcg": rf"\frac{{{DCG}}}{{{IDEAL_DCG}}}",
    "ndcg(lower-bound=worst)": rf"\frac{{{DCG} - W}}{{{IDEAL_DCG} - W}}",
    "scaled_dcg": rf"\frac{{{DCG}}}{{\sum_{{j=1}}^{{«k»}} 1 / «discount»}}",
    "gain_mean": r"\frac{\sum_{j=1}^{«K»} «gain»}{«gain-denominator»}",
    "discounted_gain": r"\frac{«gain»}{«discount»}, \quad j = «K»",
    "err": rf"\sum_{{j=1}}^{{«K»}} \frac{{«gain»}}{{j}} {READ_ON} (1 - «gain above»)",
    "pfound": rf"\sum_{{j=1}}^{{«K»}} «gain» {READ_ON} «decay» (1 - «gain above»)",
    "rbp": r"(1 - p) \sum_{j=1}^{«K»} p^{j-1} «scaled gain», \quad p = «persistence»",
    "rbp(rbp-norm=ideal)": r"\frac{\sum_{j=1}^{«K»} p^{j-1} «scaled gain»}{\sum_{j=1}^{\min(R, «rows»)} p^{j-1}}, "
    r"\quad p = «persistence»",
    "rbp_residual": r"p^{«rows»} + (1 - p) \sum_{j=1}^{«rows»} p^{j-1} (1 - q_j), \quad p = «persistence»",
    "auc": r"\frac{1}{\left|C\right|} \sum_{(a, b) \in C} \left(\mathbf{1}[s_a > s_b] + «tied-pairs» \cdot "
    r"\mathbf{1}[s_a = s_b]\right)",
    "auc(tied-pairs=by-place)": r"\frac{1}{\left|C\right|} \sum_{(a, b) \in C} \mathbf{1}[j_a < j_b]",
    "label_ranking_loss": r"\frac{1}{\left|C\right|} \sum_{(a, b) \in C} \mathbf{1}[s_a \leq s_b]",
    "pr_auc": r"\int_0^1 P(\rho) \, d\rho",
    "auc_extrapolated": r"\frac{\sum_{j=1}^{«rows»} (1 - r_j) H_j + \frac{H + R}{2} (N - R - («rows» - H))}{R (N - R)}"
    rf", \quad H = {HITS}",
    "auc_by_rank": r"\frac{1}{R} \sum_{j=1}^{«K»} r_j \left(1 - \frac{j - H_j}{N - R}\right)",
    "auc_of_ranked": r"\frac{1}{«auc-denominator»} \sum_{j=1}^{«K»} r_j \frac{N' - j + H_j}{N'}, \quad N' = N - R + 1",
    "partial_auc": r"\frac{\sum_{j=1}^{n} r_j \max(0, «k» - j + H_j) \mathbf{1}[H_j \leq «positives»]}"
    r"{«k» \cdot «positives»}",
    "percentile_rank": r"\frac{100}{R} \sum_{i=1}^{R} \frac{j_i - 1}{N}",
    "bpref": r"\frac{1}{R} \sum_{j=1}^{«K»} r_j \left(1 - \frac{\min(m_j, R)}{«bpref-denominator»}\right)",
    "inferred_ap": r"\frac{1}{R} \sum_{j=1}^{«K»} r_j \left(\frac{1}{j} + \frac{d_j}{j} \cdot "
    r"\frac{H_{j-1} + \epsilon}{H_{j-1} + m_j + 2 \epsilon}\right), \quad \epsilon = 10^{-5}",
    "judged_share": r"\frac{\sum_{j=1}^{«K»} q_j}{«unjudged-denominator»}",
    "unjudged_share": r"\frac{\sum_{j=1}^{«rows»} (1 - q_j)}{«unjudged-denominator»}",
    "interpolated_precision": r"\max_{t \leq j \leq «K»} P_j, \quad t = \min\{j : H_j \geq «hits wanted»\}",
    "interpolated_precision(interpolation=none)": r"P_t, \quad t = \min\{j : H_j \geq «hits wanted»\}",
    "eleven_point": r"\frac{1}{11} \sum_{i=0}^{10} \max_{t_i \leq j \leq «K»} P_j, \quad "
    r"t_i = \min\{j : H_j \geq «hits wanted»\}, \quad x = \frac{i}{10}",
    "bin_g": r"\frac{1}{R} \sum_{j=1}^{«K»} \frac{r_j}{\log_{2}(2 + j - H_j)}",
    "g_measure": r"\frac{1}{\sum_{i} g^{*}_i} \sum_{j=1}^{«K»} \frac{g_j}{\log_{2}\left(2 + \sum_{i=1}^{j} "
    r"(\max(g^{*}_i, 1) - g_i)\right)}",
    "ndcg_rel": r"\frac{1}{L} \sum_{i=1}^{L} \frac{D_{j_i}}{D^{*}_{j_i}}",
    "rndcg": r"\frac{1}{\left|J\right|} \sum_{j \in J} \frac{D_{j-1}}{D^{*}_{j-1}}",
    "compat": r"\frac{\sum_{j} p^{j-1} \left|A_j \cap A^{*}_j\right| / j}"
    r"{\sum_{j} p^{j-1} \left|A^{*}_j\right| / j}, \quad p = «compat-weight»",
    "set_map": rf"\frac{{\left({HITS}\right)^2}}{{«rows» R}}",
    "utility": r"\sum_{j=1}^{«rows»} (2 r_j - 1)",
    "yaap": rf"\ln \frac{{1 + S}}{{1 + R - S}}, \quad S = {PRECISIONS}",
    "fall_out": r"\frac{\sum_{j=1}^{«rows»} (1 - r_j)}{\bar{R}}",
    "accuracy": rf"\frac{{H + (N - «k» - R + H)}}{{N}}, \quad H = {HITS}",
    "mcc": r"\frac{TP \cdot TN - FP \cdot FN}{\sqrt{(TP + FP)(TP + FN)(TN + FP)(TN + FN)}}, \quad "
    rf"TP = {HITS}, \quad FP = «k» - TP, \quad FN = R - TP, \quad TN = N - «k» - FN",
    "count": "«rows»",
    "count(of=relevant)": "R",
    "count(of=hits)": HITS,
    "count(of=judged-non-relevant)": r"\sum_{j=1}^{«K»} q_j (1 - r_j)",
    "count(of=users)": "1",
    "first_rank": r"\min\{j \leq «K» : r_j = 1\}",
    "coverage_error": r"\max\{j \leq «K» : r_j = 1\}",
    "mean_position": r"\frac{\sum_{j=1}^{«K»} j \, g_j}{\sum_{j=1}^{«K»} g_j}",
    "summed_over_ranks": r"\frac{\sum_{j=1}^{«k»} «term»}{«ap-denominator»}",
    "summed_over_table": r"\frac{\sum_{j=1}^{«k»} \ell_j «term»}{«ap-denominator»}",
}
"""A variant under one answer stands under its spec."""

ANSWERS: dict[str, dict[str, str]] = {
    "gain": {
        "grade": "g_j",
        "exponential": r"\left(2^{g_j} - 1\right)",
        "binary": "r_j",
        "exponential-above-level": r"r_j \left(2^{g_j - l + 1} - 1\right)",
        "share": r"\frac{\min(g_j, «highest»)}{«highest»}",
        "exponential-share": r"\frac{2^{g_j} - 1}{2^{«highest»}}",
        "table": "G(g_j)",
    },
    "discount": {"log": r"«log»(j + «shift»)", "log-from-base": r"\max(1, «log» j)", "reciprocal": "j"},
    "hit-worth": {"one": "r_j", "grade": "r_j g_j"},
    "beta-enters": {"squared": "«beta»^2", "plain": "«beta»"},
    "bpref-denominator": {"min": r"\min(R, \bar{R})", "relevant": "R"},
    "tied-pairs": {"half": r"\frac{1}{2}", "wrong": "0"},
    "term": {"precision": "P_j", "recall": r"\frac{H_j}{R}"},
    "hits wanted": {
        "nearest": r"\lfloor «x» R + 0.5 \rfloor",
        "up-0.9": r"\lfloor «x» R + 0.9 \rfloor",
        "up": r"\lceil «x» R \rceil",
    },
    "positives": {"all": "R", "first-k": r"\min(«k», R)"},
    "scaled gain": {"none": "«gain»", "highest-grade": r"\frac{«gain»}{\max(1, g^{*}_1)}"},
}
"""What the answers are in a formula."""

DIVISORS = {
    "k": "«k»",
    "length": "n",
    "relevant": "R",
    "hits": r"\sum_{j=1}^{«K»} r_j",
    "labels-above": "R_{> «level»}",
    "relevant-grades": r"\sum_{i} r^{*}_i g^{*}_i",
    "one": "1",
    "rank-read": r"\rho",
    "last-hit": r"\max\{j : r_j = 1\}",
    "multiple": r"\lfloor «of» R + 0.9 \rfloor",
}

MEANS = {
    "arithmetic": r"\frac{1}{\left|U\right|} \sum_{u \in U} m_u",
    "geometric": r"\exp\left(\frac{1}{\left|U\right|} \sum_{u \in U} \ln \max(m_u, «floor»)\right)",
    "median": r"\mathrm{median}_{u \in U} \, m_u",
    "minimum": r"\min_{u \in U} m_u",
    "maximum": r"\max_{u \in U} m_u",
    "sum": r"\sum_{u \in U} m_u",
    "ratio-of-sums": r"\frac{\sum_{u \in U} a_u}{\sum_{u \in U} b_u}, \quad m_u = \frac{a_u}{b_u}",
    "weighted": r"\frac{\sum_{u \in U} w_u m_u}{\sum_{u \in U} w_u}",
    "of-parts": r"\frac{(1 + b) \bar{P} \bar{R}^{*}}{b \bar{P} + \bar{R}^{*}}",
}

SYMBOLS: dict[str, str] = {
    "r_j": "1 if the item at rank j is relevant, else 0",
    "g_j": "the grade of the item at rank j",
    r"r^{*}_j": "the same of the ideal list",
    r"g^{*}_j": "the grade at rank j of the ideal list",
    "q_j": "1 if the item at rank j is judged, else 0",
    "P_j": "the precision of the first j ranks",
    "H_j": "the number of relevant items in the first j ranks",
    "m_j": "the number of judged items above rank j that are not relevant",
    "d_j": "the number of items above rank j that were pooled",
    r"\ell_j": "1 if the row of the first j ranks that was given last is relevant, else 0",
    "n": "the length of the list",
    "R": "the number of relevant labels",
    r"\bar{R}": "the number of labels that are not relevant",
    "N": "the number of items in the catalogue",
    "L": "the number of labels with a gain",
    "I": "the length of the ideal list",
    "l": "the level of relevance",
    "G": "the gain of a grade",
    "W": "the DCG of the worst list",
    "C": "the pairs (a, b) compared, a being the better one",
    "s_a": "the score of row a",
    "j_a": "the rank of row a",
    "j_i": "the rank of the item of label i",
    "D_j": "the DCG of the first ranks of the list",
    "D^{*}_j": "that of the ideal list",
    "J": "the ranks at which the gain of the ideal list changes",
    "A_j": "the first j items of the list",
    r"A^{*}_j": "those of the ideal list",
    r"P(\rho)": r"the precision at recall \rho",
}
"""What stands in a formula, and what it means."""

STANDS_AS = {"D_j": "D_{j", "D^{*}_j": "D^{*}_{j"}
"""How a sign stands in formulas, where its index is another one there."""
