r"""What formulas share: sums that several metrics have, and the signs of lists and labels.

In the TeX of a metric or a setting, what depends on the definition is between « and »: a convention («gain»), a
parameter of the setting («base»), or the cutoff: «K» down to which the list is read, «k» in divisors, «rows» and
«shorter», which are these or the length of the list, whichever is less. A missing cutoff is n, or what is after
a bar («k|I»). «gain:i» is the gain at rank i in place of j, «gain:*» that of the ideal list.
"""

from collections.abc import Mapping

HITS_WORTH = r"\sum_{j=1}^{«K»} «hit-weight»"
HITS = r"\sum_{j=1}^{«K»} r_j"
MISSES = r"\sum_{j=1}^{«rows»} (1 - r_j)"
DCG_OF_LIST = r"\sum_{j=1}^{«K»} \frac{«gain»}{«discount»}"
DCG_OF_IDEAL = r"\sum_{j=1}^{«ideal-cutoff»} \frac{«ideal»}{«discount»}"
PRECISIONS = r"\sum_{j=1}^{«K»} r_j P_j"
READ_ON = r"\prod_{i=1}^{j-1}"

HIT_CHANCE = r"\min\left(1, \frac{h_j}{t_j - i_j + 1}\right)"

SIGNS: Mapping[str, str] = {
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
    "I": "the length of the ideal list",
    "s_a": "the score of row a",
    "j_a": "the rank of row a",
    "G_j": "the gain down to rank j and with it",
    r"\nu^{*}_j": "what the item at rank j adds to the ideal list",
    "I_L": "the number of different items in the lists",
}
"""What the signs of lists and labels mean; a metric or a setting says next to its TeX what its own ones do."""

OF_TIES: Mapping[str, str] = {
    "t_j": "the number of items that are tied with the one at rank j, itself included",
    "h_j": "the number of relevant ones among them",
    "i_j": "the place of rank j among their ranks, from 1",
    "A_j": "the number of relevant items above all of them",
    "c_j": "the probability of a relevant item at rank j if there is none above",
}
"""What the signs of expected values over all orders of tied items mean."""
