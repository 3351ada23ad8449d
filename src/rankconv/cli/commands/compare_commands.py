"""`rankconv compare`, `report` and `curve`: values of runs under several presets, as a table, a page, or by cutoff."""

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

from rankconv.basics.output_files import check_text, write_text
from rankconv.cli import five_users
from rankconv.cli import options as o
from rankconv.cli.command_table import Panel, command
from rankconv.cli.data_options import (
    DataOptions,
    at_cutoffs,
    cluster_of,
    columns,
    in_batches,
    offered,
    refuse_with_memory,
    require_run,
    usual,
)
from rankconv.cli.printing import (
    clock,
    end_if_interrupted,
    print_json,
    print_lines,
    print_page,
    print_result,
    print_signatures,
    print_table,
    say,
)
from rankconv.rendering.pages.display import terminal_width
from rankconv.rendering.pages.page import Page

SUMMARY = "--full prints every row and note, --by-value the presets that agree, --format csv and json all"
WIDTH = 80
"""The width for which a table is laid out in a pipe."""
NEXT = """
Next:
  rankconv explain -m map@3 -u 2 --against mllib
  rankconv why -m map@3 mllib rankconv
  rankconv compare LABELS RUN -m ndcg@10 -p all"""
"""The commands to type after the first comparison."""


@command(
    Panel.EVALUATE,
    "Compare the values of runs under several presets",
    data="user seen catalogue train item_features parents propensities shown group_target memory temp_dir",
    after="evaluate",
)
def compare(
    data: DataOptions,
    labels: o.OptionalLabelsOption = None,
    run: o.OptionalRunsOption = None,
    metric: o.MetricsOption = [],
    k: o.CutoffsOption = "",
    preset: o.PresetsOption = [],
    form: o.FormOption = o.Format.text,
    digits: o.DigitsOption = 4,
    by_value: o.ByValueOption = False,
    full: o.FullOption = False,
    plot: o.StripPlotOption = None,
) -> None:
    """Compare the values of runs under several presets; without files, of the five users of Bellei 2017."""
    import rankconv as rc
    from rankconv.evaluation.compare import requested, requested_presets

    if not run:
        require_run(labels)
    presets = requested_presets(preset or None)
    if metric:
        specs = at_cutoffs(metric, k)
        requested(specs, presets)
    else:
        specs = offered(_usual(k, of_five=labels is None), presets, data.quiet)
    how: dict[str, Any] = {**data.side_data(), "progress": data.progress, "temp_dir": data.temp_dir}
    if data.memory is not None:
        refuse_with_memory(data)
        how |= {"memory": data.memory, "columns": columns(data.column)}
        known, ranked = in_batches(labels, run or [])
    else:
        known, ranked = data.several(labels, run)
        how["users"] = data.users(known, ranked)
    found = rc.compare(known, ranked, specs, presets, **how)
    if "all" in preset:
        found = _ordered(found)
    if by_value:
        _print_by_value(found, digits, form)
    elif form == "json":
        print_json(found.rows())
    elif form == "csv":
        print_result(found, form)
    elif form == "text":
        shown, others = _with_values(found) if labels is None else (found, [])
        _print_grid(shown, digits, others, full=full)
        print_lines(NEXT.split("\n") if labels is None else [])
    else:
        print_table(found.table(digits), form)
        print_signatures(_signatures(found, full), form, whole=full)
    if plot is not None:
        found.plot(plot, digits)


def _usual(cutoffs: str, of_five: bool) -> list[str]:
    """Return the metrics that are compared by default: for the five users those of the post."""
    if not of_five:
        return usual(cutoffs)
    names = [spec.partition("@")[0] for spec in five_users.METRICS]
    return at_cutoffs(names, cutoffs) if cutoffs else five_users.METRICS


def _ordered(found: Any) -> Any:
    """Return a comparison whose presets are ordered by their first value, those without one last."""

    def value(preset: str) -> tuple[bool, float]:
        cells = (found.cell(metric, preset, run) for metric in found.metrics for run in found.runs)
        mean = next((cell.mean for cell in cells if cell is not None and math.isfinite(cell.mean)), math.inf)
        return math.isinf(mean), float(mean)

    return replace(found, presets=sorted(found.presets, key=value))


def _with_values(found: Any) -> tuple[Any, list[str]]:
    """Return the comparison of the presets that give a value, and one line on each reason of the others."""
    reasons: dict[str, list[str]] = {}
    for preset in found.presets:
        cells = [found.cell(metric, preset) for metric in found.metrics]
        refusals = [cell.refusals for cell in cells if cell is not None]
        if refusals and all(refusals):
            reasons.setdefault(refusals[0][0].why, []).append(preset)
    without = {preset for names in reasons.values() for preset in names}
    if len(without) == len(found.presets):
        return found, []
    kept = {key: cell for key, cell in found.cells.items() if key[2] not in without}
    shown = replace(found, presets=[one for one in found.presets if one not in without], cells=kept)
    return shown, [f"No value under {', '.join(names)}: {why}." for why, names in reasons.items()]


def _print_grid(found: Any, digits: int, others: list[str], *, full: bool) -> None:
    from rankconv.evaluation.results.comparison import shortened

    width = terminal_width() or WIDTH
    table, left_out = (found.table(digits, width), "") if full else shortened(found, digits, width)
    notes = [f"{left_out}: {SUMMARY}."] if left_out else []
    pictures = found._pictures().sections if left_out else []
    print_page(Page([*pictures, [replace(table, notes=[*table.notes, *notes, *others])]]))
    print_signatures(_signatures(found, full), "text", whole=full)


def _signatures(found: Any, full: bool) -> list[str] | int:
    """Return the signatures of all values; where that is too many to print, the number of definitions."""
    from rankconv.evaluation.results.circumstances import MOST

    count = len(found.metrics) * len(found.presets)
    return found.signatures if full or count <= MOST else count


def _print_by_value(found: Any, digits: int, form: str) -> None:
    from rankconv.evaluation.results.comparison import values_table

    if form == "text":
        print_page(found._page(digits))
    elif form == "json":
        print_json({metric: [one.to_dict() for one in found.by_value(metric, digits)] for metric in found.metrics})
    else:
        print_table(values_table(found, digits), form)


@command(
    Panel.EVALUATE,
    "Write a report on runs as one HTML page",
    data="user seen catalogue train item_features parents propensities shown group_target",
)
def report(
    data: DataOptions,
    labels: o.OptionalLabelsOption = None,
    run: o.OptionalRunsOption = None,
    metric: o.MetricsOption = ["ndcg,map"],
    k: o.CutoffsOption = "10",
    preset: o.PresetsOption = ["all"],
    output: o.OutputFileOption = Path("report.html"),
    force: o.ForceOption = False,
) -> None:
    """Write a report on runs as one HTML page; without files, on the five users of Bellei 2017."""
    import rankconv as rc
    from rankconv.rendering.pages.web.html import latex_converter

    check_text(output, ".html", force=force)
    latex_converter()  # before anything is computed for the page
    known, ranked = data.several(labels, run)
    how: dict[str, Any] = {"users": data.users(known, ranked), "progress": data.progress, **data.side_data()}
    found = rc.report(known, ranked, at_cutoffs(metric, k), preset, **how)
    write_text(found.to_html(), output, force=force)
    if not data.quiet:
        say(f"Wrote {output}: {found.title}.")
    end_if_interrupted(found.interrupted)


@command(
    Panel.EXPERIMENTS,
    "Compute a metric by cutoff, or precision by recall",
    data="seen catalogue",
    after="learning-curve",
)
def curve(
    labels: o.LabelsFileOption,
    run: o.RunFilesOption,
    data: DataOptions,
    metric: o.MetricsOption = [],
    preset: o.PresetsOption = [],
    over: o.AxisOverOption = o.CurveAxis.k,
    max_k: o.MaxKOption = None,
    form: o.FormOption = o.Format.text,
    digits: o.DigitsOption = 4,
    plot: o.PlotOption = None,
    n_resamples: o.ResamplesOption = 1000,
    cluster: o.ClusterOption = None,
) -> None:
    """Compute a metric by cutoff, or precision by recall; --n-resamples 0 leaves out the confidence bands."""
    import rankconv as rc

    known, ranked = data.several(labels, run)
    how: dict[str, Any] = {"max_k": max_k, "n_resamples": n_resamples}
    how |= {"over": over.value, "cluster": cluster_of(cluster, data.column), **data.side_data()}
    with clock("Computing curves", data.progress):
        found = rc.curve(known, ranked, metric or None, preset or None, **how)
    print_result(found, form, digits, plot=plot)
