"""The conventions of preparation by what they are about, in the order in which they are listed, and their steps.

May import data, conventions, and the rows and the registry of preparation; the pipeline carries their settings out.
"""

from rankconv.preparation.collapse import COLLAPSE
from rankconv.preparation.searches import CALLS
from rankconv.preparation.step_registry import StepPlace, prepared_by, steps_in_order
from rankconv.preparation.steps.labels import (
    GRADES,
    GRADES_ALLOWED,
    LABELS_USED,
    NEGATIVE,
    RELEVANT,
    decide_relevant,
    settle_known,
)
from rankconv.preparation.steps.lists import CANDIDATES, DUPLICATE_LABELS, DUPLICATES, EXCLUDE, weigh_rows
from rankconv.preparation.steps.ranking import (
    MAX_DEPTH,
    MIN_SCORE,
    ORDER,
    SCOPE,
    SCORE_DTYPE,
    TIES,
    UNJUDGED,
    put_in_order,
)
from rankconv.preparation.steps.spans import SPAN_MATCH, SPAN_UNIT, cut_spans, match_spans
from rankconv.preparation.steps.subtopics import NO_SUBTOPIC, SUBTOPIC_WEIGHT, SUBTOPICS, count_once
from rankconv.preparation.word_numbers import GRADE_WORDS, SCORE_WORDS

OF_LABELS = (GRADES, NEGATIVE, GRADES_ALLOWED, RELEVANT, LABELS_USED)
"""Together they say what becomes of a label; most settings go by its grade alone."""
OF_GROUPS = (SUBTOPICS, NO_SUBTOPIC, SUBTOPIC_WEIGHT)
"""Together they say what becomes of labels in groups."""
DESCRIBED = (RELEVANT, LABELS_USED, GRADES, NEGATIVE, GRADES_ALLOWED, DUPLICATE_LABELS)
"""In the order in which a paper tells what the labels say."""

prepared_by(CALLS, GRADE_WORDS, SCORE_WORDS, COLLAPSE, SPAN_UNIT, SPAN_MATCH)
prepared_by(*OF_LABELS, DUPLICATE_LABELS, CANDIDATES, EXCLUDE, DUPLICATES, ORDER, SCORE_DTYPE, TIES)
prepared_by(UNJUDGED, MAX_DEPTH, MIN_SCORE, SCOPE, *OF_GROUPS)
steps_in_order(
    StepPlace(SPAN_MATCH, take=match_spans, reads=(SPAN_UNIT, SPAN_MATCH)),
    StepPlace(DUPLICATE_LABELS),
    StepPlace(GRADES),
    StepPlace(NEGATIVE),
    StepPlace(CANDIDATES),
    StepPlace(EXCLUDE),
    StepPlace(DUPLICATES, "before-order"),
    StepPlace(DUPLICATES, "weighed", weigh_rows, (DUPLICATES,)),
    StepPlace(RELEVANT, take=decide_relevant, reads=(RELEVANT, LABELS_USED)),
    StepPlace(LABELS_USED, take=settle_known, reads=(LABELS_USED,)),
    StepPlace(NEGATIVE, "known"),
    StepPlace(GRADES_ALLOWED),
    StepPlace(SCORE_DTYPE),
    StepPlace(ORDER, take=put_in_order, reads=(ORDER, TIES)),
    StepPlace(UNJUDGED, "before-depth"),
    StepPlace(MAX_DEPTH),
    StepPlace(SPAN_UNIT, take=cut_spans, reads=(SPAN_UNIT, DUPLICATE_LABELS)),
    StepPlace(DUPLICATES, "in-depth"),
    StepPlace(UNJUDGED, "after-depth"),
    StepPlace(DUPLICATES, "after-depth"),
    StepPlace(SUBTOPICS, take=count_once, reads=(SUBTOPICS, NO_SUBTOPIC, *OF_LABELS)),
)
