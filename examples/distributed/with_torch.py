"""One number from the processes of a training loop: each rank sends its part to all others.

torchrun --nproc_per_node 2 with_torch.py
"""

from typing import Any

import torch.distributed as dist

import rankconv as rc
from rankconv.typing import Partial

METRICS, PRESET = ["ndcg@3", "map@3"], "mllib"


def gathered(numbers: Any) -> rc.Result:
    """The numbers of the users of all ranks, on each rank; `numbers` is an accumulator that keeps no user."""
    parts: list[Any] = [None] * dist.get_world_size()
    dist.all_gather_object(parts, numbers.partial().to_bytes())
    return Partial.merged(map(Partial.from_bytes, parts)).compute()


def main(users: dict[Any, tuple[list[Any], list[Any]]]) -> rc.Result:
    """The numbers of these users, with their labels and lists, divided over the ranks, each user once."""
    numbers = rc.Evaluator(METRICS, PRESET, per_user=False, repeated_users="unchecked")
    mine = [*users][dist.get_rank() :: dist.get_world_size()]  # a DistributedSampler would repeat some users
    numbers.update({user: users[user][0] for user in mine}, {user: users[user][1] for user in mine})
    return gathered(numbers)


if __name__ == "__main__":
    dist.init_process_group("gloo")
    found = main({f"u{n}": ([n % 5], [n % 3, n % 4, n % 7]) for n in range(11)})
    if dist.get_rank() == 0:
        print(found.to_markdown())
    dist.destroy_process_group()
