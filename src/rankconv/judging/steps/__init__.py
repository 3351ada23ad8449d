"""The questions of judging, each in the file of what it is about; importing registers them in the order told.

May import data, questions, and the rows and the registry of judging; the pipeline carries their answers out.
"""

# isort: off
from rankconv.judging.registry import JUDGING
from rankconv.judging.steps.grades import GRADES, GRADES_ALLOWED, NEGATIVE
from rankconv.judging.steps.relevance import KNOWN, RELEVANT
from rankconv.judging.steps.duplicate_labels import DUPLICATE_LABELS
from rankconv.judging.steps.candidates import CANDIDATES
from rankconv.judging.steps.drop import DROP
from rankconv.judging.steps.duplicates import DUPLICATES
from rankconv.judging.steps.order import ORDER, SCORE_WIDTH
from rankconv.judging.steps.ties import TIES
from rankconv.judging.steps.unjudged import UNJUDGED
from rankconv.judging.steps.depth import DEPTH
from rankconv.judging.steps.scores import REGROUP, SCORE_GATE
from rankconv.judging.steps.lists import LISTS
from rankconv.judging.steps.groups import GROUP_WEIGHT, GROUPS, UNGROUPED

__all__ = ["AS_TOLD", "JUDGING", "OF_GROUPS", "OF_LABELS"]

AS_TOLD = (RELEVANT, KNOWN, GRADES, NEGATIVE, GRADES_ALLOWED, DUPLICATE_LABELS)
"""In the order in which a paper tells what the labels say."""
OF_LABELS = (GRADES, NEGATIVE, GRADES_ALLOWED, RELEVANT, KNOWN)
"""Together they say what becomes of a label; most answers go by its grade alone."""
OF_GROUPS = (GROUPS, UNGROUPED, GROUP_WEIGHT)
"""Together they say what becomes of labels in groups."""
