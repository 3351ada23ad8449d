"""The cases, by what is read or done."""

from tests.advice.cases import (
    agreements,
    alignment,
    arrays,
    batches,
    elsewhere,
    files,
    gates,
    harnesses,
    metric_words,
    native_names,
    preset_files,
    programs,
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
        agreements,
        alignment,
        arrays,
        batches,
        elsewhere,
        files,
        gates,
        harnesses,
        metric_words,
        native_names,
        preset_files,
        programs,
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
