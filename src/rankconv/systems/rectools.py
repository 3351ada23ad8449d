"""Settings of RecTools."""

from rankconv.preparation.steps.relevance import KNOWN


@KNOWN.setting(
    "outer-join",
    rule="one label for each pair of a label and a row of its item",
    labels_of_rows=True,
    cite="rectools",
    plain="distinct lists",
    says="a label is known once for each row that holds its item, and once if none does",
)
def _() -> str:
    """As an outer join of labels and list has them: the label of an item that is repeated is repeated."""
    return "joined"
