"""The command: draws mutants, tests each quickly, those that are left slowly, and tells what became of them."""

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tests.mutants.children import Outcome
from tests.mutants.equivalent import reason
from tests.mutants.mutant import Mutant, drawn, files
from tests.mutants.trials import TESTS, try_mutants


def parser() -> argparse.ArgumentParser:
    """Its options."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--seed", type=int, default=8, help="which mutants are drawn")
    parser.add_argument("--count", type=int, default=200, help="how many")
    parser.add_argument("--file", help="only of files whose path ends so: gain.py")
    parser.add_argument("--list", action="store_true", help="show them, and run nothing")
    parser.add_argument("--only", type=int, nargs="+", help="only those with these numbers in the list")
    parser.add_argument("--tests", nargs="+", default=TESTS, help="the tests, in place of all")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 1 if a mutant survives that is not known to be equivalent."""
    options = parser().parse_args(arguments)
    names = [file for file in files() if file.endswith(options.file or "")]
    numbered = dict(enumerate(drawn(names, options.seed, options.count), 1))
    wanted = {number: numbered[number] for number in options.only or numbered}
    if options.list:
        print(*(f"{number:4}  {mutant}" for number, mutant in wanted.items()), sep="\n")
        return 0
    real = {number: mutant for number, mutant in wanted.items() if reason(mutant) is None}
    left = surviving(real, options.tests)
    print(table(list(wanted.values()), list(real.values()), list(left.values())))
    print(*(f"survives: {number:4}  {mutant}" for number, mutant in left.items()), sep="\n")
    return int(bool(left))


def surviving(mutants: dict[int, Mutant], tests: list[str]) -> dict[int, Mutant]:
    """Those that no test catches; each outcome is printed as it comes."""
    left = dict(mutants)

    def told(number: int, outcome: Outcome) -> None:
        print(f"{number:4}  {mutants[number]}  |  {outcome}", flush=True)
        if outcome.status:
            del left[number]

    try_mutants(mutants, tests, told)
    return left


def table(drawn: list[Mutant], real: list[Mutant], left: list[Mutant]) -> str:
    """How many of each file, and of each room, are caught."""
    lines = [f"{'':28} {'mutants':>8} {'equivalent':>11} {'caught':>7} {'survive':>8}"]
    for folders in (False, True):
        counts = [
            Counter(str(Path(one.file).parent) if folders else one.file for one in mutants)
            for mutants in (drawn, real, left)
        ]
        lines += [_row(name, *(count[name] for count in counts)) for name in sorted(counts[0])]
    return "\n".join([*lines, _row("all", len(drawn), len(real), len(left))])


def _row(name: str, drawn: int, real: int, left: int) -> str:
    share = f"{(real - left) / real:8.1%}" if real else ""
    return f"{name:28} {drawn:8} {drawn - real:11} {real - left:7} {left:8} {share}"
