"""One run under many definitions, side by side."""

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Unpack

from rankconv.basics.errors import ConventionError, ForeignConvention, MetricError
from rankconv.basics.progress import watching
from rankconv.conventions.spec import SpecLike, each_spec, preset_and_rest
from rankconv.data import inputs
from rankconv.data.inputs.several_runs import one_run, several
from rankconv.data.joined import Joined
from rankconv.engine import measure
from rankconv.engine.metric_result import Measured
from rankconv.evaluation.joining import (
    SideDataLike,
    choose,
    join,
    read_by,
    refuse_without_memory,
    takes_joined,
)
from rankconv.evaluation.notes import warn_of_data, with_notes
from rankconv.evaluation.results.comparison import Comparison, are_columns, row_of
from rankconv.evaluation.results.comparison import columns as as_columns
from rankconv.evaluation.results.differences import Differences
from rankconv.presets import arguments
from rankconv.presets.arguments import Metrics
from rankconv.presets.definition import Definition
from rankconv.presets.preset import Preset
from rankconv.presets.preset_registry import HOUSE, expand
from rankconv.presets.preset_registry import preset as find_preset

if TYPE_CHECKING:
    from rankconv.evaluation.results.circumstances import SignedData

DEFAULT_PRESETS = ("blog", "mllib@2.1.3", "mllib", "kaggle", "trec_eval", "sklearn", HOUSE)


@takes_joined
def compare(
    labels: Any,
    run: Any = None,
    metrics: Metrics | Mapping[str, str | Definition] | None = None,
    preset: str | Preset | Sequence[str | Preset] | None = None,
    *,
    users: Iterable[Any] | None = None,
    columns: Mapping[str, Any] | None = None,
    memory: str | int | None = None,
    temp_dir: str | os.PathLike[str] | None = None,
    progress: bool | None = None,
    **side: Unpack[SideDataLike],
) -> Comparison:
    """Compare the values of a run under several definitions, and name the settings in which these differ.

    Parameters
    ----------
    labels, run
        As in `rc.evaluate`; several runs are compared in one table.
    metrics : MetricLike or mapping of str to MetricLike
        As in `rc.evaluate`. Without presets, a list of definitions with their presets, or a dict of them, makes a
        column of each.
    preset : str, path, Preset or a list of these, optional
        The presets to compare; `"all"`, or a group such as `"search"`. By default a selection.
    users
        As in `rc.evaluate`.
    columns, memory, temp_dir, progress
        As in `rc.evaluate`. With `memory` each run is read once, under all presets, and all settings that differ are
        named, also those that cannot matter on these data.
    seen, catalogue, train, item_features, parents, propensities, shown, group_target
        As in `rc.evaluate`.

    Returns
    -------
    Comparison
        `comparison[metric, preset]` is a mean: NaN where the preset does not offer the metric or refuses the data.

    Raises
    ------
    InputError, ConventionError
        As in `rc.evaluate`.
    MetricError
        If no preset knows a metric.

    Examples
    --------
    >>> import rankconv as rc
    >>> table = rc.compare({"u": ["a", "b", "c"]}, {"u": ["a", "x", "b"]}, "map@3", ["blog", "mllib", "trec_eval"])
    >>> [round(table["map@3", preset], 3) for preset in table.presets]
    [0.833, 0.556, 0.556]
    >>> ours = rc.metric("mllib:ndcg@3")
    >>> table = rc.compare({"u": {"a": 2, "b": 1}}, {"u": ["b"]}, {"Spark": ours, "mine": ours.replace(gain="linear")})
    >>> {name: round(table["ndcg@3", name], 4) for name in table.presets}
    {'Spark': 0.6131, 'mine': 0.3801}
    """
    rows, names, table = requested_cells(metrics, preset)
    if memory is not None:
        from rankconv.evaluation.streaming.large_files import ReadOptions
        from rankconv.evaluation.streaming.user_file import check_paths, measured_in_files

        by_name = dict(run) if isinstance(run, Mapping) else {"": run}
        shared = check_paths(labels, [*by_name.values()], users, side)
        how: ReadOptions = {"temp_dir": temp_dir, "columns": columns, "progress": progress}
        in_files = measured_in_files(labels, by_name, table, memory, side_data=shared, **how)
        return Comparison(rows, names, [*by_name], in_files, {name: Differences(None) for name in by_name})
    from rankconv.evaluation.results.circumstances import signed_data

    refuse_without_memory(temp_dir)
    labels, run = read_by(columns, labels, run)
    listed = None if users is None else arguments.users(users)
    joined_runs = {"": labels} if isinstance(labels, Joined) else _joined(labels, run, **side)
    cells: dict[tuple[str, str, str], Measured] = {}
    signed: dict[str, SignedData] = {}
    for name, joined in joined_runs.items():
        joined, mask = choose(joined, listed)
        with watching(progress) as report:
            measured = measure(joined, list(table.values()), mask, report=report)
        noted = with_notes(joined, measured)
        cells |= {(name, *place): one for place, one in zip(table, noted, strict=True)}
        signed[name] = signed_data(table.values(), joined, listed)
    warn_of_data(next(iter(joined_runs.values())), [*table.values()])
    facts = {name: Differences(joined) for name, joined in joined_runs.items()}
    return Comparison(rows, names, list(joined_runs), cells, facts, signed)


def _joined(labels: Any, rankings: Any, **side_data: Unpack[SideDataLike]) -> dict[str, Joined]:
    """The labels with each run, by its name."""
    known, ranked = inputs.labels(labels), several(rankings)
    by_name = {"": one_run(rankings)} if ranked is None else ranked.by_name
    return {name: join(known, run, **side_data) for name, run in by_name.items()}


def requested_cells(
    metrics: Any, presets: Any = None
) -> tuple[list[str], list[str], dict[tuple[str, str], Definition]]:
    """The metrics, the names of presets or columns, and what each of these means by each metric that it has."""
    if are_columns(metrics, presets):
        found = as_columns(metrics, find_preset(HOUSE))
        row = row_of(found)
        return [row], list(found), {(row, name): one for name, one in found.items()}
    rows, chosen, table = requested(metrics, presets)
    return rows, [preset.name for preset in chosen], table


def requested(
    metrics: Any, presets: str | Preset | Sequence[str | Preset] | None = None
) -> tuple[list[str], list[Preset], dict[tuple[str, str], Definition]]:
    """The metrics and presets that are put side by side, and what each preset means by each metric that it has."""
    chosen, specs = requested_presets(presets), arguments.specs(metrics)
    try:
        rows = _rows(specs, chosen)
        table = {
            (name, preset.name): one
            for name, row in rows.items()
            for preset in chosen
            for one in _meaning(preset, row, chosen)
        }
        _check_known(rows, chosen, table)
    except (ConventionError, MetricError) as error:
        raise arguments.explained(error, *specs) from None
    return list(rows), chosen, table


def _meaning(preset: Preset, row: SpecLike, chosen: list[Preset]) -> Sequence[Definition]:
    """What a preset means by a metric; nothing where it has none, or where the words are those of another's system."""
    try:
        return preset.define(row) if preset.offers(row) else ()
    except ForeignConvention:  # its `recall`, say, is a hit rate
        if len(chosen) > 1:
            return ()
        raise
    except (ConventionError, MetricError):
        if any(other.native(row) for other in chosen):
            return ()
        raise


def requested_presets(
    requested: str | Preset | Sequence[str | Preset] | None,
    usual: Sequence[str] = DEFAULT_PRESETS,
    *,
    run_plugin: bool = True,
) -> list[Preset]:
    """The presets that names, groups and presets stand for, each once; the usual ones, where nothing is requested.

    With `run_plugin=False` no plugin is run that a preset's file names.
    """
    names = [name for one in _listed(requested, usual) for name in (expand(one) if isinstance(one, str) else [one])]
    found: dict[str, Preset] = {}
    for preset in (find_preset(name, run_plugin=run_plugin) for name in names):
        if not found.setdefault(preset.name, preset).same(preset):
            do = "Name the changed ones: .replace(…, name='…')."
            shell = "Give one of the files, and the preset in it, another name."
            raise ConventionError(f"two different presets are called '{preset.name}'", do=do, shell=shell)
    return list(found.values())


def _listed(requested: Any, usual: Sequence[str]) -> list[Any]:
    if isinstance(requested, Mapping):
        raise ConventionError("presets were given as a mapping", do=f"Pass a list: {[*requested]!r:.200}.")
    if requested is None or (isinstance(requested, Collection) and not isinstance(requested, (str, bytes))):
        return list(requested or usual)
    return [requested]


def _rows(requested: list[str | Definition], presets: list[Preset]) -> dict[str, SpecLike]:
    """One row per number: `map@5,10` is two, a nickname has all that any of the presets means by it.

    Of a definition the metric is read under every preset, with the settings that were changed.
    """
    rows: dict[str, SpecLike] = {}
    for one in requested:
        listed: Sequence[SpecLike] = [one] if isinstance(one, str) else [one.requested]
        if isinstance(one, str) and not any(preset.native(one) for preset in presets):
            listed = each_spec(one)
        rows |= {str(row): row for spec in listed for row in _meant(spec, presets)}
    return rows


def _meant(spec: SpecLike, presets: list[Preset]) -> Sequence[SpecLike]:
    if (preset_and_rest(spec)[0] if isinstance(spec, str) else spec.preset) is not None:
        raise MetricError(
            f"'{spec}' names a preset", do="compare evaluates every metric under all presets: leave the prefix out."
        )
    if not isinstance(spec, str):
        return [spec]
    known = [preset for preset in presets if spec in preset.nicknames or preset.native(spec)]
    return [one for preset in known for one in preset.members(spec)] if known else [spec]


def _check_known(rows: Mapping[str, SpecLike], presets: list[Preset], table: dict[tuple[str, str], Definition]) -> None:
    """Refuse a misspelled metric, and metrics of which these presets offer none; one of several is a note."""
    absent = [metric for metric in rows if not any((metric, preset.name) in table for preset in presets)]
    for metric in absent:
        find_preset(HOUSE).define(rows[metric])
    if absent and len(absent) == len(rows):
        raise MetricError(
            f"none of these presets offers {', '.join(absent)}: {', '.join(preset.name for preset in presets)}",
            do="Add the preset rankconv, which offers every metric.",
            shell="Add -p rankconv, which offers every metric.",
        )
