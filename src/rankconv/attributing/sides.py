"""The two definitions that are held against each other, as a caller names them."""

import shlex
from dataclasses import dataclass
from pathlib import Path

from rankconv.definition import Definition
from rankconv.errors import MetricError
from rankconv.evaluating import define
from rankconv.presets.registry import preset as find_preset
from rankconv.presets.resolved import Preset
from rankconv.spec import preset_and_rest


@dataclass(frozen=True)
class Side:
    """One of the two definitions, and how it was asked for."""

    name: str
    """The preset, or the whole spec, as it was given."""
    definition: Definition
    options: tuple[str, ...]
    """How a command asks for it: `-p mllib -m ndcg@10`."""

    def explained(self, user: object, files: str, other: "Side") -> str:
        """The command that works out one user under this definition, with the other beside it where both have a preset.

        >>> from rankconv.attributing.sides import side
        >>> print(side("mllib", "map@3").explained("ann", "labels.csv run.csv", side("kaggle", "map@3")))
        rankconv explain labels.csv run.csv -m map@3 -p mllib -u ann --against kaggle
        """
        told = [*self.options, "-u", str(user)]
        if len(other.options) == len(self.options) == 4:
            told += ["--against", other.options[3]]
        return f"rankconv explain {files} {shlex.join(told)}"


def side(given: str | Path | Preset, metric: str | None) -> Side:
    """The definition that a preset has of the metric, or that a whole spec such as `mllib:ndcg(ties=averaged)@10` is."""
    named = preset_and_rest(given)[0] if isinstance(given, str) else None
    if named is not None:
        return Side(str(given), _one(str(given), find_preset(named)), ("-m", str(given)))
    preset = find_preset(given)
    if metric is None:
        raise MetricError(
            f"no metric was asked of {preset.name}", do="Pass one, such as ndcg@10, or name two specs: mllib:ndcg@10."
        )
    name = str(given) if not isinstance(given, Preset) else preset.name
    return Side(name, _one(metric, preset), ("-m", metric, "-p", name))


def _one(spec: str, preset: Preset) -> Definition:
    definitions = list(define(spec, preset).values())
    if len(definitions) > 1:
        raise MetricError(f"'{spec}' asks for {len(definitions)} numbers", do="Ask why one of them differs: one cutoff.")
    return definitions[0]
