"""Curves of a metric over the cutoff, or of precision over recall."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product, zip_longest
from typing import Any, Literal

import numpy as np
from typing_extensions import TypedDict

from rankconv.basics.errors import InputError, MetricError
from rankconv.basics.optional import frame_of
from rankconv.conventions.spec import MOST_CUTOFFS, each_spec
from rankconv.data import inputs
from rankconv.data.arrays import Numbers
from rankconv.data.clusters import Cluster, clusters_of
from rankconv.data.ids import Ids
from rankconv.data.inputs.several_runs import one_run, several
from rankconv.data.joined import Joined
from rankconv.data.labels_and_rankings import Run
from rankconv.engine.scoring import entering
from rankconv.evaluation.compare import requested_presets
from rankconv.evaluation.evaluate import evaluate
from rankconv.evaluation.joining import join
from rankconv.evaluation.results.result import Result, raise_first
from rankconv.evaluation.statistics.intervals import band
from rankconv.presets import arguments
from rankconv.presets.arguments import define
from rankconv.presets.definition import Definition
from rankconv.presets.preset import Preset
from rankconv.presets.preset_registry import HOUSE
from rankconv.rendering.pages.cells import finite, number
from rankconv.rendering.pages.curve_plot import Curves, PlottedCurve, draw
from rankconv.rendering.pages.display import Drawn, Tabular
from rankconv.rendering.pages.page import Page
from rankconv.rendering.pages.picture import Target
from rankconv.rendering.pages.table import Table, csv_of


class RankCurveData(TypedDict):
    """Curves of a metric by cutoff, or of precision by recall."""

    across: str
    """The horizontal axis: `k` or `recall`."""
    up: str
    """The vertical axis."""
    lines: dict[str, dict[str, list[float | None]]]
    """By line the numbers from rank 1 on: those of both axes by their names, and `low` and `high`, the limits of the
    band of 95 %, where there is one; null where there is no value."""


@dataclass(frozen=True, eq=False)
class CurveLine:
    """One curve; arrays have shape (ranks,), from rank 1 on."""

    across: Numbers
    up: Numbers
    low: Numbers | None = None
    """The lower ends of the band of 95 %; None where there is none."""
    high: Numbers | None = None


@dataclass(frozen=True, eq=False, repr=False)
class RankCurve(Drawn, Tabular):
    """Metrics of runs at each length of the list, or precision against recall; NaN where there is no value."""

    lines: Mapping[str, CurveLine]
    across: str
    """The horizontal axis: `k` or `recall`."""
    up: str
    title: str
    library: str = field(default="", repr=False)
    """The library whose table the data came in, for `to_frame`."""

    def to_frame(self) -> Any:
        """All that is drawn: the line, k, what the horizontal axis is, the value, and the ends of its band."""
        frames = list[dict[str, Any]]()
        for name, one in self.lines.items():
            size, nothing = len(one.up), np.full(len(one.up), np.nan)
            columns = {"value": one.up} if self.across == "k" else {self.across: one.across, "value": one.up}
            if self.across == "k":
                columns |= {"low": nothing if one.low is None else one.low}
                columns |= {"high": nothing if one.high is None else one.high}
            frames.append({"line": np.full(size, name, object), "k": np.arange(1, size + 1), **columns})
        return frame_of({name: np.concatenate([one[name] for one in frames]) for name in frames[0]}, None, self.library)

    def to_dict(self) -> RankCurveData:
        """Everything as plain data; NaN is None."""
        fields = {name: self._data_of(one) for name, one in self.lines.items()}
        return {"across": self.across, "up": self.up, "lines": fields}

    def _data_of(self, one: CurveLine) -> dict[str, list[float | None]]:
        named = {self.across: one.across, self.up: one.up, "low": one.low, "high": one.high}
        return {name: list(map(finite, values.tolist())) for name, values in named.items() if values is not None}

    def table(self, digits: int = 4) -> Table:
        """A row for each rank: the values of all lines; against recall two columns for each."""
        size = max((len(one.up) for one in self.lines.values()), default=0)
        columns = [("k", [str(at + 1) for at in range(size)])]
        for name, one in self.lines.items():
            each = [(name, one.up)]
            if self.across != "k":
                each = [(f"{name} {self.across}", one.across), (f"{name} {self.up}", one.up)]
            columns += [(head, [number(value, digits) for value in values]) for head, values in each]
        rows = zip_longest(*(cells for _, cells in columns), fillvalue="")
        return Table([head for head, _ in columns], list(rows), 0)

    def to_csv(self, **shown: Any) -> str:
        """Return all that is drawn as CSV, in full."""
        return csv_of(self.to_frame())

    def _page(self, digits: int = 4) -> Page:
        """The table alone."""
        return Page([[self.table(digits)]])

    def __repr__(self) -> str:
        return f"RankCurve({self.title})"

    def plot(self, path: Target, digits: int = 4) -> None:
        """Draw the curves into an SVG or PNG file; `digits` has no effect."""
        lines = [PlottedCurve(name, one.across, one.up, one.low, one.high) for name, one in self.lines.items()]
        draw(Curves(self.title, self.across, self.up, lines, unit=self.across != "k"), path)


Axis = Literal["k", "recall"]


def curve(
    labels: Any,
    run: Any,
    metrics: str | Sequence[str] | None = None,
    preset: str | Preset | Sequence[str | Preset] | None = None,
    *,
    over: Axis = "k",
    max_k: int | None = None,
    n_resamples: int = 1000,
    seed: int = 0,
    cluster: Cluster | None = None,
    seen: Any = None,
    catalogue: Any = None,
) -> RankCurve:
    """Compute metrics at each cutoff (over="k"), or precision at levels of recall (over="recall").

    Parameters
    ----------
    labels, run
        As in `rc.evaluate`; one run or several.
    metrics : MetricLike, optional
        Metrics with a cutoff; with `over="recall"` none.
    preset : str, path, Preset or a list of these, optional
        The presets; each is a line.
    over : {"k", "recall"}, default "k"
        The horizontal axis.
    max_k : int, optional
        The last cutoff; by default the length of the longest list.
    n_resamples : int, default 1000
        Number of bootstrap samples of users for the 95 % band around plain means; 0 for none.
    seed : int, default 0
        Random seed.
    cluster : int, sequence of int or mapping, optional
        What is resampled as one, as in `rc.test`.
    seen, catalogue
        As in `rc.evaluate`.

    Returns
    -------
    RankCurve
        The lines by name, with their bands.

    Raises
    ------
    InputError
        If the data cannot be read, or the user is unknown.
    MetricError
        If a metric has no cutoff.

    Examples
    --------
    >>> import rankconv as rc
    >>> found = rc.curve({"u": ["2", "6"]}, {"A": {"u": ["6", "2", "1"]}}, over="recall")
    >>> found.lines["A"].across.tolist(), found.lines["A"].up.round(3).tolist()
    ([0.5, 1.0, 1.0], [1.0, 1.0, 0.667])
    """
    arguments.word(over, Axis, "over")
    arguments.number(n_resamples, "n_resamples")
    of_recall, named = over == "recall", several(run)
    if of_recall and metrics is not None:
        do, shell = (f"Leave it out, or say {how}." for how in ("over='k'", "--over k"))
        raise MetricError("precision against recall takes no metric", do=do, shell=shell)
    runs = {"run": one_run(run)} if named is None else named.by_name
    known, size = inputs.labels(labels), _size(max_k, runs.values())
    presets = requested_presets(preset, [HOUSE])
    names = ["precision"] if of_recall else [spec for text in _texts(metrics) for spec in each_spec(text)]
    lines: dict[str, CurveLine] = {}
    for name, one in runs.items():
        joined = join(known, one, seen=seen, catalogue=catalogue)
        for among, metric in product(presets, names):
            parts = [name] if of_recall or len(runs) > 1 else []
            parts += [metric] if len(names) > 1 or not parts else []
            parts += [among.name] if len(presets) > 1 else []
            result = _evaluated(joined, metric, among, size)
            if of_recall:
                line = CurveLine(_means(_evaluated(joined, "recall", among, size)), _means(result))
            else:
                ends = _band(result, joined.users, n_resamples, seed, cluster)
                line = CurveLine(np.arange(1.0, size + 1), _means(result), *ends)
            lines[", ".join(parts)] = line
    up = "precision" if of_recall else ", ".join(names)
    what = "Precision against recall at each" if of_recall else f"{up} by the"
    library = next((one.library for one in runs.values() if one.library), known.library)
    return RankCurve(lines, over, up, f"{what} length of the list", library)


def _size(max_k: int | None, runs: Iterable[Run]) -> int:
    """How many ranks a curve has."""
    longest = max((int(run.lengths.max(initial=0)) for run in runs), default=0)
    size = min(longest, MOST_CUTOFFS) if max_k is None else max_k
    if max_k is None and not size:
        do, shell = (f"Say how many ranks the curve has: {how}." for how in ("max_k=10", "--max-k 10"))
        raise InputError("no list has an item", do=do, shell=shell)
    if isinstance(size, bool) or not hasattr(size, "__index__") or not 1 <= size <= MOST_CUTOFFS:
        allowed = f"A whole number from 1 to {MOST_CUTOFFS:,}"
        raise InputError(f"max_k={size!r:.100} is not a number of ranks", allowed=allowed)
    return int(size)


def _texts(metrics: Any) -> list[str]:
    """The requested metrics, by default NDCG; a curve makes its own definitions, one for each cutoff."""
    if isinstance(metrics, Collection) and not metrics:
        raise MetricError("no metric is given", do="Pass one or more without a cutoff, such as ['ndcg', 'map'].")
    texts = arguments.specs("ndcg" if metrics is None else metrics)
    for one in texts:
        if isinstance(one, Definition):
            wrong = f"a curve takes the text of a metric, and {one!r:.100} is a definition"
            raise MetricError(wrong, do=f"Write it without its cutoff: '{_without_cutoff(one.text)}'.")
    return [str(one) for one in texts]


def _without_cutoff(text: str) -> str:
    """The text of a metric without what follows its last `@`, if that is a cutoff."""
    return text.rpartition("@")[0] if "@" in text.rpartition(")")[2] else text


def _evaluated(joined: Joined, metric: str, preset: Preset, size: int) -> Result:
    """A metric at each rank up to `size`; a MetricError where there is none at any."""
    if _without_cutoff(metric) != metric:
        do, shell = (f"Leave it out: '{_without_cutoff(metric)}', and {how}." for how in ("max_k=50", "--max-k 50"))
        raise MetricError(f"'{metric}' names a cutoff, and a curve is of all", do=do, shell=shell)
    result = evaluate(joined, list(define(f"{metric}@1-{size}", preset).values()), on_error="collect")
    if len(result.errors) == len(result):
        raise_first(result.errors)
    return result


def _means(result: Result) -> Numbers:
    """The mean at each rank, shape (ranks,)."""
    return np.array([float(result[spec]) for spec in result])


def _band(
    result: Result, ids: Ids, draws: int, seed: int, cluster: Cluster | None
) -> tuple[Numbers, Numbers] | tuple[None, None]:
    """Where each mean is, both of shape (ranks,); nothing where some number is no plain mean over users.

    `ids` are those of the users, in whose order they are drawn: in which order they came does not matter.
    """
    each, order = [result.measured(spec) for spec in result], np.argsort(ids.text_rank)
    counted = np.array([entering(one.definition, one.states)[order] for one in each]).T
    values = np.array([one.values[order] for one in each]).T
    with np.errstate(over="ignore", invalid="ignore"):
        plain = np.where(counted, values, 0.0).sum(axis=0) / counted.sum(axis=0)
    if not draws or not np.allclose(plain, _means(result), atol=1e-12):
        return None, None
    clusters = None if cluster is None else clusters_of(result.users[order], cluster)
    return band(values, counted, draws=draws, seed=seed, clusters=clusters)
