"""`rankconv evaluate`: the numbers of a run."""

import shlex
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from rankconv.cli import files
from rankconv.cli.asking import at_cutoffs, chosen_users
from rankconv.cli.options import (
    Catalogue,
    Columns,
    Cutoffs,
    Digits,
    EvaluateFormat,
    Features,
    Format,
    Memory,
    Metrics,
    Plugins,
    Progress,
    Quiet,
    Seen,
    Temp,
    Train,
    Users,
    Whole,
)
from rankconv.cli.printing import print_json, print_lines, print_table, say
from rankconv.errors import MetricError
from rankconv.plugins import command_after
from rankconv.writing import check_table, write_table

EACH = {
    EvaluateFormat.trec_eval: "There, -q prints each user.",
    EvaluateFormat.json: "Write them: --per-user FILE.jsonl.",
}
"""How else each user's values are had."""


@command_after("")
def evaluate(
    labels: Annotated[Path, typer.Argument(help="Labels: a file of any kind that is read; - for stdin.")],
    run: Annotated[list[Path], typer.Argument(help="One or more runs, or a folder of them; - for stdin.")],
    metric: Metrics,
    preset: Annotated[
        str, typer.Option("-p", "--preset", help="The preset that defines them; a name or a YAML file.")
    ] = "rankconv",
    form: Annotated[
        EvaluateFormat, typer.Option("--format", help="How to print; trec_eval: as that program does.")
    ] = EvaluateFormat.table,
    each_user: Annotated[bool, typer.Option("-q", help="With --format trec_eval: each user too.")] = False,
    per_user: Annotated[
        Path | None, typer.Option(help="Write each user's values to this file: .csv, .parquet or .jsonl.")
    ] = None,
    by_user: Annotated[bool, typer.Option("--by-user", help="Print each user's values, and the mean below.")] = False,
    whole: Whole = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file if there is one.")] = False,
    quiet: Quiet = False,
    k: Cutoffs = "",
    user: Users = [],  # noqa: B006
    digits: Digits = 4,
    seen: Seen = None,
    catalogue: Catalogue = None,
    train: Train = None,
    features: Features = None,
    memory: Memory = None,
    temp: Temp = None,
    progress: Progress = None,
    column: Columns = [],  # noqa: B006
    plugin: Plugins = [],  # noqa: B006
) -> None:
    """What are the numbers of a run under one preset?"""
    import rankconv as rc
    from rankconv.ask.evaluate.fitting import too_large
    from rankconv.ask.findings.warning import places, warned, warning, worst
    from rankconv.inputs.folder import named_by_file
    from rankconv.presets.defining import define
    from rankconv.presets.registry import preset as find_preset

    files.load(plugin)
    if per_user:
        check_table(per_user, force=force)
    if each_user and form is not EvaluateFormat.trec_eval:
        raise MetricError("-q goes with --format trec_eval", do="For a table of all users: --per-user FILE.csv.")
    if by_user and form in (EvaluateFormat.trec_eval, EvaluateFormat.json):
        raise MetricError(f"--by-user goes with a table, not with --format {form.value}", do=EACH[form])
    asked = at_cutoffs(metric, k)
    define(asked, find_preset(preset))
    if memory is not None:
        from rankconv.ask.evaluate.of_files import of_files

        files.refuse_with_memory({"-q": each_user, "--by-user": by_user, "-u": user, "--seen": seen})
        [name] = named_by_file(run[:1])
        extra = files.beside(None, catalogue, train, features)
        result = of_files(
            str(labels),
            [str(one) for one in run],
            asked,
            preset,
            memory,
            beside={what: given for what, given in extra.items() if what != "seen"},
            per_user=per_user,
            force=force,
            run=name,
            columns=files.named(column),
            temp=temp,
            progress=progress,
        )
        _print([result], form, False, digits, {name: ""})
        return
    large = "" if quiet else too_large(labels, run, "--memory {}")
    if large:
        say(f"rankconv: {large}")
    known, ranked = files.labels(labels, column, quiet), files.runs(run, column, labels, quiet)
    chosen = chosen_users(user, known, ranked)
    looks = not quiet and chosen is None  # the lint looks at everybody
    given: dict[str, Any] = {**files.beside(seen, catalogue, train, features)}
    results, found, kept = [], [], bool(per_user or each_user or by_user or looks)
    for name, one in ranked.by_name.items():
        joined = rc.join(known, one, **given)
        result = rc.evaluate(joined, asked, preset, users=chosen, per_user=kept, temp_dir=temp, progress=progress)
        notes = tuple(note for note in result.notes if note not in joined.assumed)  # told when the files were read
        results.append(replace(result, run=name, notes=notes, joined=None))
        found += warned(joined, places(result.by_spec), name, _digits(form, digits)) if looks else []
    if found:
        beside: dict[str, list[Any]] = {"column": column, "plugin": plugin, "seen": [seen], "catalogue": [catalogue]}
        beside |= {"train": [train], "features": [features]}
        repeated = [f"--{name}={value}" for name, values in beside.items() for value in values if value is not None]
        command = _check_command(labels, files.run_files(run)[worst(found).run], asked, preset, repeated)
        say(f"rankconv: {warning(found, command, several=len(results) > 1)}")
    if per_user:
        _write_per_user(results, per_user, force)
    if by_user:
        for result in results:
            print_table(result.user_table(digits, whole=whole), Format(form.value))
        return
    _print(results, form, each_user, digits, {name: one.tag for name, one in ranked.by_name.items()})


def _digits(form: EvaluateFormat, digits: int) -> int:
    """How many decimals are printed."""
    return {EvaluateFormat.json: 17, EvaluateFormat.trec_eval: 4}.get(form, digits)


def _check_command(labels: Path, run: Path, metrics: list[str], preset: str, repeated: list[str]) -> str:
    """What shows the finding: the same metrics, which name no presets there, under all that were asked."""
    from rankconv.questions.spec import each_spec, preset_and_rest

    specs = [preset_and_rest(spec) for text in metrics for spec in each_spec(text)]
    told = metrics if all(named is None for named, _ in specs) else [spec for _, spec in specs]
    presets = dict.fromkeys(named or preset for named, _ in specs)
    asked = [*(("-m", spec) for spec in dict.fromkeys(told)), *(("-p", name) for name in presets)]
    parts = [str(labels), str(run), *(part for pair in asked for part in pair), *repeated]
    return f"rankconv check {shlex.join(parts)}"


def _write_per_user(results: list[Any], file: Path, force: bool) -> None:
    import polars as pl

    frames = [result.to_frame().with_columns(run=pl.lit(result.run)) for result in results]
    write_table(pl.concat(frames), file, force=force)


def _print(results: list[Any], form: EvaluateFormat, each_user: bool, digits: int, tags: dict[str, str]) -> None:
    from rankconv.ask.evaluate.trec_lines import trec_lines

    if form is EvaluateFormat.trec_eval:
        for result in results:
            print_lines(trec_lines(result, each_user=each_user, tag=tags[result.run]))
    elif form is EvaluateFormat.json:
        dicts = [result.to_dict() for result in results]
        print_json(dicts[0] if len(dicts) == 1 else dicts)
    else:
        for result in results:
            print_table(result.table(digits), Format(form.value))
