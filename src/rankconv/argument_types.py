"""The types of what public functions take."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from rankconv.data.labels_and_rankings import Labels, Run, Runs
from rankconv.presets.definition import Definition
from rankconv.presets.resolved import Preset


class Shaped(Protocol):
    """A frame, table, array or sparse matrix of any library."""

    @property
    def shape(self) -> Any:
        """Rows and columns."""


Data = Mapping[Any, Any] | Sequence[Any] | Shaped | str | os.PathLike[str]
LabelsLike = Labels | Data
"""What `rc.Labels` reads: `{user: items}`, `{user: {item: grade}}`, a table, an array, or the path of a file."""
RunLike = Run | Runs | Data
"""What `rc.Run` and `rc.Runs` read: `{user: items}`, `{user: {item: score}}`, a table, an array, or a path."""
MetricLike = str | Definition | Sequence[str | Definition]
"""One metric or several: `"ndcg@10"`, `["ndcg@10", "map"]`, `rc.NDCG(10)`."""
PresetLike = str | Path | Preset | Sequence[str | Preset]
"""One preset or several: a name, the path of a YAML file, or `rc.preset(…)`."""
