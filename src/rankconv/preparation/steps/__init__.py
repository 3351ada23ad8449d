"""The conventions of preparation, each in the file of what it is about; importing registers them in the order listed.

May import data, conventions, and the rows and the registry of preparation; the pipeline carries their settings out.
"""

# isort: off
from rankconv.preparation.registry import PREPARATION
from rankconv.preparation.steps.grades import GRADES, GRADES_ALLOWED, NEGATIVE
from rankconv.preparation.steps.relevance import KNOWN, RELEVANT
from rankconv.preparation.steps.duplicate_labels import DUPLICATE_LABELS
from rankconv.preparation.steps.candidates import CANDIDATES
from rankconv.preparation.steps.drop import DROP
from rankconv.preparation.steps.duplicates import DUPLICATES
from rankconv.preparation.steps.order import ORDER, SCORE_WIDTH
from rankconv.preparation.steps.ties import TIES
from rankconv.preparation.steps.unjudged import UNJUDGED
from rankconv.preparation.steps.depth import DEPTH
from rankconv.preparation.steps.scores import SCORE_GATE
from rankconv.preparation.steps.lists import LISTS
from rankconv.preparation.steps.groups import GROUP_WEIGHT, GROUPS, UNGROUPED

__all__ = ["AS_TOLD", "OF_GROUPS", "OF_LABELS", "PREPARATION"]

DESCRIBED = (RELEVANT, KNOWN, GRADES, NEGATIVE, GRADES_ALLOWED, DUPLICATE_LABELS)
"""In the order in which a paper tells what the labels say."""
OF_LABELS = (GRADES, NEGATIVE, GRADES_ALLOWED, RELEVANT, KNOWN)
"""Together they say what becomes of a label; most settings go by its grade alone."""
OF_GROUPS = (GROUPS, UNGROUPED, GROUP_WEIGHT)
"""Together they say what becomes of labels in groups."""
