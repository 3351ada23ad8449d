"""torchmetrics: an evaluator as a `Metric`, whose processes send each other exact partial sums."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import torch
import torchmetrics
from shop import shop

import rankconv as rc
from rankconv.typing import Partial

METRICS = ["ndcg@10", "recall@10"]
PROCESSES = 2


class Ranking(torchmetrics.Metric):  # type: ignore[misc]
    """The metrics of all users of all processes; no user is kept, and none may come twice."""

    full_state_update = True

    def __init__(self, metrics: list[str], preset: str | None = None, **options: Any) -> None:
        super().__init__(**options)
        self.batch = rc.Evaluator(metrics, preset, per_user=False, repeated_users="unchecked")
        self.add_state("parts", [], dist_reduce_fx=None)
        self.parts = [self.of_batch()]

    def of_batch(self) -> torch.Tensor:
        """The partial sums of the users of the batch, as bytes."""
        return torch.frombuffer(bytearray(self.batch.partial().to_bytes()), dtype=torch.uint8).to(self.device)

    def merged(self, *more: torch.Tensor) -> Partial:
        """The partial sums so far, and more."""
        return Partial.merged(Partial.from_bytes(one.cpu().numpy().tobytes()) for one in (*self.parts, *more))

    def update(self, scores: torch.Tensor, labels: torch.Tensor) -> None:
        """Add some users: their scores, then their labels, as torchmetrics orders them."""
        self.batch.reset()
        self.batch.update(labels, scores)
        merged = self.merged(self.of_batch()).to_bytes()
        self.parts = [torch.frombuffer(bytearray(merged), dtype=torch.uint8).to(self.device)]

    def compute(self) -> dict[str, torch.Tensor]:
        """The value of each metric; torchmetrics has gathered the parts of the other processes."""
        return {name: torch.tensor(value, dtype=torch.float64) for name, value in self.merged().compute().items()}

    def reset(self) -> None:
        """Begin anew, with the partial sums of nobody."""
        super().reset()
        self.batch.reset()
        self.parts = [self.of_batch()]


def scored() -> tuple[torch.Tensor, torch.Tensor]:
    """Scores by popularity, and what is bought next; shape (users, items)."""
    before, after = shop()
    return torch.tensor(np.where(before, -np.inf, before.mean(axis=0))), torch.tensor(after)


def of_process(rank: int, folder: str) -> None:
    """Evaluate every second user, in batches."""
    init = f"file://{folder}/init"
    torch.distributed.init_process_group("gloo", init_method=init, rank=rank, world_size=PROCESSES)
    scores, labels = (part[rank::PROCESSES] for part in scored())
    metric = Ranking(METRICS, "mllib")
    for first in range(0, len(scores), 30):
        metric.update(scores[first : first + 30], labels[first : first + 30])
    values = metric.compute()
    if rank == 0:
        print(f"{PROCESSES} processes:", ", ".join(f"{name} {float(value):.17g}" for name, value in values.items()))
    torch.distributed.destroy_process_group()


def main() -> None:
    """Evaluate in processes, and all users in one call."""
    with TemporaryDirectory() as folder:
        torch.multiprocessing.spawn(of_process, (str(Path(folder)),), PROCESSES)
    scores, labels = scored()
    result = rc.evaluate(labels, scores, METRICS, preset="mllib")
    print("one call:", ", ".join(f"{name} {value:.17g}" for name, value in result.items()))


if __name__ == "__main__":
    main()
