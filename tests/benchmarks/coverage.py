"""How often do tests of equal systems cry out, and how often do intervals hold the number? Simulated.

    python -m tests.benchmarks.coverage --simulations 10000 [--write]

A job of its own: with 10,000 simulations about half an hour on one core. Rows that cost most take a part of them, and
say how many. `--write` puts the tables into `coverage.md`; without it they are printed.
"""

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

import rankconv as rc
from rankconv.evaluation.results.result_intervals import FEWEST_DRAWN, numbers_of
from rankconv.evaluation.statistics.intervals import bca, of_mean, percentile
from rankconv.evaluation.statistics.paired_tests import holm, max_t, randomised_tukey, sign_test, size_of_t

Numbers = NDArray[np.float64]
PAGE = Path(__file__).with_name("coverage.md")
LEVEL, DRAWS, AGAIN = 0.05, 999, 600
"""The level of tests; random signs of each; users drawn again for each interval."""
FEW = (4, 5, 6, 7, 8, 10, 12)
"""Users of whom methods may not hold what they promise."""
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


def zero_one(generator: np.random.Generator, shape: tuple[int, ...], more: float = 0.12, less: float = 0.12) -> Numbers:
    """Differences of a hit rate: so many users have a hit in the first run alone, and in the second alone."""
    return generator.choice([1.0, -1.0, 0.0], shape, p=[more, less, 1 - more - less])


KINDS = {"continuous": continuous, "90 % zeros": mostly_zero, "tied": tied, "0/1": zero_one}


@dataclass(frozen=True)
class Row:
    """What came out of one row of simulations."""

    what: str
    data: str
    users: int
    simulations: int
    """0 where the share is exact."""
    share: float
    note: str = ""

    @property
    def error(self) -> float:
        """Two standard errors of the simulation."""
        return 2 * (self.share * (1 - self.share) / self.simulations) ** 0.5 if self.simulations else 0.0


def alarms(simulations: int, seed: int) -> Iterator[Row]:
    """How often two equal systems are told apart."""
    sizes = {
        "continuous": (*FEW, 18, 20, 30, 200, 10_000),
        "90 % zeros": (20, 200, 1_000),
        "tied": (*FEW, 20, 200),
        "0/1": (20, 50, 200, 1_000),
    }
    for kind, users in ((kind, users) for kind, several in sizes.items() for users in several):
        times = _part(simulations, users if users > 20 or kind == "0/1" else 2**users / 300)
        yield from _told_apart(KINDS[kind], kind, users, times, [seed, users, *kind.encode()])


def exact_sizes(simulations: int, seed: int) -> Iterator[Row]:
    """How often two equal systems are told apart whose users differ by one size: binomial sums, not simulated."""
    for users in (*FEW, 16, 20, 50, 100, 300):
        yield Row("signs, exact", "all differ by one size", users, 0, _size_of_signs(users))
        yield Row("paired t", "all differ by one size", users, 0, size_of_t(np.ones(users), LEVEL))
    worst = max(range(1, 301), key=_size_of_signs)
    yield Row("signs, exact", "worst of 1 to 300 users", worst, 0, _size_of_signs(worst))
    worst = max(range(2, 301), key=lambda users: size_of_t(np.ones(users), LEVEL))
    yield Row("paired t", "worst of 2 to 300 users", worst, 0, size_of_t(np.ones(worst), LEVEL))


@cache
def _size_of_signs(users: int) -> float:
    p = [sign_test(np.repeat([1.0, -1.0], [wins, users - wins])).p for wins in range(users + 1)]
    return float(stats.binom(users, 0.5).pmf(np.flatnonzero(np.array(p) <= LEVEL)).sum())


def power(simulations: int, seed: int) -> Iterator[Row]:
    """How often the better of two systems is found: of 0/1 metrics, where p moves in steps."""
    better = {"0/1, +30 % -5 %": (0.30, 0.05), "0/1, +12 % -4 %": (0.12, 0.04)}
    for (kind, shares), users in ((one, users) for one in better.items() for users in (20, 50, 200)):
        draw = partial(zero_one, more=shares[0], less=shares[1])
        yield from _told_apart(draw, kind, users, simulations, [seed, users, *kind.encode()])


def _told_apart(
    draw: Callable[[np.random.Generator, tuple[int, ...]], Numbers], kind: str, users: int, times: int, seed: list[int]
) -> Iterator[Row]:
    """How often each test finds a difference in such data."""
    generator, found, zeros = np.random.default_rng(seed), np.zeros(2), 0
    for place in range(times):
        differences = draw(generator, (users,))
        ours = sign_test(differences, draws=DRAWS, seed=place)
        wins, losses = int((differences > 0).sum()), int((differences < 0).sum())
        p = [ours.p, stats.ttest_1samp(differences, 0).pvalue if np.ptp(differences) else 1.0]
        found += np.array(p) <= LEVEL
        zeros += wins + losses < 20
    few = f"fewer than 20 differ in {zeros / times:.0%}" if zeros else ""
    how = "exact" if users <= 20 or kind.startswith("0/1") else "sampled"
    for what, share in zip((f"signs, {how}", "paired t"), found / times, strict=True):
        yield Row(what, kind, users, times, float(share), few)


def family_alarms(simulations: int, seed: int, runs: int = 6) -> Iterator[Row]:
    """How often any of the pairs of equal runs is told apart."""
    pairs = list(combinations(range(runs), 2))
    for kind, users in (("continuous", 30), ("0/1", 30), ("continuous", 200), ("90 % zeros", 200), ("0/1", 200)):
        times = _part(simulations, 30 * users)
        generator = np.random.default_rng([seed, users, *kind.encode()])
        counts = Counter[str]()
        for place in range(times):
            values = KINDS[kind](generator, (users, runs)) if kind != "0/1" else generator.integers(0, 2, (users, runs))
            chances = [sign_test(1.0 * values[:, a] - values[:, b], draws=DRAWS, seed=place) for a, b in pairs]
            alone = np.array([one.p for one in chances])
            p = {"max-t": max_t(1.0 * values, pairs, draws=DRAWS, seed=place), "holm": holm(alone), "none": alone}
            tukey = randomised_tukey(1.0 * values, draws=DRAWS, seed=place) if users == 30 else alone
            p |= {"tukey": tukey[tuple(np.array(pairs).T)]} if users == 30 else {}
            for name, values in p.items():
                counts[name] += bool((values <= LEVEL).any())
        yield from (
            Row(f"any of {len(pairs)} pairs, {name}", kind, users, times, one / times) for name, one in counts.items()
        )


def with_zeros(
    share: float, rest: Callable[[np.random.Generator, int], Numbers]
) -> Callable[[np.random.Generator, int], Numbers]:
    """Values of users, of which this share is 0."""
    return lambda generator, users: rest(generator, users) * (generator.random(users) >= share)


def skewed(generator: np.random.Generator, users: int) -> Numbers:
    """Values as those of NDCG above 0."""
    return generator.beta(1.2, 2.0, users)


def reciprocal(generator: np.random.Generator, users: int) -> Numbers:
    """Reciprocal ranks from 1 to 1/10."""
    return 1 / generator.integers(1, 11, users)


def hit(generator: np.random.Generator, users: int) -> Numbers:
    """A hit."""
    return np.ones(users)


MEANS = {
    "a third zero": (1 / 3, skewed, 1.2 / 3.2),
    "72 % zero": (0.72, skewed, 1.2 / 3.2),
    "72 % zero, reciprocal ranks": (0.72, reciprocal, float(np.mean(1 / np.arange(1, 11)))),
    "90 % zero": (0.9, skewed, 1.2 / 3.2),
    "28 % ones": (0.72, hit, 1.0),
    "5 % ones": (0.95, hit, 1.0),
}
"""Values of users: how many are 0, what the others are, and the mean of these."""


def coverage_of_means(simulations: int, seed: int) -> Iterator[Row]:
    """How often the interval of a mean holds the true one: that which is chosen, Student's t, and from draws."""
    for (kind, (zeros, rest, mean)), users in (
        (one, users) for one in MEANS.items() for users in (4, 6, 8, 10, 12, 20, 49, 50, 200)
    ):
        draw, truth = with_zeros(zeros, rest), (1 - zeros) * mean
        drawn = {"percentile": percentile, "bca": bca} if kind == "a third zero" and users in (20, 50, 200) else {}
        generator, times = (
            np.random.default_rng([seed, users, *kind.encode()]),
            _part(simulations, 3_000 if drawn else 1_000),
        )
        yield from _means_held(lambda: draw(generator, users), truth, (0, 1), kind, times, drawn)  # noqa: B023


def coverage_of_differences(simulations: int, seed: int) -> Iterator[Row]:
    """How often the interval of a mean difference between two runs holds the true one."""
    kinds: dict[str, tuple[Callable[[np.random.Generator, int], Numbers], float]] = {
        "72 % equal": (
            with_zeros(0.72, lambda one, users: skewed(one, users) - one.beta(2, 2, users)),
            0.28 * (0.375 - 0.5),
        ),
        "90 % equal": (
            with_zeros(0.90, lambda one, users: skewed(one, users) - one.beta(2, 2, users)),
            0.10 * (0.375 - 0.5),
        ),
        "0/1, +12 % -12 %": (lambda one, users: zero_one(one, (users,)), 0.0),
        "0/1, +30 % -5 %": (lambda one, users: zero_one(one, (users,), 0.3, 0.05), 0.25),
    }
    for (kind, (draw, truth)), users in ((one, users) for one in kinds.items() for users in (4, 6, 8, 12, 20, 49, 200)):
        generator, times = np.random.default_rng([seed, users, *kind.encode()]), _part(simulations, 1_000)
        yield from _means_held(lambda: draw(generator, users), truth, (-1, 1), f"differences, {kind}", times, {})  # noqa: B023


def _means_held(
    draw: Callable[[], Numbers], truth: float, within: tuple[float, float], kind: str, times: int, drawn: dict[str, Any]
) -> Iterator[Row]:
    """How often each interval of such means holds the true one, where the values are not all equal."""
    held, hows = Counter[str](), Counter[str]()
    for place in range(times):
        values = draw()
        if not np.ptp(values):
            continue
        mean = lambda chosen, values=values: values[chosen].mean(axis=1)
        found = of_mean(values, within=within)
        hows[found.how] += 1
        ways = {"chosen": found, "t": of_mean(values, within=within, student=True)}
        ways |= {name: way(mean, len(values), draws=AGAIN, seed=place) for name, way in drawn.items()}
        held.update(name for name, one in ways.items() if truth in one)
    some = hows.total()
    none = f"no interval in {1 - some / times:.0%}, where all are equal" if some < times else ""
    chosen = " or ".join(name for name, count in hows.most_common() if 20 * count > some)
    for name in ("chosen", "t", *drawn):
        what = f"mean, chosen ({chosen})" if name == "chosen" else f"mean, {name}"
        if name != "t" or chosen != "t":
            yield Row(what, kind, len(values), some, held[name] / some, none)


def coverage_of_ratios(simulations: int, seed: int) -> Iterator[Row]:
    """How often the interval of a ratio of sums holds the true one: hits of lists of 1 to 10 rows."""
    truth = float(sum(size * 0.6 / (1 + size / 5) for size in range(1, 11)) / sum(range(1, 11)))
    for users in (4, 6, 8, 10, 12, 20, 50, 200):
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
            yield Row(f"ratio of sums, {how}", "lists of 1 to 10", users, times, float(one), _refused(users))


def coverage_of_medians(simulations: int, seed: int) -> Iterator[Row]:
    """How often the interval of a median holds the true one."""
    truth = float(stats.beta(1.2, 2.0).median())
    for users in (4, 6, 8, 10, 12, 20, 50, 200):
        generator = np.random.default_rng([seed, users])
        times = _part(simulations, 3_000)
        held = np.zeros(2)
        for place in range(times):
            values = generator.beta(1.2, 2.0, users)
            median = lambda drawn, values=values: np.median(values[drawn], axis=1)
            again = {"draws": AGAIN, "seed": place}
            held += [truth in way(median, users, **again) for way in (percentile, bca)]
        for how, one in zip(("percentile", "bca"), held / times, strict=True):
            yield Row(f"median, {how}", "continuous", users, times, float(one), _refused(users))


def _refused(users: int) -> str:
    return f"not given: fewer than {FEWEST_DRAWN} users" if users < FEWEST_DRAWN else ""


def coverage_of_pooled(simulations: int, seed: int) -> Iterator[Row]:
    """How often the interval of an AUC over all users' lists as one holds the true one.

    Scores of relevant rows are higher by 1, and users have levels of their own, so that rows of one user go together.
    """
    spread = (1 + 0.5**2) ** 0.5
    truth, definition = _true_pooled(spread), rc.metric("auc(scope=global, order=score)")
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
    "False alarms": (exact_sizes, alarms, family_alarms),
    "Power": (power,),
    "Coverage": (
        coverage_of_means,
        coverage_of_differences,
        coverage_of_ratios,
        coverage_of_medians,
        coverage_of_pooled,
    ),
}


def page(simulations: int, seed: int) -> str:
    """Both tables, and what was simulated."""
    start, lines, chosen = time.process_time(), list[str](), list[Row]()
    for title, parts in PARTS.items():
        lines += [f"## {title}", "", "| what | data | users | simulations | share | |", "|---|---|---:|---:|---:|---|"]
        for part in parts:
            for row in part(simulations, seed):
                chosen += [row] if "chosen" in row.what and row.users >= 20 else []
                share = f"{row.share:.1%} ± {row.error:.1%}" if row.simulations else f"{row.share:.1%}"
                times = f"{row.simulations:,}" if row.simulations else "exact"
                lines.append(f"| {row.what} | {row.data} | {row.users:,} | {times} | {share} | {_told(title, row)} |")
        lines.append("")
    about = f"{simulations:,} simulations asked, seed {seed}, {DRAWS} random signs, {AGAIN} draws of users; "
    least, most = (end(chosen, key=lambda row: row.share) for end in (min, max))
    promise = [
        f"Of the intervals of means that rankconv chooses for 20 users and more, {least.share:.1%} ({least.data}, "
        f"{least.users:,} users)",
        f"to {most.share:.1%} ({most.data}, {most.users:,} users) hold the true one.",
        "",
    ]
    return "\n".join([*HEAD, *promise, about + f"{(time.process_time() - start) / 60:.0f} minutes of CPU.", "", *lines])


HEAD = [
    "# How often tests cry out, and intervals hold",
    "",
    "Written by `python -m tests.benchmarks.coverage --write`. Shares of equal systems that are told apart at 0.05,",
    "and of intervals of 95 % that hold the true number, each with two standard errors of the simulation. Rows that",
    "cost more have fewer simulations.",
    "",
]


def _told(title: str, row: Row) -> str:
    if title == "Power":
        return row.note
    low, high = (LOW, HIGH) if title == "False alarms" else (0.94, 0.96)
    low, high = (low, high) if row.simulations else (0.0, LEVEL)
    off = "above" if row.share - row.error > high else "below" if row.share + row.error < low else ""
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
