"""The cases, by what is read."""

from tests.advice.cases import (
    alignment,
    arrays,
    batches,
    elsewhere,
    files,
    metric_words,
    native_names,
    preset_files,
    python_objects,
    records,
    searches,
    side_data,
    spans,
    tables,
    two_label_sets,
)

CASES = tuple(
    case
    for topic in (
        alignment,
        arrays,
        batches,
        elsewhere,
        files,
        metric_words,
        native_names,
        preset_files,
        python_objects,
        records,
        searches,
        side_data,
        spans,
        tables,
        two_label_sets,
    )
    for case in topic.CASES
)
