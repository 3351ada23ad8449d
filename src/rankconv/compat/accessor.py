"""`frame.rankconv`: what a frame offers whose rows are a run."""

from collections.abc import Callable, Iterator
from typing import Any

import rankconv as rc
from rankconv.errors import nearest
from rankconv.inputs.columns import is_frame
from rankconv.metrics import METRICS
from rankconv.typing import Number

_GIVEN = "labels, k=None, preset=None, *, user=None, item=None, score=None, rank=None, grade=None, **given"


class RunAccessor:
    """The metrics of the run in this frame: `evaluate`, and each metric by its name, `frame.rankconv.ndcg`.

    `user`, `item`, `score` and `rank` name columns of the frame, without them usual names are looked for. `labels` is
    whatever `rc.Labels` takes; in another frame `user` and `item` name its columns too, and `grade` that of the grades.
    Columns that are called otherwise there are named by `rc.Labels(other, user=…)`.
    """

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    def evaluate(
        self,
        labels: Any,
        metrics: Any,
        preset: "str | rc.Preset | None" = None,
        *,
        user: str | tuple[str, ...] | None = None,
        item: str | tuple[str, ...] | None = None,
        score: str | None = None,
        rank: str | None = None,
        grade: str | None = None,
        **given: Any,
    ) -> rc.Result:
        """Evaluate this run under the definitions of a preset, as `rc.evaluate` does, which takes `given`.

        Raises what `rc.evaluate` raises: InputError for columns and rows, MetricError and ConventionError.
        """
        run = rc.Run(self._frame, user=user, item=item, score=score, rank=rank)
        return rc.evaluate(_labels(labels, user, item, grade), run, metrics, preset, **given)

    def __getattr__(self, name: str) -> Callable[..., Number]:
        if name.startswith("_") or name not in {*_names()}:
            meant = f" Did you mean '{found}'?" if (found := nearest(name, _names())) else ""
            own = f"Names of a preset's own are written so: evaluate(labels, '{name}@10', preset=…)."
            raise AttributeError(f"'{name:.60}' is not a metric.{meant} {own}", name=name, obj=self)

        def number(labels: Any, k: int | None = None, preset: Any = None, **given: Any) -> Number:
            return self.evaluate(labels, found := rc.metric(name if k is None else f"{name}@{k}", preset), **given)[
                found
            ]

        number.__name__ = number.__qualname__ = name
        number.__doc__ = f"What is the {name} of this run, at a cutoff k? An `Number`.\n\nTakes ({_GIVEN})."
        return number

    def __dir__(self) -> list[str]:
        return ["evaluate", *_names()]

    def __repr__(self) -> str:
        return "frame.rankconv: evaluate(labels, metrics, preset), ndcg(labels, k), map(labels, k), …"


def _names() -> Iterator[str]:
    """All metrics by the names that can be written after a dot."""
    for name, metric in METRICS.items():
        yield from (one for one in (name, *metric.spellings) if one.isidentifier())


def _labels(labels: Any, user: Any, item: Any, grade: str | None) -> rc.Labels:
    """The labels, whose columns are called as in the run where they are a table."""
    if not is_frame(labels):
        return rc.Labels(labels)
    try:
        return rc.Labels(labels, user=user, item=item, grade=grade)
    except rc.InputError as problem:
        parts = {part: getattr(problem, part) for part in ("where", "allowed", "nearest")}
        do = "Read labels with other column names first: rc.Labels(other, user=…, item=…, grade=…)."
        raise rc.InputError(problem.wrong, **parts, do=do if user or item else problem.do).at("labels") from None
