"""Scores made on a GPU, batch by batch: against torch.topk alone, RecBole's way and torchmetrics; wall time."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from time import perf_counter
from typing import Any

import numpy as np

import rankconv as rc
from tests.benchmarks.matrices import CUTOFFS, SPECS, means
from tests.benchmarks.rows import Row
from tests.benchmarks.setting import Setting

USERS, ITEMS, BATCH, RELEVANT = 100_000, 50_000, 4_096, 20
FLAT = 64
"""Users whose scores torchmetrics is handed, which takes a row for each item; its time is extrapolated to all."""


@dataclass(frozen=True)
class Loader:
    """Batches of labels, item numbers of shape (users, relevant), and scores on the device."""

    device: str
    users: int = USERS
    items: int = ITEMS
    batch: int = BATCH

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        import torch

        draw = torch.Generator(self.device).manual_seed(11)
        for start in range(0, self.users, self.batch):
            count = min(self.batch, self.users - start)
            first = torch.randint(self.items - RELEVANT, (count, 1), generator=draw, device=self.device)
            yield (
                first + torch.arange(RELEVANT, device=self.device),
                torch.rand((count, self.items), generator=draw, device=self.device),
            )

    def seconds(self, call: Callable[[Any, Any], Any]) -> float:
        """Seconds of a call on each batch; making them, and the first call, are not timed."""
        total, warm = 0.0, False
        for labels, scores in self:
            for _ in range(1 if warm else 2):
                self.wait()
                start = perf_counter()
                call(labels, scores)
                self.wait()
                last = perf_counter() - start
            total, warm = total + last, True
        return total

    def wait(self) -> None:
        """Until the device is done."""
        import torch

        if self.device != "cpu":
            torch.cuda.synchronize()


def ours(labels: Any, scores: Any) -> rc.Result:
    """Return 15 metrics of a batch."""
    return rc.evaluate(labels, scores, SPECS, per_user=False)


def topk(labels: Any, scores: Any) -> Any:
    """The first items alone, brought to the CPU."""
    return scores.topk(max(CUTOFFS), 1).indices.cpu()


def recbole(labels: Any, scores: Any) -> dict[str, float]:
    """As RecBole does: a matrix of 0 and 1 on the device, of which the first items are gathered; metrics in NumPy."""
    import torch

    known = torch.zeros(scores.shape, dtype=torch.int, device=scores.device)
    known[torch.arange(len(labels), device=labels.device)[:, None], labels] = 1
    first = scores.topk(max(CUTOFFS), 1).indices
    hits, relevant = known.gather(1, first).cpu().numpy(), known.sum(1).cpu().numpy()
    return means(hits.astype(float), np.arange(max(CUTOFFS)) < relevant[:, None], relevant)


def torchmetrics(labels: Any, scores: Any) -> float:
    """NDCG@20 of a few users, of a row for each item."""
    import torch
    from torchmetrics.retrieval import RetrievalNormalizedDCG

    some, known = scores[:FLAT], torch.zeros(scores[:FLAT].shape, dtype=torch.bool, device=scores.device)
    known[torch.arange(len(some), device=labels.device)[:, None], labels[:FLAT]] = True
    users = torch.arange(len(some), device=scores.device).repeat_interleave(scores.shape[1])
    metric = RetrievalNormalizedDCG(top_k=max(CUTOFFS)).to(scores.device)
    return float(metric(some.flatten(), known.flatten(), indexes=users))


def devices(setting: Setting) -> list[Row]:
    """15 metrics of 100,000 users and 50,000 items."""
    if find_spec("torch") is not None:
        import torch

        if torch.cuda.is_available():
            return raced(Loader("cuda"), torch.cuda.get_device_name())
    return [Row("devices", "–", "race", "15 metrics", note="left out: torch finds no GPU here")]


def raced(loader: Loader, name: str) -> list[Row]:
    """The rows of this device."""
    labels, scores = next(iter(loader))
    found, known = ours(labels, scores), recbole(labels, scores)
    assert all(abs(found[spec] - known[spec]) < 1e-9 for spec in SPECS)
    what, time = f"15 metrics, {loader.users:,} x {loader.items:,}, float32", loader.seconds(ours)
    note = f"wall time on {name}"
    rows = [
        Row("devices", "–", "cost", what, time, "torch.topk alone", loader.seconds(topk), goal=1.5, note=note),
        Row("devices", "–", "race", what, time, "RecBole's way", loader.seconds(recbole), note=note),
    ]
    if find_spec("torchmetrics") is not None:
        other = loader.seconds(torchmetrics) * min(loader.batch, loader.users) / FLAT
        more = f"{note}; one metric of {FLAT} users a batch, extrapolated"
        rows.append(Row("devices", "–", "race", what, time, "torchmetrics, NDCG@20", other, note=more))
    return rows
