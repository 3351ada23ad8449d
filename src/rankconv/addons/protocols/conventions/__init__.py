"""The conventions of protocols. Importing this registers them, in the order in which they are carried out."""

from rankconv.addons.protocols.conventions import evaluated, hidden_rows
from rankconv.addons.protocols.draws import add_rating_conventions

add_rating_conventions(
    hidden_rows.REPEATED,
    evaluated.GENERALIZATION,
    evaluated.LEAST_RATINGS,
    evaluated.TOO_FEW,
    evaluated.TESTED,
    hidden_rows.ORDER,
    hidden_rows.HELD_OUT,
    hidden_rows.VALIDATION,
    hidden_rows.GIVEN,
    evaluated.COLD_USERS,
    hidden_rows.COLD_ITEMS,
    hidden_rows.AGAIN,
    evaluated.LOOKED_FOR,
    evaluated.RELEVANCE,
    evaluated.CASES,
    evaluated.ITEMS,
    evaluated.CANDIDATES,
    evaluated.SEEN,
    evaluated.NO_POSITIVES,
    evaluated.LEAST_USERS,
    evaluated.CURVE_MEAN,
)
