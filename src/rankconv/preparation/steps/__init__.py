"""The conventions of preparation by what they are about, in the order in which they are listed, and their steps.

May import data, conventions, and the rows and the registry of preparation; the pipeline carries their settings out.
"""

from rankconv.preparation.collapse import COLLAPSE
from rankconv.preparation.registry import Place, judged_by, steps_in_order
from rankconv.preparation.steps.labels import (
    GRADES,
    GRADES_ALLOWED,
    KNOWN,
    NEGATIVE,
    RELEVANT,
    decide_relevant,
    settle_known,
)
from rankconv.preparation.steps.lists import CANDIDATES, DROP, DUPLICATE_LABELS, DUPLICATES, weigh_rows
from rankconv.preparation.steps.ranking import (
    DEPTH,
    LISTS,
    ORDER,
    SCORE_GATE,
    SCORE_WIDTH,
    TIES,
    UNJUDGED,
    put_in_order,
)
from rankconv.preparation.steps.subtopics import GROUP_WEIGHT, GROUPS, UNGROUPED, count_once

OF_LABELS = (GRADES, NEGATIVE, GRADES_ALLOWED, RELEVANT, KNOWN)
"""Together they say what becomes of a label; most settings go by its grade alone."""
OF_GROUPS = (GROUPS, UNGROUPED, GROUP_WEIGHT)
"""Together they say what becomes of labels in groups."""
DESCRIBED = (RELEVANT, KNOWN, GRADES, NEGATIVE, GRADES_ALLOWED, DUPLICATE_LABELS)
"""In the order in which a paper tells what the labels say."""

judged_by(COLLAPSE)
judged_by(*OF_LABELS, DUPLICATE_LABELS, CANDIDATES, DROP, DUPLICATES, ORDER, SCORE_WIDTH, TIES)
judged_by(UNJUDGED, DEPTH, SCORE_GATE, LISTS, *OF_GROUPS)
steps_in_order(
    Place(DUPLICATE_LABELS),
    Place(GRADES),
    Place(NEGATIVE),
    Place(CANDIDATES),
    Place(DROP),
    Place(DUPLICATES, "before-order"),
    Place(DUPLICATES, "weighed", weigh_rows),
    Place(RELEVANT, take=decide_relevant),
    Place(KNOWN, take=settle_known),
    Place(NEGATIVE, "known"),
    Place(GRADES_ALLOWED),
    Place(SCORE_WIDTH),
    Place(ORDER, take=put_in_order),
    Place(UNJUDGED, "before-depth"),
    Place(DEPTH),
    Place(DUPLICATES, "in-depth"),
    Place(UNJUDGED, "after-depth"),
    Place(DUPLICATES, "after-depth"),
    Place(GROUPS, take=count_once),
)
