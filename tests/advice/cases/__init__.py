"""The cases, by what is read or done."""

from tests.advice.cases import (
    agreements,
    alignment,
    arrays,
    batches,
    drop_ins,
    elsewhere,
    files,
    gates,
    harnesses,
    metric_words,
    native_names,
    plugin_files,
    preset_files,
    programs,
    python_objects,
    records,
    saved_results,
    searches,
    side_data,
    spans,
    specs,
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
        drop_ins,
        elsewhere,
        files,
        gates,
        harnesses,
        metric_words,
        native_names,
        plugin_files,
        preset_files,
        programs,
        python_objects,
        records,
        saved_results,
        searches,
        side_data,
        spans,
        specs,
        tables,
        two_label_sets,
    )
    for case in topic.CASES
)
