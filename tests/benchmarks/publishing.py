"""Where results go: tables, a plot, and the part of both that a page of the reference shows."""

from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.data import SIZES
from tests.benchmarks.environments import NAMES, peer
from tests.benchmarks.machine import machine, today
from tests.benchmarks.plot import draw
from tests.benchmarks.rows import Row, table

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "reference" / "speed.md"
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
        """When, where and how, and what the letters of the sizes mean."""
        load = f"load {min(self.loads):.1f} to {max(self.loads):.1f}"
        how = f"{today()}, {machine()}, {load}; CPU time on one thread, medians of {self.repetitions}."
        measured = {row.size for row in self.rows}
        return " ".join([how, *(f"{name}: {size}." for name, size in SIZES.items() if name in measured)])

    def _page(self) -> str:
        """All rows."""
        return f"# Benchmarks\n\n{self.told}\n\n{chapters(self.rows)}"

    def block(self, plot: bool) -> str:
        """The races that were run, for the page, and what memory they took."""
        rows = [row for row in self.rows if row.ratio is not None and (row.kind == "race" or row.workload == "peaks")]
        picture = "\n![How many times faster](../../tests/benchmarks/results.svg)\n" if plot else ""
        return f"{self.told} All rows: [results](../../tests/benchmarks/results.md).\n\n{chapters(rows)}{picture}"


WHOLE = "End to end: from what people hold to the numbers"
CODED = "From data whose ids are numbers already"
MATRICES = "From matrices of scores"
MEMORY = "Memory"
COSTS = "What one more wish costs"
TITLES = {
    **dict.fromkeys(("frames", "forms", "small"), WHOLE),
    **dict.fromkeys(("matrices", "devices"), MATRICES),
    **dict.fromkeys(("peaks", "memory"), MEMORY),
}


def chapters(rows: list[Row]) -> str:
    """A table for each chapter that has rows, the whole way first."""
    titles = (WHOLE, CODED, MATRICES, MEMORY, COSTS)
    each = {title: [row for row in rows if chapter(row.workload) == title] for title in titles}
    return "\n".join(f"## {title}\n\n{table(here)}" for title, here in each.items() if here)


def chapter(workload: str) -> str:
    """The title under which a workload's rows stand: a peer's by what it is handed."""
    if workload in NAMES:
        return CODED if peer(workload).held == "coded" else WHOLE
    return TITLES.get(workload, COSTS)


def write(measured: Measured) -> list[str]:
    """The table, the plot and the page's block; what was written, and what was not."""
    (HERE / "results.md").write_text(measured._page(), "utf-8")
    drawn = draw(measured.rows, HERE / "results.svg")
    said = ["wrote results.md", "wrote results.svg" if drawn else "no results.svg: matplotlib is not installed"]
    page = PAGE.read_text("utf-8")
    if START not in page:
        return [*said, f"the page has no block for it; its marker is {START.strip()}"]
    PAGE.write_text(replaced(page, measured.block(drawn)), "utf-8")
    return [*said, "wrote the page's block"]


def replaced(page: str, block: str) -> str:
    """The page with this block between the markers."""
    before, rest = page.split(START)
    return f"{before}{START}{block}{END}{rest.split(END, 1)[1]}"
