"""Numbers in an experiment tracker: under names that all of them take, with definition and fingerprint besides."""

import os
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from rankconv.engine.metric_result import Measured
from rankconv.errors import MetricError
from rankconv.optional import require
from rankconv.presets import arguments

Tracker = Literal["mlflow", "wandb", "tensorboard"]
AT_ONCE = 50
"""Numbers in one call to MLflow, which takes 100 parameters at a time, two of each number."""


@dataclass(frozen=True)
class Logged:
    """One number as a tracker keeps it."""

    name: str
    value: float
    definition: str
    fingerprint: str
    """Empty where a setting is a function."""

    @property
    def params_of(self) -> dict[str, str]:
        """What the number is, by names that begin with its own."""
        fields = {f"{self.name}_definition": self.definition, f"{self.name}_fingerprint": self.fingerprint}
        return {name: text for name, text in fields.items() if text}


def log(tracker: Tracker, by_spec: Mapping[str, Measured], prefix: str, step: int | None, to: Any) -> None:
    """Write numbers, definitions and fingerprints to a tracker; as `Result.log` says it.

    >>> import rankconv as rc
    >>> class Printed:  # in place of a SummaryWriter
    ...     def add_scalar(self, name, value, step): print(name, round(value, 4), step)
    ...     def add_text(self, name, text, step): print(name, text)
    >>> result = rc.evaluate({"u": ["a"]}, {"u": ["x", "a"]}, "ndcg@10", "mllib")
    >>> result.log("tensorboard", step=3, to=Printed())
    ndcg_at_10 0.6309 3
    ndcg_at_10_definition mllib:ndcg@10
    ndcg_at_10_fingerprint 803ba240f99f660e
    """
    arguments.word(tracker, Tracker, "tracker")
    if step is not None:
        arguments.number(step, "step")
    numbers = [
        Logged(safe(prefix, spec), float(one.mean), one.definition.text, one.definition.fingerprint)
        for spec, one in by_spec.items()
    ]
    named: dict[str, str] = {}
    for spec, one in zip(by_spec, numbers, strict=True):
        if named.setdefault(one.name, spec) != spec:
            wrong = f"'{named[one.name]}' and '{spec}' would both be called {one.name}"
            raise MetricError(wrong, do="Evaluate and log them one after the other, each with a prefix= of its own.")
    _WRITERS[tracker](numbers, None if step is None else int(step), to)


def safe(prefix: str, spec: str) -> str:
    """A name of letters, digits and underscores, which every tracker takes; a `/` of the prefix makes groups.

    >>> safe("valid/", "ndcg(gain=exponential)@10"), safe("", "blog:mrr")
    ('valid/ndcg_gain_exponential_at_10', 'blog_mrr')
    """
    whole = prefix + spec.replace("/", "_").replace("@", "_at_")
    return "/".join(re.sub(r"[\W_]+", "_", part).strip("_") for part in whole.split("/"))


def _new(numbers: Sequence[Logged], known: Mapping[str, Any]) -> dict[str, str]:
    """What is not said there yet; a MetricError where a name is taken by another definition.

    Equal fingerprints are one definition, whatever both are called; the text that is there first stays.
    """
    for one in numbers:
        for name in [name for name in one.params_of if name in known][-1:]:
            if known[name] != one.params_of[name]:
                wrong = f"{one.name} is another number in this run: its {name} is {known[name]}"
                wrong += f", not {one.params_of[name]}"
                raise MetricError(wrong, do="Log it under a name of its own: log(…, prefix='other/').")
    return {name: text for one in numbers for name, text in one.params_of.items() if name not in known}


def _mlflow(numbers: Sequence[Logged], step: int | None, to: str | None) -> None:
    """Metrics and parameters of the run with this id; else of the active run, or of one that begins now."""
    mlflow = require("mlflow", "mlflow")
    entities, client = require("mlflow.entities", "mlflow"), mlflow.MlflowClient()
    run, now = to or (mlflow.active_run() or mlflow.start_run()).info.run_id, int(time.time() * 1000)
    new = _new(numbers, client.get_run(run).data.params)
    for first in range(0, len(numbers), AT_ONCE):
        some = numbers[first : first + AT_ONCE]
        metrics = [entities.Metric(one.name, one.value, now, step or 0) for one in some]
        params = [entities.Param(name, text) for one in some for name, text in one.params_of.items() if name in new]
        client.log_batch(run, metrics, params)


def _wandb(numbers: Sequence[Logged], step: int | None, to: Any) -> None:
    """A step of the history, and the configuration, of this run; else of the one that was begun last."""
    run = require("wandb", "wandb").run if to is None else to
    if run is None:
        raise MetricError("no run of wandb has begun", do="Call wandb.init(project=…) first, or pass the run: to=run.")
    run.config.update(_new(numbers, run.config))
    run.log({one.name: one.value for one in numbers}, step=step)


def _tensorboard(numbers: Sequence[Logged], step: int | None, to: Any) -> None:
    """Scalars and texts, by a SummaryWriter or to a new file of events in a folder, by default `runs`."""
    if not (hasattr(to, "add_scalar") and hasattr(to, "add_text")):
        return _to_folder(numbers, step or 0, to)
    for one in numbers:
        to.add_scalar(one.name, one.value, step)
        for name, text in one.params_of.items():
            to.add_text(name, text, step)
    return None


def _to_folder(numbers: Sequence[Logged], step: int, to: Any) -> None:
    if not isinstance(to, str | os.PathLike | None):
        raise MetricError(f"to={to!r:.60} is neither a folder nor a SummaryWriter", do="Pass one of both.")
    files, events, scalars, texts = (
        require(f"tensorboard.{module}", "tensorboard")
        for module in (
            "summary.writer.event_file_writer",
            "compat.proto.event_pb2",
            "plugins.scalar.summary_v2",
            "plugins.text.summary_v2",
        )
    )
    writer = files.EventFileWriter(os.fspath(to or "runs"))
    for one in numbers:
        about = ", ".join(one.params_of.values())
        for summary in (
            scalars.scalar_pb(one.name, one.value, about),
            *(texts.text_pb(name, text) for name, text in one.params_of.items()),
        ):
            writer.add_event(events.Event(wall_time=time.time(), step=step, summary=summary))
    writer.close()


_WRITERS: dict[Tracker, Callable[[Sequence[Logged], int | None, Any], None]] = {
    "mlflow": _mlflow,
    "wandb": _wandb,
    "tensorboard": _tensorboard,
}
