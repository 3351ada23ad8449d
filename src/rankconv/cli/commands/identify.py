"""`rankconv check`, `identify` and `sensitivity`: data problems, definitions of printed numbers, and their range."""

from typing import Any

import typer

from rankconv.cli import options as o
from rankconv.cli.data import Data, at_cutoff, at_cutoffs, columns, data_options, refuse_with_memory, require_run
from rankconv.cli.printing import clock, print_json, print_lines, print_result
from rankconv.errors import InputError, MetricError
from rankconv.pages.display import terminal_width

NO_MATCH, BY_CHANCE = 1, 3
"""Exit codes where no definition gives the number, and where matches are no likelier than by chance."""


@data_options("seen catalogue train item_features memory temp_dir")
def check(
    labels: o.LabelsFile,
    run: o.RunFile,
    data: Data,
    metric: o.Metrics = [],
    k: o.Cutoffs = "",
    preset: o.Presets = [],
    form: o.CheckForm = o.CheckFormat.text,
) -> None:
    """Check labels and a run for problems that change metrics. Exit code 1 where there are any."""
    import rankconv as rc
    from rankconv.analysis.check.check import USUAL_PRESETS, checked_metrics
    from rankconv.evaluation.compare.compare import requested_presets

    specs = at_cutoffs(metric, k)
    if k and not metric:
        usual = requested_presets(preset or None, USUAL_PRESETS)
        specs = [spec for spec in _usual(k) if any(one.offers(spec) for one in usual)]
    checked_metrics(specs or None, preset or None, None)
    train = None if data.train is None else data.interactions(data.train)
    how: dict[str, Any] = {**data.sides("train"), "train": train, "temp_dir": data.temp_dir}
    known: Any = str(labels)
    ranked: Any = str(run)
    if data.memory is None:
        known, ranked = data.labels(labels), data.run(run, labels)
    else:
        refuse_with_memory({"--seen": data.seen})
        how |= {"memory": data.memory, "columns": columns(data.column), "progress": data.progress}
    with clock("Checking", data.progress if data.memory is None else False):
        found = rc.check(known, ranked, specs or None, preset or None, **how)
    if form == "json":
        print_json(found.to_dict())
    else:
        print_lines([found.to_markdown() if form == "markdown" else found.to_text(terminal_width())])
    if not found.clean:
        raise typer.Exit(1)


def _usual(cutoffs: str) -> list[str]:
    """Return the default metrics at these cutoffs, each of them by itself."""
    from rankconv.specs.spec import each_spec

    return [spec for one in at_cutoffs(["ndcg,map,precision,mrr"], cutoffs) for spec in each_spec(one)]


@data_options("user seen catalogue train item_features")
def identify(
    data: Data,
    labels: o.OptionalLabels = None,
    run: o.OptionalRun = None,
    metric: o.OptionalMetric = None,
    k: o.Cutoffs = "",
    value: o.Values = [],
    table: o.ValueTable = None,
    form: o.PlainForm = o.PlainFormat.text,
    full: o.Full = False,
    limit: o.Limit = 12,
    tolerance: o.Tolerance = 0,
) -> None:
    """Identify the definitions that give a printed number; without files, on the five users of Bellei 2017.

    Exit code 0: a preset gives it, or a match is likelier than chance. 1: no match. 3: matches no likelier than chance.
    """
    import rankconv as rc
    from rankconv.analysis.identify.identify import check_numbers
    from rankconv.analysis.identify.printed_value import numbers_of, numbers_of_table

    numbers = numbers_of(value, metric and at_cutoff(metric, k))
    numbers |= numbers_of_table(table) if table is not None else {}
    check_numbers(numbers, tolerance)
    known, ranked = data.pair(labels, run)
    users = data.users(known, ranked)
    with clock("Searching definitions", data.progress):
        found: Any = rc.identify(known, ranked, numbers, tolerance=tolerance, users=users, **data.sides())
    if form == "json":
        print_json(found.to_dict())
    else:
        print_lines([found.to_text(terminal_width(), most=None if full else limit)])
    if not found.summary:
        raise typer.Exit(BY_CHANCE if found.found else NO_MATCH)


@data_options("user seen catalogue train item_features")
def sensitivity(
    metric: o.Metric,
    data: Data,
    labels: o.OptionalLabels = None,
    run: o.OptionalRuns = None,
    k: o.Cutoffs = "",
    preset: o.Presets = [],
    thresholds: o.Thresholds = "",
    form: o.Form = o.Format.text,
    digits: o.Digits = 4,
    full: o.Full = False,
    plot: o.Plot = None,
) -> None:
    """Measure how far a value depends on its definition; without files, on the five users of Bellei 2017.

    Of -m ndcg@10, the cutoffs of -k are those to vary over; a metric without a cutoff takes it from -k.
    """
    import rankconv as rc
    from rankconv.analysis.sensitivity.sensitivity import known_to

    if not run:
        require_run(labels)
    spec, varied = _metric_and_cutoffs(metric, k)
    known_to(spec, preset or None)
    grades = _numbers(thresholds, "--thresholds")
    known, ranked = data.several(labels, run)
    how: dict[str, Any] = {"k": varied, "thresholds": grades, "users": data.users(known, ranked), **data.sides()}
    with clock("Comparing definitions", data.progress):
        found = rc.sensitivity(known, ranked, spec, preset or None, **how)
    if plot is not None:
        found.plot(plot, digits)
    print_result(found, form, digits, whole=full)


def _metric_and_cutoffs(metric: str, cutoffs: str) -> tuple[str, list[Any]]:
    """Return the metric with its cutoff, and the cutoffs to vary over."""
    from rankconv.specs.spec import each_spec, read_spec

    if "@" not in metric.rpartition(")")[2]:
        specs = list(each_spec(at_cutoff(metric, cutoffs)))
        if len(specs) > 1 and cutoffs:
            do = f"Name the cutoff in the metric, and those to vary over with -k: -m {metric}@10 -k {cutoffs}."
            raise MetricError(f"'{metric}' has several cutoffs", where="-k", do=do)
        return specs[0], []
    return metric, list(read_spec(f"{metric.rpartition('@')[0]}@{cutoffs}").cutoffs) if cutoffs else []


def _numbers(text: str, option: str) -> list[float]:
    from rankconv.specs.setting_text import read_number

    parts = [part.strip() for part in text.split(",") if part.strip()]
    numbers = [read_number(part) for part in parts]
    for part, number in zip(parts, numbers, strict=True):
        if number is None:
            raise InputError(f"'{part}' is not a number", where=option, do=f"Write, for instance, {option} 1,2,4.")
    return [number for number in numbers if number is not None]
