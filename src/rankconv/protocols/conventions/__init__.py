"""The conventions of protocols. Importing this registers them, in the order in which they are carried out."""

from rankconv.protocols.conventions import evaluated, rows
from rankconv.protocols.draws import add_rating_conventions

add_rating_conventions(
    rows.REPEATED,
    evaluated.GENERALIZATION,
    evaluated.LEAST_RATINGS,
    evaluated.TOO_FEW,
    evaluated.TESTED,
    rows.ORDER,
    rows.HELD_OUT,
    rows.VALIDATION,
    rows.GIVEN,
    evaluated.COLD_USERS,
    rows.COLD_ITEMS,
    rows.AGAIN,
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
