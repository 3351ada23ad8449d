"""`rankconv evaluate` and `test`: values of runs, of segments, of each user, and the significance of differences."""

import shlex
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import typer

from rankconv.basics.errors import MetricError
from rankconv.basics.output_files import check_table, write_table
from rankconv.cli import options as o
from rankconv.cli.command_table import Panel, command
from rankconv.cli.data_options import (
    DataOptions,
    at_cutoffs,
    cluster_of,
    columns,
    offered,
    path,
    refuse,
    refuse_with_memory,
    run_files,
    usual,
)
from rankconv.cli.printing import print_json, print_lines, print_result, print_signatures, print_table, say
from rankconv.rendering.pages.display import terminal_width
from rankconv.rendering.pages.table import Table

PER_USER_FILE = "Write: --per-user-file FILE.jsonl; to print numbers alone: --quiet."
PAPER = {"latex", "markdown"}
"""Formats of tables for papers, which carry signatures."""


@command(
    Panel.EVALUATE,
    "Evaluate runs under one preset",
    data="user seen catalogue train item_features parents propensities shown group_target memory temp_dir",
)
def evaluate(
    labels: o.LabelsFileOption,
    run: o.RunFilesOption,
    data: DataOptions,
    metric: o.MetricsOption = [],
    k: o.CutoffsOption = "",
    preset: o.PresetOption = "rankconv",
    by: o.ByOption = [],
    user_features: o.UserFeaturesOption = None,
    form: o.EvaluateFormOption = o.EvaluateFormat.text,
    digits: o.DigitsOption = 4,
    signature: o.SignaturesOption = [],
    no_digest: o.NoDigestOption = False,
    no_interval: o.NoIntervalOption = False,
    per_user: o.PerUserOption = False,
    per_user_file: o.PerUserFileOption = None,
    force: o.ForceOption = False,
    full: o.FullOption = False,
    plot: o.PlotOption = None,
    confidence_level: o.ConfidenceLevelOption = 0.95,
    seed: o.SeedOption = 0,
) -> None:
    """Evaluate runs under one preset; a mean of 5 users or more has its confidence interval.

    With --by, the values of segments are given.

    With --signature, the number of a signature is computed again, and what it says of the data is compared: exit code 1
    where that differs.
    """
    import rankconv as rc
    from rankconv.presets.preset_registry import preset as find_preset

    if per_user_file:
        check_table(per_user_file, force=force)
    refuse({"--per-user (-q)": per_user and form == "json"}, "{} is for tables, not --format json", do=PER_USER_FILE)
    if signature:
        unsuited = {f"--format {form}": form in ("json", "csv", "trec_eval")}
        refuse(unsuited, "--signature is not for {}", do="Leave out {}.")
    chosen = find_preset(preset)
    specs = _specs([*at_cutoffs(metric, k), *_signatures(signature)], k, chosen, data.quiet)
    if by or user_features or plot:
        refused = {"--per-user": per_user, "--per-user-file": per_user_file, "-u": data.user, "--memory": data.memory}
        refused |= {"--format trec_eval": form == "trec_eval", "--signature": signature}
        segmented = {"--by": by, "--user-features": user_features, "--plot": plot}
        given = " and ".join(name for name, value in segmented.items() if value)
        refuse(refused, "{} is not for segments", do=f"Leave out {{}} or {given}.")
        how: Any = {"by": by or ["activity"], "user_features": path(user_features), "seed": seed}
        how |= {"item_features": path(data.item_features), "confidence_level": confidence_level}
        how = data.side_data() | how
        known, ranked = data.several(labels, run)
        print_result(rc.segments(known, ranked, specs, preset, progress=data.progress, **how), form, digits, plot=plot)
        return
    level = None if no_interval or form == "trec_eval" else confidence_level
    digests = bool(signature or full or form in PAPER | {"json"}) and not no_digest
    if data.memory is not None:
        refuse_with_memory(data, {"--per-user": per_user})
        streamed = _streamed(labels, run, specs, preset, data, per_user_file, force, digests)
        results, tags = [streamed], dict[str, str]()
    else:
        shown = {"json": 17, "trec_eval": 4}.get(form, digits)
        wanted = bool(per_user or per_user_file or level)
        results, tags = _in_memory(labels, run, specs, preset, data, shown, wanted, digests)
        if per_user_file:
            _write_per_user(results, per_user_file, force)
    whole = full or form == "csv"
    _print_results(results, form, digits, tags, level, per_user=per_user, whole=whole)
    if form in PAPER | {"text"} and not per_user:
        print_signatures([one for result in results for one in result.signatures.values()], form, whole=full)
    _check_signatures(signature, results, chosen, form)


def _signatures(given: list[str]) -> list[str]:
    """Return signatures; a MetricError for a text that is not one."""
    from rankconv.conventions.spec import is_signature

    for text in given:
        if not is_signature(text):
            raise MetricError(f"'{text}' is not a signature", where="--signature", do=f"Write: -m {shlex.quote(text)}.")
    return given


def _specs(given: list[str], cutoffs: str, chosen: Any, quiet: bool) -> list[str]:
    """Return the metrics to evaluate, which are read before files: given, or those that the preset reports."""
    from rankconv.presets.arguments import define

    specs = given or ([] if cutoffs else chosen.reports) or offered(usual(cutoffs), [chosen], quiet)
    define(specs, chosen)
    return list(specs)


def _check_signatures(given: list[str], results: list[Any], chosen: Any, form: str) -> None:
    """Print what each signature says of the data next to what there is, with exit code 1 where that differs."""
    from rankconv.evaluation.results.signature_comparison import compare_signatures
    from rankconv.presets.arguments import define

    heads = ("signature", "here")
    found = [
        compare_signatures(text, result.signatures[next(iter(define([text], chosen)))], heads=heads)
        for text, result in product(given, results)
    ]
    for one in found:
        print()
        print_table(one.table(), form)
    if not all(one.ok for one in found):
        raise typer.Exit(1)


def _streamed(
    labels: Path,
    run: list[Path],
    specs: list[str],
    preset: str,
    data: DataOptions,
    per_user: Path | None,
    force: bool,
    digests: bool,
) -> Any:
    """Return the result of files that are read within a budget of memory."""
    from rankconv.data.inputs.run_files import named_by_file
    from rankconv.evaluation.streaming.user_file import of_files

    assert data.memory is not None
    files = str(labels), [str(one) for one in run]
    how: dict[str, Any] = {"columns": columns(data.column), "temp_dir": data.temp_dir, "progress": data.progress}
    how |= {"per_user": per_user, "force": force, "run": next(iter(named_by_file(run[:1]))), "digests": digests}
    return of_files(*files, specs, preset, data.memory, side_data=data.side_data("seen", "group_target"), **how)


def _in_memory(
    labels: Path,
    run: list[Path],
    specs: list[str],
    preset: str,
    data: DataOptions,
    digits: int,
    per_user: bool,
    digests: bool,
) -> tuple[list[Any], dict[str, str]]:
    """Return a result for each run, and the tags of their files; data problems are said."""
    import rankconv as rc
    from rankconv.evaluation.findings.moves import places, warned, warning, worst
    from rankconv.evaluation.notes import assumed_rank, of_matching
    from rankconv.evaluation.streaming.memory import too_large

    if not data.quiet and (large := too_large(labels, run, "--memory {}")):
        say(f"rankconv: {large}")
    known, ranked = data.labels(labels), data.runs(run)
    users = data.users(known, ranked)
    checked = not data.quiet and users is None  # findings are about all users
    results, findings = [], []
    for name, one in ranked.by_name.items():
        joined = rc.join(known, one, **data.side_data())
        how: dict[str, Any] = {"users": users, "temp_dir": data.temp_dir, "progress": data.progress, "digests": digests}
        result = rc.evaluate(joined, specs, preset, per_user=per_user or checked, **how)
        said = {*joined.assumed, *joined.extra.aligned, *of_matching(joined)}  # when files were read, and as warnings
        definitions = [measured.definition for measured in result.by_spec.values()]
        notes = tuple(note for note in result.notes if note not in said | {*assumed_rank(joined.rankings, definitions)})
        results.append(replace(result, run=name, notes=notes, joined=None))
        findings += warned(joined, places(result.by_spec), name, digits) if checked else []
    if findings:
        command = _check_command(labels, run_files(run)[worst(findings).run], specs, preset, data.repeated())
        say(f"rankconv: {warning(findings, command, several=len(results) > 1)}")
    return results, {name: one.tag for name, one in ranked.by_name.items()}


def _check_command(labels: Path, run: Path, metrics: list[str], preset: str, repeated: list[str]) -> str:
    """Return the command that shows the finding: the same metrics under all presets that were given."""
    from rankconv.conventions.spec import each_spec, preset_and_rest

    specs = [preset_and_rest(spec) for text in metrics for spec in each_spec(text)]
    given = metrics if all(named is None for named, _ in specs) else [spec for _, spec in specs]
    presets = dict.fromkeys(named or preset for named, _ in specs)
    pairs = [*(("-m", spec) for spec in dict.fromkeys(given)), *(("-p", name) for name in presets)]
    parts = [str(labels), str(run), *(part for pair in pairs for part in pair), *repeated]
    return f"rankconv check {shlex.join(parts)}"


def _write_per_user(results: list[Any], file: Path, force: bool) -> None:
    import narwhals.stable.v2 as nw

    frames = [nw.from_native(result.to_frame()).with_columns(run=nw.lit(result.run)) for result in results]
    write_table(nw.concat(frames).to_native(), file, force=force)


def _print_results(
    results: list[Any],
    form: str,
    digits: int,
    tags: Mapping[str, str],
    confidence_level: float | None,
    *,
    per_user: bool,
    whole: bool,
) -> None:
    """Print the results of one run or of several, with a row per user where that is wanted."""
    if form == "json":
        from rankconv.evaluation.results.signed_result import signed_data

        dicts = [signed_data(result, confidence_level) for result in results]
        print_json(dicts[0] if len(dicts) == 1 else dicts)
    elif form == "trec_eval":
        from rankconv.evaluation.results.trec_lines import trec_lines

        for result in results:
            print_lines(trec_lines(result, each_user=per_user, tag=tags.get(result.run, "")))
    elif form == "csv" and not per_user:
        from rankconv.rendering.pages.table import csv_of_rows

        several = [{"run": result.run} if len(results) > 1 else {} for result in results]
        each = [result.rows(confidence_level=confidence_level) for result in results]
        rows = [run | row for run, rows in zip(several, each, strict=True) for row in rows]
        print_lines(csv_of_rows(rows).splitlines())
    else:
        shown = {"confidence_level": confidence_level}
        tables = [
            result.user_table(digits, whole=whole) if per_user else result.table(digits, **shown) for result in results
        ]
        print_table(_with_runs(tables, results), form)
        if any(result.groups for result in results):
            print()
            print_table(_with_runs([result.groups_table(digits) for result in results], results), form)


def _with_runs(tables: list[Table], results: list[Any]) -> Table:
    """Return the rows of the table of each result in one, whose first column is the run where there are several."""
    first, runs = tables[0], [result.run for result in results]
    if len(tables) == 1:
        return first
    rows = [[run, *row] for run, table in zip(runs, tables, strict=True) for row in table.rows]
    notes = [
        note.removesuffix(f", run: {run}.") + "." * note.endswith(f", run: {run}.")
        for run, table in zip(runs, tables, strict=True)
        for note in table.notes
    ]
    prose = frozenset(column + 1 for column in first.prose)
    return Table(["run", *first.headers], rows, first.labels + 1, list(dict.fromkeys(notes)), prose)


@command(
    Panel.EVALUATE,
    "Test the differences between runs for significance",
    name="test",
    data="user seen catalogue train item_features parents propensities shown group_target",
)
def significance(
    labels: o.LabelsFileOption,
    run: o.RunFilesOption,
    data: DataOptions,
    metric: o.MetricsOption = ["ndcg@10"],
    k: o.CutoffsOption = "",
    preset: o.PresetsOption = [],
    leaderboard: o.LeaderboardOption = False,
    baseline: o.BaselineOption = None,
    correction: o.CorrectionOption = "max-t",
    include_users: o.IncludeUsersOption = "both",
    form: o.FormOption = o.Format.text,
    digits: o.DigitsOption = 4,
    full: o.FullOption = False,
    plot: o.PlotOption = None,
    cite: o.CiteOption = False,
    alpha: o.AlphaOption = 0.05,
    n_resamples: o.ResamplesOption = 100_000,
    cluster: o.ClusterOption = None,
    seed: o.SeedOption = 0,
) -> None:
    """Test the differences between runs for significance, under one or several presets.

    With --leaderboard, the runs are ranked, and groups without a significant difference are marked.
    """
    import rankconv as rc

    specs = at_cutoffs(metric, k)
    tested: dict[str, Any] = {"baseline": baseline, "include_users": include_users}
    how: dict[str, Any] = {"correction": correction, "alpha": alpha, "n_resamples": n_resamples, "seed": seed}
    how |= {"progress": data.progress, "cluster": cluster_of(cluster, data.column), **data.side_data()}
    if leaderboard:
        refused = {"--baseline": baseline, "--include-users": include_users != "both", "--cite": cite}
        refused |= {"every --preset but the first": len(preset) > 1}
        refuse(refused, "{} is not for a leaderboard", do="Leave out {} or --leaderboard.")
    known, ranked = data.several(labels, run)
    how["users"] = data.users(known, ranked)
    if leaderboard:
        found: Any = rc.leaderboard(known, ranked, specs, *preset, **how)
    else:
        found = rc.test(known, ranked, specs, preset or None, **tested, **how)
    if cite:
        methods = found.methods()
        print_json(methods.to_dict()) if form == "json" else print_lines([methods.to_text(terminal_width())])
        return
    print_result(found, form, digits, plot=plot, **({} if leaderboard else {"whole": full}))


@command(Panel.EVALUATE, "Decide whether a run is good enough for a build to pass", data="seen catalogue train")
def gate(
    data: DataOptions,
    labels: o.OptionalLabelsOption = None,
    run: o.OptionalRunOption = None,
    metric: o.MetricsOption = [],
    k: o.CutoffsOption = "",
    preset: o.PresetOption = "",
    baseline: o.BaselineOption = None,
    at_least: o.AtLeastOption = [],
    not_worse_by: o.NotWorseByOption = [],
    confident: o.ConfidentOption = False,
    by: o.ByOption = [],
    user_features: o.UserFeaturesOption = None,
    undecided: o.IfUndecidedOption = "undecided",
    same: o.IfSameOption = "same",
    lock: o.LockOption = None,
    form: o.GateFormOption = o.GateFormat.text,
    digits: o.DigitsOption = 4,
    alpha: o.AlphaOption = 0.05,
    settings: o.SettingsOption = None,
) -> None:
    """Decide whether a run is good enough for a build to pass: floors, and margins against a baseline.

    Exit code 0 passes or no list changed, 1 fails, 3 is undecided, 2 is a mistake in the call or the data, or a lock
    that differs.
    """
    import rankconv as rc
    from rankconv.addons.gate.gate import GateSettings, read_settings
    from rankconv.engine.saved_result import is_saved

    given: dict[str, Any] = {"labels": labels, "run": run, "metrics": metric, "preset": preset, "by": by}
    given |= {"baseline": None if baseline is None else Path(baseline), "user_features": user_features}
    given |= {"at_least": _required(at_least, float), "not_worse_by": _required(not_worse_by, str)}
    given |= {"confident": confident, "undecided": undecided, "same": same, "lock": lock, "alpha": alpha}
    unset, stated = GateSettings().model_dump(), read_settings(settings) if settings else GateSettings()
    wanted = stated.model_copy(update={name: value for name, value in given.items() if value != unset[name]})
    if wanted.labels is None or wanted.run is None:
        do = "Write: rankconv gate LABELS RUN -m ndcg@10 --at-least 0.3"
        raise MetricError("a gate needs labels and a run", do=do)
    known, ranked = data.pair(wanted.labels, wanted.run)
    required = {"at_least", "not_worse_by", "confident", "by", "undecided", "same", "lock", "alpha"}
    how = wanted.model_dump(include=required)
    how |= {"user_features": path(wanted.user_features), **data.side_data()}
    other = wanted.baseline
    how |= {"baseline": path(other) if other is None or is_saved(other) else data.run(other)}
    found = rc.gate(known, ranked, at_cutoffs(wanted.metrics, k), wanted.preset or None, **how)
    print_result(found, form, digits)
    if found.exit_code:
        raise typer.Exit(found.exit_code)


def _required(given: list[str], kind: Callable[[str], Any]) -> Any:
    """What is required, as one value or by metric: `0.31`, `ndcg@10=0.31`; None for nothing."""
    pairs = [text.rpartition("=")[::2] for text in given]
    try:
        found = {metric: kind(value) for metric, value in pairs}
    except ValueError:
        raise MetricError(f"{' '.join(given)!r} is not a number", allowed="Write 0.31 or ndcg@10=0.31") from None
    if len(found) < len(pairs):
        raise MetricError(f"{' '.join(given)!r} requires two values of one metric", do="Leave out all but one.")
    if "" in found and len(found) > 1:
        raise MetricError("one requirement names no metric", do="Name the metric of each: ndcg@10=0.31.")
    return found.get("", found) if found else None
