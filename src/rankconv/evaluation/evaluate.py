"""The evaluation of a run."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Unpack, overload

from rankconv.basics.errors import MetricError, warn
from rankconv.basics.progress import watching
from rankconv.data import inputs
from rankconv.data.inputs.reading import are_runs, are_score_matrices, score_matrix
from rankconv.data.joined import Joined
from rankconv.data.labels_and_rankings import Runs
from rankconv.engine import measure
from rankconv.evaluation.joining import (
    SideDataLike,
    choose,
    join,
    read_by,
    refuse_without_memory,
    takes_joined,
)
from rankconv.evaluation.notes import input_notes, warn_of_data, with_notes
from rankconv.evaluation.results.result import Errors, Result, raise_first
from rankconv.presets import arguments
from rankconv.presets.arguments import Metrics, define
from rankconv.presets.definition import Definition
from rankconv.presets.preset import Preset
from rankconv.presets.preset_registry import HOUSE
from rankconv.presets.preset_registry import preset as find_preset

if TYPE_CHECKING:
    from rankconv.evaluation.results.circumstances import SignedData


class EvaluateOptions(SideDataLike, total=False):
    """What else `evaluate` takes."""

    users: Iterable[Any] | None
    per_user: bool | str | os.PathLike[str]
    columns: Mapping[str, Any] | None
    memory: str | int | None
    temp_dir: str | os.PathLike[str] | None
    progress: bool | None
    on_error: Errors
    digests: bool


@overload
def evaluate(
    labels: Any, run: Runs, metrics: Metrics, preset: str | Preset | None = ..., **options: Unpack[EvaluateOptions]
) -> dict[str, Result]: ...
@overload
def evaluate(
    labels: Any,
    run: Any,
    metrics: Metrics | None = ...,
    preset: str | Preset | None = ...,
    **options: Unpack[EvaluateOptions],
) -> Result: ...
@takes_joined
def evaluate(
    labels: Any,
    run: Any = None,
    metrics: Metrics | None = None,
    preset: str | Preset | None = None,
    *,
    users: Iterable[Any] | None = None,
    per_user: bool | str | os.PathLike[str] = True,
    columns: Mapping[str, Any] | None = None,
    memory: str | int | None = None,
    temp_dir: str | os.PathLike[str] | None = None,
    progress: bool | None = None,
    on_error: Errors = "raise",
    digests: bool = True,
    **side: Unpack[SideDataLike],
) -> Result | dict[str, Result]:
    """Evaluate a run under the definitions of a preset.

    Parameters
    ----------
    labels : LabelsLike
        Relevance judgments (qrels, ground truth): whatever `rc.Labels` reads. Or an `rc.join`, followed by the metrics.
    run : RunLike or mapping of str to RunLike
        What is evaluated: whatever `rc.Run` reads. Several runs come as `rc.Runs` or as a dict by name.
    metrics : MetricLike, optional
        `"ndcg@10"`, `"map@5,10"`, `"ndcg@1-8"`, `"blog:mrr"`, `"ndcg(gain=exponential)@10"`, an `rc.metric(…)`, a list
        of these, or a set of metrics that a system names, such as `official` of trec_eval. By default those that the
        preset of a test collection or contest reports.
    preset : str, path or Preset, optional
        The preset of metrics that name none; by default `rankconv`.
    users : iterable of ids, optional
        The users that are evaluated; ids without labels and ranking are added as users of the data.
    per_user : bool or path, default True
        Whether values of users are kept. False keeps means and counts only. A path (.csv, .parquet, .jsonl; needs
        pyarrow) is the file to which the values of users are written.
    columns : mapping, optional
        Names of columns, `{"user": "uid"}`; of the labels or the run alone, `{"run.item": "iid"}`.
    memory : str or int, optional
        Memory to use, such as `"2GB"`, for data that memory does not hold. Labels and run are then paths of files or
        folders (every format but JSON), or tables of DuckDB, ibis or Arrow streams, and are read batch by batch. The
        result has no users. Without it, files larger than the free memory give a RuntimeWarning.
    temp_dir : path, optional
        Folder for temporary files of `memory`.
    progress : bool, optional
        Whether a progress bar is shown on stderr. By default it appears after two seconds, at a terminal or in a
        notebook.
    on_error : {"raise", "collect"}, default "raise"
        Raise the first MetricError, or leave that mean NaN and keep the error in `result.errors`.
    digests : bool, default True
        Whether signatures have digests of the data: of more than 250,000 rows they are made while these are evaluated
        (about 25 ns a row, 80 with text ids), of others when a signature is read. Without them signatures say
        `not-made`, and agree with nothing.
    seen : LabelsLike, optional
        Items that each user already had; only `exclude=seen` reads them.
    catalogue : iterable of ids or int, optional
        All items that exist, or their number.
    train : LabelsLike, optional
        The interactions that the model was trained on, read by metrics beyond accuracy.
    item_features, parents, propensities : mapping, frame or path, optional
        Vectors or categories of items, documents of chunks, and the propensities of items, as in `rc.join`.
    shown : RunLike, optional
        The run that was shown when clicks were logged, as in `rc.join`.
    group_target : mapping, frame or path, optional
        The share that each group of items should have, as in `rc.join`.

    Returns
    -------
    Result or dict of str to Result
        A mapping from each metric to its mean, with the values of users; for several runs one for each. A mean is NaN
        where the preset gives no number.

    Raises
    ------
    InputError
        If the data cannot be read, with file, line, user and item.
    ConventionError
        If a preset, convention or setting is unknown.
    MetricError
        If a metric is unknown, or the preset refuses these data.

    Examples
    --------
    >>> import rankconv as rc
    >>> labels = {"ada": {"a": 3, "b": 1}, "bob": {"c": 1}}
    >>> run = {"ada": ["a", "x", "b"], "bob": ["y", "c"]}
    >>> result = rc.evaluate(labels, run, ["ndcg@3", "map"], preset="trec_eval")
    >>> round(result["ndcg@3"], 4), round(result["map"], 4)
    (0.7974, 0.6667)
    >>> result.per_user["map"].round(4).tolist()
    [0.8333, 0.5]
    """
    arguments.word(on_error, Errors, "on_error")
    if memory is not None:
        from rankconv.evaluation.streaming.large_files import ReadOptions
        from rankconv.evaluation.streaming.user_file import check_paths, of_files

        shared = check_paths(labels, [run], users, side)
        file = per_user if isinstance(per_user, str | os.PathLike) else None
        where: ReadOptions = {"temp_dir": temp_dir, "columns": columns, "progress": progress}
        given = labels, run, metrics, preset, memory
        return of_files(*given, side_data=shared, per_user=file, on_error=on_error, digests=digests, **where)
    refuse_without_memory(temp_dir)
    matrices = not columns and are_score_matrices(run)
    labels, run = read_by(columns, labels, run)
    run = Runs(run) if not matrices and are_runs(run) else run
    if isinstance(per_user, str | os.PathLike):
        do = "Leave it out, and write result.to_frame(), which has them."
        raise MetricError("values of users go to a file with memory= alone", do=do)
    in_files = any(isinstance(one, str | os.PathLike | list) for one in (labels, run))
    if large := in_files and _too_large(labels, run):
        warn(large, RuntimeWarning)
    chosen = find_preset(HOUSE if preset is None else preset)
    listed = None if users is None else arguments.users(users)
    kept: dict[str, Any] = {"per_user": bool(per_user), "progress": progress, "digests": digests}
    one_run = _OneRun(chosen.name, define(metrics, chosen), {"seen": None, **side}, listed, **kept)
    if matrices or isinstance(run, Runs):
        labels = labels if matrices else inputs.labels(labels)
        by_name = run.by_name if isinstance(run, Runs) else run
        return {name: replace(one_run.result(labels, one, on_error), run=name) for name, one in by_name.items()}
    return one_run.result(labels, run, on_error)


def evaluate_definition(definition: Definition, labels: Any, run: Any = None, **given: Any) -> Any:
    """What a definition gives when it is called: a number; for several runs a dict of numbers by run."""
    found = evaluate(labels, run, definition, **given)
    return {name: one[definition] for name, one in found.items()} if isinstance(found, dict) else found[definition]


def _too_large(labels: Any, run: Any) -> str:
    """What to say of files that the memory does not hold."""
    from rankconv.evaluation.streaming.memory import too_large

    return too_large(labels, run, "memory='{}'")


@dataclass(frozen=True)
class _OneRun:
    """The evaluation of one run in memory."""

    preset: str
    definitions: dict[str, Definition]
    side: SideDataLike
    users: Sequence[Any] | None
    per_user: bool
    progress: bool | None
    digests: bool

    def result(self, labels: Any, run: Any, on_error: Errors) -> Result:
        """Evaluate labels and a run, or both joined; of a large matrix of scores first rows where they are enough."""
        from rankconv.evaluation.results.circumstances import HELD_ROWS

        scores = None if isinstance(labels, Joined) else score_matrix(run)
        held = False
        definitions = [*self.definitions.values()]
        if scores is not None and scores.size > HELD_ROWS:
            from rankconv.evaluation.matrices import measure_matrix

            with watching(self.progress) as report:
                given = labels, scores, definitions, self.side, self.users
                joined, measured = measure_matrix(*given, per_user=self.per_user, report=report)
            signed = self._signed(definitions, joined, of_matrix=True)
        else:
            whole = labels if isinstance(labels, Joined) else join(labels, run, **self.side)
            joined, mask = choose(whole, self.users)
            with watching(self.progress) as report:
                measured = measure(joined, definitions, mask, per_user=self.per_user, report=report)
            measured = with_notes(joined, measured)
            held = mask is None and self.per_user and joined.rankings.row_count <= HELD_ROWS
            signed = self._signed(definitions, joined)
        warn_of_data(joined, definitions, listed=self.users is not None)
        found = Result(
            self.preset,
            joined.users.values,
            dict(zip(self.definitions, measured, strict=True)),
            library=joined.library,
            notes=input_notes(joined, definitions, listed=self.users is not None),
            joined=joined if held else None,
            signed=signed,
        )
        if on_error == "raise":
            raise_first(found.errors)
        return found

    def _signed(
        self, definitions: Sequence[Definition], joined: Joined, *, of_matrix: bool = False
    ) -> "SignedData | None":
        """The data for signatures, unless none are wanted."""
        if not self.digests:
            return None
        from rankconv.evaluation.results.circumstances import signed_data

        return signed_data(definitions, joined, self.users, of_matrix=of_matrix)
