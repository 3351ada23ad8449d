"""What makes a value what it is: check, explain, why, identify, sensitivity, similarity, agreement, reproduce."""

from pathlib import Path
from typing import Annotated, Any

import typer

from rankconv.basics.errors import InputError
from rankconv.cli import completion
from rankconv.cli import options as o
from rankconv.cli.command_table import Panel, command
from rankconv.cli.data_options import DataOptions, at_cutoff, at_cutoffs, refuse, require_run
from rankconv.cli.printing import clock, end_if_interrupted, print_lines, print_result, print_table
from rankconv.rendering.pages.cells import plural

NO_MATCH, BY_CHANCE = 1, 3
"""Exit codes where no definition gives the number, and where matches are no likelier than by chance."""
SidesArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[LABELS RUN] [A B]",
        help="Labels and run, then two presets or metrics: mllib:ndcg@10",
        autocompletion=completion.presets,
    ),
]


@command(
    Panel.UNDERSTAND,
    "Check labels and a run for problems that change metrics",
    data="seen catalogue train item_features parents propensities shown group_target",
)
def check(
    labels: o.LabelsFileOption,
    run: o.RunFileOption,
    data: DataOptions,
    metric: o.MetricsOption = [],
    k: o.CutoffsOption = "",
    preset: o.PresetsOption = [],
    form: o.CheckFormOption = o.CheckFormat.text,
) -> None:
    """Check labels and a run for problems that change metrics. Exit code 1 where there are any."""
    import rankconv as rc
    from rankconv.analysis.check import checked_metrics, usual_metrics

    specs = at_cutoffs(metric, k) or usual_metrics(preset or None, k)
    checked_metrics(specs, preset or None, None)
    train = None if data.train is None else data.interactions(data.train)
    known, ranked = data.labels(labels), data.run(run)
    sides: dict[str, Any] = {**data.side_data("train"), "train": train}
    with clock("Checking", data.progress):
        found = rc.check(known, ranked, specs, preset or None, **sides)
    print_result(found, form)
    if not found.clean:
        raise typer.Exit(1)


@command(
    Panel.UNDERSTAND,
    "Explain the value of one user, step by step",
    data="seen catalogue train item_features parents propensities shown group_target",
)
def explain(
    metric: o.MetricOption,
    user: o.UserIdOption,
    data: DataOptions,
    labels: o.OptionalLabelsOption = None,
    run: o.OptionalRunOption = None,
    k: o.CutoffsOption = "",
    preset: o.PresetOption = "rankconv",
    against: o.AgainstOption = None,
    by_rank: o.RankTableOption = False,
    form: o.ExplainFormOption = o.ExplainFormat.text,
) -> None:
    """Explain the value of one user, step by step; without files, of one of the five users of Bellei 2017."""
    import rankconv as rc
    from rankconv.analysis.explain.explain import definitions_of

    metric = at_cutoff(metric, k)
    if by_rank:
        do = "Name presets in the metrics: -m trec_eval:map,mllib:map."
        refuse({"--against": against}, "{} is not for --by-rank", do=do)
    else:
        definitions_of(metric, [preset, against])
    known, ranked = data.pair(labels, run)
    found: Any
    if by_rank:
        found = rc.by_rank(known, ranked, metric, user=user, preset=preset, **data.side_data())
    else:
        found = rc.explain(known, ranked, metric, user=user, preset=[preset, against], **data.side_data())
    print_result(found, form)


@command(
    Panel.UNDERSTAND,
    "Attribute the difference of two values to conventions",
    data="user seen catalogue train item_features parents propensities shown group_target",
)
def why(
    data: DataOptions,
    sides: SidesArgument = None,
    metric: o.OptionalMetricOption = None,
    k: o.CutoffsOption = "",
    preset: o.PresetsOption = [],
    form: o.FormOption = o.Format.text,
    digits: o.OptionalDigitsOption = None,
) -> None:
    """Attribute the difference of two values to conventions; without files, on the five users of Bellei 2017."""
    import rankconv as rc
    from rankconv.analysis.why.why import side

    files, (a, b) = _files_and_sides(sides or [], preset)
    metric = at_cutoff(metric, k) if metric else None
    side(a, metric), side(b, metric)
    known, ranked = data.pair(*map(Path, files)) if files else data.pair(None, None)
    users = data.users(known, ranked)
    how: dict[str, Any] = {"users": users, "progress": data.progress, **data.side_data()}
    found = rc.why(known, ranked, metric, a=a, b=b, **how)
    print_result(found, form, digits)


def _files_and_sides(given: list[str], presets: list[str]) -> tuple[list[str], list[str]]:
    """Return the files, if any, and the two definitions, which -p may name too."""
    files, sides = (given, presets) if presets else (given[:-2], given[-2:])
    if len(files) in (0, 2) and len(sides) == 2 and not all(map(_is_data, sides)):
        return files, sides
    do = "Type: rankconv why LABELS RUN -m ndcg@10 mllib trec_eval; for the five users: why -m map@3 mllib blog."
    counted = plural(len(given), "argument") + (f" and {plural(len(presets), 'preset')}" if presets else "")
    raise InputError(f"why takes labels, a run and two presets, not {counted}", do=do)


def _is_data(text: str) -> bool:
    """Return whether an argument is a file that is not a preset."""
    return Path(text).is_file() and Path(text).suffix not in (".yaml", ".yml")


@command(
    Panel.UNDERSTAND,
    "Identify the definitions that give a printed number",
    data="user seen catalogue train item_features parents propensities shown group_target",
)
def identify(
    data: DataOptions,
    labels: o.OptionalLabelsOption = None,
    run: o.OptionalRunsOption = None,
    metric: o.OptionalMetricOption = None,
    k: o.CutoffsOption = "",
    value: o.ValuesOption = [],
    table: o.TableOption = None,
    form: o.PlainFormOption = o.PlainFormat.text,
    full: o.FullOption = False,
    limit: o.LimitOption = 12,
    tolerance: o.ToleranceOption = 0,
) -> None:
    """Identify the definitions that give a printed number; without files, on the five users of Bellei 2017.

    With --table, those that explain a table of several runs; a number that none of them gives has exit code 1.

    Exit code 0: a match is likelier than chance, or the digits are too few to decide. 1: no match. 3: no preset and no
    variant of one gives it, and other matches are no likelier than chance. 130: stopped by Ctrl-C; what was found until
    then is printed.
    """
    import rankconv as rc
    from rankconv.analysis.identify.identify import check_numbers
    from rankconv.analysis.identify.printed_value import numbers_of

    how: dict[str, Any]
    if table is not None:
        refuse({"-m": metric, "-k": k, "--value": value}, "{} is not for a table", do="Leave out {} or --table.")
        if not run:
            raise InputError(
                "a table is explained from labels and its runs", do="Add both: --table CSV LABELS RUN RUN."
            )
        known, several = data.several(labels, run)
        how = {"users": data.users(known, several), "progress": data.progress, **data.side_data()}
        of_table = rc.identify_table(table, known, several, tolerance=tolerance, **how)
        print_result(of_table, form, most=None if full else limit)
        end_if_interrupted(of_table.interrupted)
        if not of_table.ok:
            raise typer.Exit(NO_MATCH)
        return
    refuse({f"{len(run or [])} runs": len(run or []) > 1}, "{} are for --table", do="Give one run, or --table CSV.")
    numbers = numbers_of(value, metric and at_cutoff(metric, k))
    check_numbers(numbers, tolerance)
    known, ranked = data.pair(labels, run[0] if run else None)
    how = {"users": data.users(known, ranked), "progress": data.progress, **data.side_data()}
    found: Any = rc.identify(known, ranked, numbers, tolerance=tolerance, **how)
    print_result(found, form, most=None if full else limit)
    end_if_interrupted(found.interrupted)
    if not found.summary and not (found.found and found.has_few_digits):
        raise typer.Exit(BY_CHANCE if found.found else NO_MATCH)


@command(
    Panel.UNDERSTAND,
    "Measure how far a value depends on its definition",
    data="user seen catalogue train item_features parents propensities shown group_target",
)
def sensitivity(
    metric: o.MetricOption,
    data: DataOptions,
    labels: o.OptionalLabelsOption = None,
    run: o.OptionalRunsOption = None,
    k: o.CutoffsOption = "",
    preset: o.PresetsOption = [],
    form: o.FormOption = o.Format.text,
    digits: o.DigitsOption = 4,
    full: o.FullOption = False,
    plot: o.StripPlotOption = None,
) -> None:
    """Measure how far a value depends on its definition; without files, on the five users of Bellei 2017."""
    import rankconv as rc
    from rankconv.analysis.sensitivity.sensitivity import known_to

    if not run:
        require_run(labels)
    metric = at_cutoff(metric, k)
    known_to(metric, preset or None)
    known, ranked = data.several(labels, run)
    how: dict[str, Any] = {"users": data.users(known, ranked), "progress": data.progress, **data.side_data()}
    found = rc.sensitivity(known, ranked, metric, preset or None, **how)
    print_result(found, form, digits, plot=plot, whole=full)
    end_if_interrupted(found.interrupted)


@command(Panel.VALIDATE, "Reproduce the numbers of a printed source", shared="progress plugin", after="conform")
def reproduce(
    data: DataOptions,
    source: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SOURCE",
            help="Sources: names, presets, YAML files or all; else those with their data",
            autocompletion=completion.sources,
        ),
    ] = None,
    folder: o.FetchedDataOption = None,
    form: o.HtmlFormOption = o.HtmlFormat.text,
    every: o.ListOption = False,
) -> None:
    """Reproduce the numbers of a printed source. Exit code 1 where one does not come out as its file states."""
    import rankconv as rc
    from rankconv.analysis.reproduce.listing import list_sources
    from rankconv.analysis.reproduce.sources import ALL

    if every:
        print_result(list_sources(), form)
        return
    with clock("Reproducing", data.progress):
        found = rc.reproduce(*(source or []), data=folder)
    print_result(found, form, whole=bool(source) and ALL not in (source or []))
    if not found.ok:
        raise typer.Exit(1)


@command(Panel.UNDERSTAND, "Compute the similarity of the rankings of two runs")
def similarity(
    data: DataOptions,
    a: o.RunFileOption,
    b: o.OtherRunFileOption,
    metric: o.SimilarityMetricsOption = [],
    k: o.CutoffsOption = "",
    form: o.FormOption = o.Format.text,
    digits: o.DigitsOption = 4,
    per_user: o.PerUserOption = False,
) -> None:
    """Compute how similar the rankings of two runs are: rbo(p=0.9), kendall, overlap@10."""
    import rankconv as rc
    from rankconv.addons.similarity.similarity import USUAL

    found = rc.similarity(data.run(a), data.run(b), at_cutoffs(metric or USUAL, k))
    if per_user and form == o.Format.csv:
        print_lines(found.user_csv().splitlines())
    elif per_user and form != o.Format.json:  # which has the values of users anyway
        print_table(found.user_table(digits, mean=form == o.Format.text), form)
    else:
        print_result(found, form, digits)


@command(Panel.UNDERSTAND, "Compute how far two label sets agree")
def agreement(
    data: DataOptions,
    a: o.LabelsFileOption,
    b: o.OtherLabelsFileOption,
    run: o.OptionalRunsOption = None,
    metric: o.OptionalMetricOption = None,
    preset: o.PresetOption = "rankconv",
    measure: o.AgreementMeasuresOption = [],
    correlation: o.CorrelationsOption = [],
    pairs: o.PairsOption = "intersection",
    level: o.LevelOption = "none",
    form: o.HtmlFormOption = o.HtmlFormat.text,
    digits: o.DigitsOption = 4,
    alpha: o.AlphaOption = 0.05,
    interval: o.BothIntervalOption = "ppi",
    n_resamples: o.ResamplesOption = 100_000,
    seed: o.SeedOption = 0,
) -> None:
    """Compute how far two label sets agree, such as those of people and of a model.

    With runs, their order under both is compared; where the second set has more users, each run has a mean from both.
    """
    import rankconv as rc
    from rankconv.addons.agreement.agreement_measures import USUAL
    from rankconv.addons.agreement.leaderboards import USUAL_CORRELATIONS
    from rankconv.data.inputs.run_files import named_by_file

    first, *others = named_by_file([a, b])
    how: dict[str, Any] = {"pairs": pairs, "level": level, "interval": interval, "alpha": alpha, "seed": seed}
    how |= {"measures": measure or USUAL, "correlations": correlation or USUAL_CORRELATIONS}
    how |= {"n_resamples": n_resamples, "names": (first, others[0] if others else first)}
    runs = data.runs(run) if run else None
    with clock("Comparing labels", data.progress):
        found = rc.agreement(data.labels(a), data.labels(b), runs, metric, preset=preset, **how)
    if form == o.HtmlFormat.markdown:  # all of it, and not the measures alone
        print_lines([found.to_markdown(digits=digits)])
    else:
        print_result(found, form, digits)
