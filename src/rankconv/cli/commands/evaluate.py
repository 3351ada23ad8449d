"""`rankconv evaluate`: values of runs under one preset, of all users, of segments, or of each user."""

import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

from rankconv.cli import options as o
from rankconv.cli.data import Data, at_cutoffs, columns, data_options, path, refuse_with_memory, run_files
from rankconv.cli.printing import print_json, print_lines, print_result, print_table, say
from rankconv.errors import MetricError
from rankconv.writing import check_table, write_table


@data_options("user seen catalogue train item_features memory temp_dir")
def evaluate(
    labels: o.LabelsFile,
    run: o.RunFiles,
    metric: o.Metrics,
    data: Data,
    k: o.Cutoffs = "",
    preset: o.Preset = "rankconv",
    by: o.By = [],
    user_features: o.UserFeatures = None,
    form: o.EvaluateForm = o.EvaluateFormat.text,
    digits: o.Digits = 4,
    per_user: o.PerUser = False,
    per_user_file: o.PerUserFile = None,
    force: o.Force = False,
    full: o.Full = False,
    plot: o.Plot = None,
    confidence_level: o.ConfidenceLevel = 0.95,
    seed: o.Seed = 0,
) -> None:
    """Evaluate runs under one preset; --by gives the values of segments, with confidence intervals."""
    from rankconv.presets.defining import define
    from rankconv.presets.registry import preset as find_preset

    if per_user_file:
        check_table(per_user_file, force=force)
    if per_user and form == "json":
        raise MetricError("--per-user is for tables, not --format json", do="Write: --per-user-file FILE.jsonl.")
    specs = at_cutoffs(metric, k)
    define(specs, find_preset(preset))
    segmented = {"--by": by, "--user-features": user_features, "--plot": plot}
    if any(segmented.values()):
        refused = {"--per-user": per_user, "--per-user-file": per_user_file, "-u": data.user, "--memory": data.memory}
        _refuse_with_segments({**refused, "--format trec_eval": form == "trec_eval"})
        found = segments(labels, run, specs, preset, by, user_features, data, confidence_level, seed)
        if plot is not None:
            found.plot(plot, digits)
        print_result(found, form, digits)
        return
    if data.memory is not None:
        refuse_with_memory({"--per-user": per_user, "-u": data.user, "--seen": data.seen, **segmented})
        result = _streamed(labels, run, specs, preset, data, per_user_file, force)
        _print([result], form, False, digits, {result.run: ""})
        return
    results, tags = _in_memory(
        labels, run, specs, preset, data, _decimals(form, digits), bool(per_user or per_user_file)
    )
    if per_user_file:
        _write_per_user(results, per_user_file, force)
    if per_user and form != "trec_eval":
        print_table(_user_table(results, digits, full or form == "csv"), form)
        return
    _print(results, form, per_user, digits, tags)


def segments(
    labels: Path,
    run: list[Path],
    specs: list[str],
    preset: str | None,
    by: list[str],
    user_features: Path | None,
    data: Data,
    confidence_level: float,
    seed: int,
    known: Any = None,
    ranked: Any = None,
) -> Any:
    """Return the values of segments; of data that were read before, where they are given."""
    import rankconv as rc

    if known is None:
        known, ranked = data.several(labels, run)
    how: dict[str, Any] = {
        "confidence_level": confidence_level,
        "seed": seed,
        "progress": data.progress,
        **data.sides(),
    }
    how |= {"user_features": path(user_features), "item_features": path(data.item_features)}
    return rc.segments(known, ranked, specs, preset, by=by or ["activity"], **how)


def _refuse_with_segments(options: dict[str, Any]) -> None:
    for name, value in options.items():
        if value:
            raise MetricError(f"{name} is not for segments", do=f"Leave out {name} or --by.")


def _streamed(
    labels: Path, run: list[Path], specs: list[str], preset: str, data: Data, per_user: Path | None, force: bool
) -> Any:
    """Return the result of files that are read within a budget of memory."""
    from rankconv.evaluation.streaming import of_files
    from rankconv.inputs.files import named_by_file

    assert data.memory is not None
    [name] = named_by_file(run[:1])
    return of_files(
        str(labels),
        [str(one) for one in run],
        specs,
        preset,
        data.memory,
        side_data=data.sides("seen"),
        per_user=per_user,
        force=force,
        run=name,
        columns=columns(data.column),
        temp_dir=data.temp_dir,
        progress=data.progress,
    )


def _in_memory(
    labels: Path, run: list[Path], specs: list[str], preset: str, data: Data, digits: int, per_user: bool
) -> tuple[list[Any], dict[str, str]]:
    """Return a result for each run, and the tags of their files; data problems that change a value are said."""
    import rankconv as rc
    from rankconv.analysis.findings.warning import places, warned, warning, worst
    from rankconv.evaluation.fitting import too_large

    large = "" if data.quiet else too_large(labels, run, "--memory {}")
    if large:
        say(f"rankconv: {large}")
    known, ranked = data.labels(labels), data.runs(run, labels)
    users = data.users(known, ranked)
    checked = not data.quiet and users is None  # findings are about all users
    results, findings = [], []
    for name, one in ranked.by_name.items():
        joined = rc.join(known, one, **data.sides())
        how: dict[str, Any] = {"users": users, "temp_dir": data.temp_dir, "progress": data.progress}
        result = rc.evaluate(joined, specs, preset, per_user=per_user or checked, **how)
        notes = tuple(note for note in result.notes if note not in joined.assumed)  # said when the files were read
        results.append(replace(result, run=name, notes=notes, joined=None))
        findings += warned(joined, places(result.by_spec), name, digits) if checked else []
    if findings:
        command = _check_command(labels, run_files(run)[worst(findings).run], specs, preset, data.repeated())
        say(f"rankconv: {warning(findings, command, several=len(results) > 1)}")
    return results, {name: one.tag for name, one in ranked.by_name.items()}


def _decimals(form: str, digits: int) -> int:
    """Return how many decimals are printed."""
    return {"json": 17, "trec_eval": 4}.get(form, digits)


def _check_command(labels: Path, run: Path, metrics: list[str], preset: str, repeated: list[str]) -> str:
    """Return the command that shows the finding: the same metrics under all presets that were given."""
    from rankconv.specs.spec import each_spec, preset_and_rest

    specs = [preset_and_rest(spec) for text in metrics for spec in each_spec(text)]
    given = metrics if all(named is None for named, _ in specs) else [spec for _, spec in specs]
    presets = dict.fromkeys(named or preset for named, _ in specs)
    pairs = [*(("-m", spec) for spec in dict.fromkeys(given)), *(("-p", name) for name in presets)]
    parts = [str(labels), str(run), *(part for pair in pairs for part in pair), *repeated]
    return f"rankconv check {shlex.join(parts)}"


def _write_per_user(results: list[Any], file: Path, force: bool) -> None:
    import polars as pl

    frames = [result.to_frame().with_columns(run=pl.lit(result.run)) for result in results]
    write_table(pl.concat(frames), file, force=force)


def _user_table(results: list[Any], digits: int, full: bool) -> Any:
    """Return one table of all runs: a row per user, and the mean of each run."""
    tables = [result.user_table(digits, whole=full) for result in results]
    return _with_runs(tables, [result.run for result in results])


def _with_runs(tables: list[Any], runs: list[str]) -> Any:
    """Return the rows of several tables in one, whose first column is the run."""
    first = tables[0]
    if len(tables) == 1:
        return first
    rows = [[run, *row] for run, table in zip(runs, tables, strict=True) for row in table.rows]
    notes = [
        note.removesuffix(f", run: {run}.") + "." * note.endswith(f", run: {run}.")
        for run, table in zip(runs, tables, strict=True)
        for note in table.notes
    ]
    prose = frozenset(column + 1 for column in first.prose)
    return replace(
        first,
        headers=["run", *first.headers],
        rows=rows,
        notes=list(dict.fromkeys(notes)),
        prose=prose,
        labels=first.labels + 1,
    )


def _table(results: list[Any], digits: int) -> Any:
    """Return the means: one run with its notes, several with a column of runs."""
    return _with_runs([result.table(digits) for result in results], [result.run for result in results])


def _count_table(results: list[Any], digits: int) -> Any:
    """Return the means with one column per count, for CSV."""
    from rankconv.pages.table import Table

    tables = [result.table(digits) for result in results]
    counts = [list(result.counts.values()) for result in results]
    names = ["scored", *dict.fromkeys(name for each in counts for one in each for name in one if name != "scored")]
    rows = [
        [result.run, *row[:2], *(str(count.get(name, 0)) for name in names)]
        for result, table, each in zip(results, tables, counts, strict=True)
        for row, count in zip(table.rows, each, strict=True)
    ]
    return Table(["run", "metric", "mean", *names], rows, labels=2)


def _print(results: list[Any], form: str, per_user: bool, digits: int, tags: dict[str, str]) -> None:
    from rankconv.evaluation.result import trec_lines

    if form == "trec_eval":
        for result in results:
            print_lines(trec_lines(result, each_user=per_user, tag=tags[result.run]))
    elif form == "json":
        dicts = [result.to_dict() for result in results]
        print_json(dicts[0] if len(dicts) == 1 else dicts)
    else:
        print_table(_count_table(results, digits) if form == "csv" else _table(results, digits), form)
