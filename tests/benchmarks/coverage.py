"""How often do tests of equal systems cry out, and how often do intervals hold the number? Simulated.

    python -m tests.benchmarks.coverage --simulations 10000 [--write]

A job of its own: with 10,000 simulations about half an hour on one core. Rows that cost most take a part of them, and
say how many. `--write` puts the tables into `coverage.md`; without it they are printed.
"""

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import stats

import rankconv as rc
from rankconv.ask.evaluate.intervals import numbers_of
from rankconv.statistics.families import holm, shared_signs
from rankconv.statistics.intervals import bca, of_mean, percentile
from rankconv.statistics.signs import sign_test

Numbers = NDArray[np.float64]
PAGE = Path(__file__).with_name("coverage.md")
LEVEL, DRAWS, AGAIN = 0.05, 999, 600
"""The level of tests; random signs of each; users drawn again for each interval."""
LOW, HIGH = 0.043, 0.057
"""Between which false alarms are as promised, of 10,000 simulations."""


def continuous(generator: np.random.Generator, shape: tuple[int, ...]) -> Numbers:
    """Differences that are all non-zero, with heavy tails."""
    return generator.standard_t(5, shape)


def mostly_zero(generator: np.random.Generator, shape: tuple[int, ...]) -> Numbers:
    """Nine of ten users do not differ."""
    return generator.normal(0, 1, shape) * (generator.random(shape) < 0.1)


def tied(generator: np.random.Generator, shape: tuple[int, ...]) -> Numbers:
    """Differences of few values, as of precision at 3."""
    return generator.integers(-1, 2, shape) / 3.0


KINDS = {"continuous": continuous, "90 % zeros": mostly_zero, "tied": tied}


@dataclass(frozen=True)
class Row:
    """What came out of one row of simulations."""

    what: str
    data: str
    users: int
    simulations: int
    share: float
    note: str = ""


def alarms(simulations: int, seed: int) -> Iterator[Row]:
    """How often two equal systems are told apart."""
    sizes = {"continuous": (6, 12, 18, 20, 30, 200, 10_000), "90 % zeros": (20, 200, 1_000), "tied": (20, 200)}
    for kind, users in ((kind, users) for kind, several in sizes.items() for users in several):
        times = _part(simulations, users if users > 20 else 2**users / 300)
        generator = np.random.default_rng([seed, users, *kind.encode()])
        found, zeros = np.empty((times, 2)), 0
        for place in range(times):
            differences = KINDS[kind](generator, (users,))
            found[place, 0] = sign_test(differences, draws=DRAWS, seed=place).p
            found[place, 1] = stats.ttest_1samp(differences, 0).pvalue if np.ptp(differences) else 1.0
            zeros += int(np.count_nonzero(differences) < 20)
        few = f"fewer than 20 differ in {zeros / times:.0%}" if zeros else ""
        how = "exact" if users <= 20 else "sampled"
        yield Row(f"signs, {how}", kind, users, times, float((found[:, 0] <= LEVEL).mean()), few)
        yield Row("paired t", kind, users, times, float((found[:, 1] <= LEVEL).mean()), few)


def family_alarms(simulations: int, seed: int, runs: int = 6) -> Iterator[Row]:
    """How often any of the pairs of equal runs is told apart."""
    pairs = list(combinations(range(runs), 2))
    for kind, users in (("continuous", 30), ("continuous", 200), ("90 % zeros", 200)):
        times = _part(simulations, 10 * users)
        generator = np.random.default_rng([seed, users, *kind.encode()])
        counts = dict.fromkeys(("max-t", "holm", "none"), 0)
        for place in range(times):
            found = shared_signs(KINDS[kind](generator, (users, runs)), pairs, draws=DRAWS, seed=place)
            p = {"max-t": found.max_t, "holm": holm(found.alone), "none": found.alone}
            for name, values in p.items():
                counts[name] += bool((values <= LEVEL).any())
        yield from (
            Row(f"any of {len(pairs)} pairs, {name}", kind, users, times, one / times) for name, one in counts.items()
        )


def skewed(generator: np.random.Generator, users: int) -> Numbers:
    """Values of users as NDCG has them: a third have nothing."""
    return generator.beta(1.2, 2.0, users) * (generator.random(users) < 0.67)


def coverage_of_means(simulations: int, seed: int) -> Iterator[Row]:
    """How often the interval of a mean holds the true one."""
    truth = 0.67 * 1.2 / 3.2
    for users in (20, 50, 200):
        generator = np.random.default_rng([seed, users])
        times = _part(simulations, 3_000)
        held = np.zeros(3)
        for place in range(times):
            values = skewed(generator, users)
            again = {"draws": AGAIN, "seed": place}
            mean = lambda drawn, values=values: values[drawn].mean(axis=1)
            ways = [of_mean(values), *(way(mean, users, **again) for way in (percentile, bca))]  # type: ignore[arg-type]
            held += [truth in one for one in ways]
        for how, one in zip(("t", "percentile", "bca"), held / times, strict=True):
            yield Row(f"mean, {how}", "a third zero", users, times, float(one))


def coverage_of_ratios(simulations: int, seed: int) -> Iterator[Row]:
    """How often the interval of a ratio of sums holds the true one: hits of lists of 1 to 10 rows."""
    truth = float(sum(size * 0.6 / (1 + size / 5) for size in range(1, 11)) / sum(range(1, 11)))
    for users in (20, 50, 200):
        generator = np.random.default_rng([seed, users])
        times = _part(simulations, 3_000)
        held = np.zeros(2)
        for place in range(times):
            rows = generator.integers(1, 11, users)
            hits = generator.binomial(rows, 0.6 / (1 + rows / 5))
            ratio = lambda drawn, hits=hits, rows=rows: hits[drawn].sum(axis=1) / rows[drawn].sum(axis=1)
            again = {"draws": AGAIN, "seed": place}
            held += [truth in way(ratio, users, **again) for way in (percentile, bca)]
        for how, one in zip(("percentile", "bca"), held / times, strict=True):
            yield Row(f"ratio of sums, {how}", "lists of 1 to 10", users, times, float(one))


def coverage_of_medians(simulations: int, seed: int) -> Iterator[Row]:
    """How often the interval of a median holds the true one."""
    truth = float(stats.beta(1.2, 2.0).median())
    for users in (20, 50, 200):
        generator = np.random.default_rng([seed, users])
        times = _part(simulations, 3_000)
        held = np.zeros(2)
        for place in range(times):
            values = generator.beta(1.2, 2.0, users)
            median = lambda drawn, values=values: np.median(values[drawn], axis=1)
            again = {"draws": AGAIN, "seed": place}
            held += [truth in way(median, users, **again) for way in (percentile, bca)]
        for how, one in zip(("percentile", "bca"), held / times, strict=True):
            yield Row(f"median, {how}", "continuous", users, times, float(one))


def coverage_of_pooled(simulations: int, seed: int) -> Iterator[Row]:
    """How often the interval of an AUC over all users' lists as one holds the true one.

    Scores of relevant rows are higher by 1, and users have levels of their own, so that rows of one user go together.
    """
    spread = (1 + 0.5**2) ** 0.5
    truth, definition = _true_pooled(spread), rc.metric("auc(lists=pooled, order=score)")
    for users in (20, 50):
        generator = np.random.default_rng([seed, users])
        times = _part(simulations, 60_000)
        held = np.zeros(2)
        for place in range(times):
            labels, run = _rows(generator, users)
            again = definition(labels, run).measured.again
            assert again is not None
            anew = lambda drawn, again=again: numbers_of(again, drawn)
            drawn = {"draws": AGAIN // 2, "seed": place}
            held += [truth in way(anew, users, **drawn) for way in (percentile, bca)]
        for how, one in zip(("percentile", "bca"), held / times, strict=True):
            yield Row(f"pooled AUC, {how}", "users at levels", users, times, float(one))


def _rows(generator: np.random.Generator, users: int) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    labels: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    for user in range(users):
        grades = (generator.random(8) < 0.4).astype(int)
        scores = grades + generator.normal(0, 1, 8) + generator.normal(0, 0.5)
        labels[f"u{user}"] = {f"i{item}": int(grade) for item, grade in enumerate(grades)}
        run[f"u{user}"] = {f"i{item}": float(score) for item, score in enumerate(scores)}
    return labels, run


def _true_pooled(spread: float) -> float:
    """Of two rows drawn from very many users: a difference of two normals."""
    return float(stats.norm.cdf(1 / (2**0.5 * spread)))


def _part(simulations: int, cost: float) -> int:
    """Fewer simulations where one of them costs more than a test of a thousand users."""
    return max(20, int(simulations / max(1.0, cost / 1_000)))


PARTS: dict[str, tuple[Callable[[int, int], Iterator[Row]], ...]] = {
    "False alarms": (alarms, family_alarms),
    "Coverage": (coverage_of_means, coverage_of_ratios, coverage_of_medians, coverage_of_pooled),
}


def page(simulations: int, seed: int) -> str:
    """Both tables, and what was simulated."""
    start, lines = time.process_time(), []
    for title, parts in PARTS.items():
        lines += [f"## {title}", "", "| what | data | users | simulations | share | |", "|---|---|---:|---:|---:|---|"]
        for part in parts:
            for row in part(simulations, seed):
                error = 2 * (row.share * (1 - row.share) / row.simulations) ** 0.5
                share = f"{row.share:.1%} ± {error:.1%}"
                lines.append(
                    f"| {row.what} | {row.data} | {row.users:,} | {row.simulations:,} | {share} | {_told(title, row)} |"
                )
        lines.append("")
    about = f"{simulations:,} simulations asked, seed {seed}, {DRAWS} random signs, {AGAIN} draws of users; "
    return "\n".join([*HEAD, about + f"{(time.process_time() - start) / 60:.0f} minutes of CPU.", "", *lines])


HEAD = [
    "# How often tests cry out, and intervals hold",
    "",
    "Written by `python -m tests.benchmarks.coverage --write`. Shares of equal systems that are told apart at 0.05,",
    "and of intervals of 95 % that hold the true number, each with two standard errors of the simulation. Rows that",
    "cost more have fewer simulations.",
    "",
]


def _told(title: str, row: Row) -> str:
    low, high = (LOW, HIGH) if title == "False alarms" else (0.94, 0.96)
    error = 2 * (row.share * (1 - row.share) / row.simulations) ** 0.5
    off = "above" if row.share - error > high else "below" if row.share + error < low else ""
    border = high if off == "above" else low
    told = f"{abs(row.share - border) * 100:.1f} points {off} {border:.1%}" if off else ""
    return "; ".join(filter(None, [row.note, told]))


def main() -> None:
    """Simulate, and print or write."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--simulations", type=int, default=10_000)
    options.add_argument("--seed", type=int, default=18)
    options.add_argument("--write", action="store_true")
    asked = options.parse_args()
    text = page(asked.simulations, asked.seed)
    if asked.write:
        PAGE.write_text(text + "\n", encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
