"""How often do intervals from few human and many model labels hold the mean? Simulated.

    python -m tests.benchmarks.second_labels --simulations 6000 [--write]

`--write` puts the tables into the page on model labels; without it they are printed. With 6,000 simulations it takes
about ten minutes on one core.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import fill
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import rankconv as rc
from rankconv.evaluation.statistics.intervals import of_mean
from rankconv.evaluation.statistics.prediction_powered import (
    TwoLabelledValues,
    powered_definition,
    powered_interval,
)

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "model-labels.md"
BEGIN, END = "<!-- coverage -->\n", "<!-- end of coverage -->\n"
QUERIES, POOL, OTHERS = 20_000, 30, 300
"""Queries of a collection, labelled items of each, and queries that the model alone labels."""
SEED = 18
HUMAN = (10, 15, 30, 60, 100)
METRICS = {
    "MRR": "mrr(on-no-relevant=0)",
    "NDCG@10": "ndcg(on-no-relevant=0)@10",
    "P@10": "precision(on-no-relevant=0)@10",
}
DEFINITIONS = {
    "tuned": powered_definition("ppi(limits=as-computed)"),
    "plain": powered_definition("ppi(weight=plain, limits=as-computed)"),
    "ppi-python": powered_definition("ppi(spread=population, quantile=normal, limits=as-computed)"),
}
CHECKED = powered_definition()
SUPPORTED = 0.94
Grades = NDArray[np.int64]


def many_relevant(generator: np.random.Generator, queries: int) -> Grades:
    """Grades of the rows of a run, shape (queries, rows): easy and hard queries, with several relevant items."""
    hard = generator.beta(2, 2, (queries, 1))
    relevant = generator.random((queries, POOL)) < 1.1 * (1 - hard) * np.exp(-np.arange(POOL) / 12)
    return np.where(relevant, generator.choice([1, 2, 3], relevant.shape, p=[0.5, 0.3, 0.2]), 0)


def one_relevant(generator: np.random.Generator, queries: int) -> Grades:
    """Grades of the rows of a run, shape (queries, rows): one relevant item at most."""
    rank = generator.geometric(0.12, (queries, 1)) - 1
    return np.where(np.arange(POOL) == rank, generator.integers(1, 4, (queries, 1)), 0)


COLLECTIONS = {"many relevant items": many_relevant, "one relevant item": one_relevant}


def noisy(generator: np.random.Generator, grades: Grades) -> Grades:
    """Grades of which three in ten are drawn anew."""
    drawn = generator.choice([0, 1, 2, 3], grades.shape, p=[0.55, 0.25, 0.12, 0.08])
    return np.where(generator.random(grades.shape) < 0.3, drawn, grades)


def lenient(generator: np.random.Generator, grades: Grades) -> Grades:
    """Half of the noisy grades are one higher."""
    return np.minimum(noisy(generator, grades) + (generator.random(grades.shape) < 0.5), 3)


def harsh(generator: np.random.Generator, grades: Grades) -> Grades:
    """Seven in ten of the noisy grades are one lower."""
    return np.maximum(noisy(generator, grades) - (generator.random(grades.shape) < 0.7), 0)


def constant(generator: np.random.Generator, grades: Grades) -> Grades:
    """Each item has grade 1."""
    return np.ones_like(grades)


def blind(generator: np.random.Generator, grades: Grades) -> Grades:
    """Of the relevant items of this run nineteen in twenty have grade 0."""
    return np.where(generator.random(grades.shape) < 0.95, 0, grades)


MODELS = {"unbiased": noisy, "lenient": lenient, "harsh": harsh, "constant": constant, "blind to the run": blind}
Values = dict[str, NDArray[np.float64]]
"""By metric the value of each query."""


def values_of(grades: Grades) -> Values:
    """The values of the run, whose rows are in the order of the grades."""
    scores = np.broadcast_to(-np.arange(POOL, dtype=float), grades.shape)
    labels, run = rc.Labels(grades.astype(float)), rc.Run(scores)
    result = rc.evaluate(labels, run, [*METRICS.values()])
    return {name: np.asarray(result.per_user[spec]) for name, spec in METRICS.items()}


class Row(NamedTuple):
    """How often intervals of one metric and model hold the mean, for a number of human queries."""

    collection: str
    metric: str
    model: str
    human: int
    covered: dict[str, float]
    """By definition the share of intervals that hold the mean."""
    refused: float
    """The share of samples of which the definition of the default has no interval."""
    given: float
    """The share of the other ones that hold the mean; NaN without any."""
    width: float
    """The median width over that of the human values alone."""


def rows(simulations: int, seed: int, human: tuple[int, ...] = HUMAN, queries: int = QUERIES) -> Iterator[Row]:
    """Simulate every collection, metric, model and number of human queries."""
    for collection, draw in COLLECTIONS.items():
        grades = draw(np.random.default_rng([seed, *collection.encode()]), queries)
        first = values_of(grades)
        for model, judge in MODELS.items():
            second = values_of(judge(np.random.default_rng([seed, *model.encode()]), grades))
            for metric in METRICS:
                for count in human:
                    generator = np.random.default_rng([seed, count, *f"{collection} {model} {metric}".encode()])
                    about = collection, metric, model, count
                    yield _row(about, first[metric], second[metric], simulations, generator)


def _row(
    about: tuple[str, str, str, int],
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    simulations: int,
    generator: np.random.Generator,
) -> Row:
    human, mean = about[3], float(first.mean())
    held, made = dict.fromkeys(DEFINITIONS, 0), dict.fromkeys(DEFINITIONS, 0)
    few, given, widths = 0, 0, []
    for _ in range(simulations):
        drawn = generator.integers(0, len(first), human + OTHERS)
        values = TwoLabelledValues(first[drawn[:human]], second[drawn[:human]], second[drawn[human:]])
        alone = of_mean(values.human, within=(0, 1))
        found = {name: powered_interval(values, one, alone, within=(0, 1)) for name, one in DEFINITIONS.items()}
        for name, interval in found.items():
            held[name] += mean in interval
            made[name] += not interval.why
        refused = bool(CHECKED.settings["limits"](values=values, within=(0, 1))[0])
        few += refused
        given += not refused and mean in found["tuned"]
        if not alone.why and not found["tuned"].why:
            widths.append((found["tuned"].high - found["tuned"].low) / (alone.high - alone.low))
    shares = {name: count / made[name] for name, count in held.items()}
    accepted = simulations - few
    return Row(*about, shares, few / simulations, given / accepted if accepted else np.nan, float(np.median(widths)))


def tables(found: Sequence[Row], simulations: int) -> str:
    """A table for each collection: the coverage by metric, model and number of human queries."""
    least, most = min(shares := [one.given for one in found if one.refused < 1]), max(shares)
    paragraphs = [
        f"{simulations:,} samples each, seed {SEED}, with {OTHERS} queries that the model alone labels.",
        f"Of the intervals that are given, {least:.1%} to {most:.1%} hold the mean. A number in parentheses is what it "
        "would be where the interval is refused; `refused` is the share of samples that are, where these are some.",
    ]
    sizes = list(dict.fromkeys(one.human for one in found))
    heads = ["metric", "model", *(f"n = {size}" for size in sizes), "width", "ppi-python, n = 15", "60"]
    rule = "|---|---|" + "---:|" * (len(heads) - 2)
    for collection in COLLECTIONS:
        lines = [f"**{collection.capitalize()} a query**", "", f"| {' | '.join(heads)} |", rule]
        for metric in METRICS:
            for model in MODELS:
                rows = {one.human: one for one in found if one[:3] == (collection, metric, model)}
                cells = [_cell(rows[size]) for size in sizes]
                others = ["–" if model == "constant" else f"{rows[n].covered['ppi-python']:.1%}" for n in (15, 60)]
                lines.append(f"| {' | '.join([metric, model, *cells, f'{rows[sizes[-1]].width:.2f}', *others])} |")
        paragraphs.append("\n".join(lines))
    return "\n\n".join(one if "|" in one else fill(one, 120) for one in paragraphs) + "\n"


def _cell(row: Row) -> str:
    share = f"{row.covered['tuned']:.1%}"
    if row.refused == 1:
        return f"({share})"
    return share if row.refused < 0.005 else f"{row.given:.1%} (refused: {row.refused:.0%})"


def written(page: str, table: str) -> str:
    """The page with this table between its marks."""
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}\n{table}\n{END}{rest.partition(END)[2]}"


def main() -> None:
    """Simulate, and print the tables or write them into the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulations", type=int, default=6_000)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    table = tables(list(rows(given.simulations, SEED)), given.simulations)
    if given.write:
        PAGE.write_text(written(PAGE.read_text("utf-8"), table), "utf-8")
    else:
        print(table)


if __name__ == "__main__":
    main()
