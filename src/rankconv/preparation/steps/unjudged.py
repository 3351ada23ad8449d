"""What an item without a label is."""

from rankconv.preparation.registry import BLOCK, judged_by, step_after
from rankconv.preparation.rows import WorkingBlock
from rankconv.specs.convention import Context, Convention

UNJUDGED = Convention("unjudged", "Items of the list without a judgment", reads=BLOCK, tells="a row without a label")
step_after("order", UNJUDGED, "before-depth")
step_after("duplicates in-depth", UNJUDGED, "after-depth")


@UNJUDGED.setting(
    "not-relevant", rule="not relevant", rises=True, plain="always", says="an item without a label is not relevant"
)
def _(block: WorkingBlock) -> None:
    """It takes its rank and is no hit."""


@UNJUDGED.setting(
    "condensed-before-depth",
    rule="removed; the places close up",
    when="before-depth",
    says="items without a label are removed before the list is cut",
)
def _(block: WorkingBlock) -> None:
    """Judged items move up before any depth or cutoff is looked at."""
    block.rows.take(block.rows.judged)


@UNJUDGED.setting(
    "condensed-after-depth",
    rule="removed from the rows that the depth left",
    when="after-depth",
    says="items without a label are removed after the list was cut to its depth",
)
def _(block: WorkingBlock) -> None:
    """As trec_eval -J, which cuts at -M first."""
    block.rows.take(block.rows.judged)


@UNJUDGED.idle("each row is a label", by="labels-used")
def _(context: Context) -> bool:
    return bool(context.trait("labels-used", "rows_are_labels"))


@UNJUDGED.idle("rows without a label are removed", by="candidates")
def _(context: Context) -> bool:
    """Unless the labels of some rows are not known."""
    return bool(context.trait("candidates", "labelled_only")) and not context.trait("labels-used", "relevant_only")


judged_by(UNJUDGED)
