"""Where results go: a table, a plot, and the part of both that the README shows."""

from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.machine import machine, today
from tests.benchmarks.plot import draw
from tests.benchmarks.rows import Row, table

HERE = Path(__file__).parent
README = HERE.parents[1] / "README.md"
COMMAND = "python -m tests.benchmarks --write"
START, END = f"<!-- benchmarks: written by {COMMAND} -->\n", "<!-- benchmarks end -->"


@dataclass(frozen=True)
class Measured:
    """Everything that one run found."""

    rows: list[Row]
    repetitions: int
    loads: list[float]
    """Of the machine, at the start and after each workload."""

    @property
    def told(self) -> str:
        """When, where and how."""
        load = f"load {min(self.loads):.1f} to {max(self.loads):.1f}"
        return f"{today()}, {machine()}, {load}; CPU time on one thread, medians of {self.repetitions}."

    def page(self) -> str:
        """All rows."""
        return f"# Benchmarks\n\n{self.told}\n\n{table(self.rows)}"

    def block(self, plot: bool) -> str:
        """The races that were run, for the README."""
        rows = [row for row in self.rows if row.kind == "race" and row.ratio is not None]
        picture = "\n![How many times faster](tests/benchmarks/results.svg)\n" if plot else ""
        return f"{self.told} All rows: [results](tests/benchmarks/results.md).\n\n{table(rows)}{picture}"


def write(measured: Measured) -> list[str]:
    """The table, the plot and the README's block; what was written, and what was not."""
    (HERE / "results.md").write_text(measured.page(), "utf-8")
    drawn = draw(measured.rows, HERE / "results.svg")
    said = ["wrote results.md", "wrote results.svg" if drawn else "no results.svg: matplotlib is not installed"]
    readme = README.read_text("utf-8")
    if START not in readme:
        return [*said, f"the README has no block for it; its marker is {START.strip()}"]
    README.write_text(replaced(readme, measured.block(drawn)), "utf-8")
    return [*said, "wrote the README's block"]


def replaced(readme: str, block: str) -> str:
    """The README with this block between the markers."""
    before, rest = readme.split(START)
    return f"{before}{START}{block}{END}{rest.split(END, 1)[1]}"
