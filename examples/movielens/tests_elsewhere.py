"""Five faults of tests in other libraries, found again with the libraries installed, and rankconv on the same numbers.

pip install 'rankconv[stats]' ranx statsmodels repro_eval
python examples/movielens/tests_elsewhere.py
"""

import warnings
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from ranx.statistical_tests import fisher_randomization_test, tukey_hsd_test
from repro_eval.measure.statistics import ttest
from statsmodels.stats.multitest import multipletests

from rankconv.evaluation.statistics.paired_tests import holm, max_t, randomised_tukey, sign_test

Numbers = NDArray[np.float64]


def main() -> None:
    """Print each fault, theirs and ours."""
    warnings.simplefilter("ignore")
    for section in (unpaired_tukey, p_of_zero, drawn_anew, copies, dict_order):
        print(*section(), sep="\n", end="\n\n")


def runs(users: int = 60) -> tuple[Numbers, Numbers]:
    """Two runs of which one is a little better for nearly every user; users differ much more than runs."""
    generator = np.random.default_rng(1)
    level = generator.normal(0, 1, users)
    ours = level + generator.normal(0, 0.05, users)
    return ours, ours - 0.06 + generator.normal(0, 0.05, users)


def unpaired_tukey() -> Iterator[str]:
    """ranx forgets who is who."""
    ours, other = runs()
    theirs = tukey_hsd_test(["a", "b"], [ours, other], 0.05)[1]["p-value"]
    mine = randomised_tukey(np.column_stack([ours, other]), draws=10_000)[0, 1]
    yield "Tukey's test of two runs that differ for nearly every user"
    yield f"  ranx {theirs:.2f} (unpaired), rankconv {mine:.4f}"


def p_of_zero() -> Iterator[str]:
    """ranx leaves out the draw that was observed."""
    ours, other = runs()
    theirs, _ = fisher_randomization_test(ours, other)
    yield "Fisher's randomisation test of the same runs"
    yield f"  ranx {theirs}, rankconv {sign_test(ours - other).p:.5f}"


def drawn_anew() -> Iterator[str]:
    """ranx has a seed that numba does not hear."""
    noise = np.random.default_rng(26).normal(0, 1, 60)
    differences = noise - noise.mean() + 2.0 * noise.std(ddof=1) / 60**0.5
    theirs = {bool(fisher_randomization_test(differences, 0 * differences, 1_000, 0.05, 42)[1]) for _ in range(30)}
    mine = {sign_test(differences, seed=42).p for _ in range(30)}
    yield "Thirty calls with one seed and one input"
    yield f"  ranx: {len(theirs)} verdict{'s' * (len(theirs) > 1)}, rankconv: {len(mine)} p-value"


def copies() -> Iterator[str]:
    """Pyterrier hands p-values to statsmodels as they are: that of an identical run is NaN."""
    p = np.array([0.001, 0.002, np.nan])
    rejected, corrected = multipletests(p, alpha=0.05, method="holm")[:2]
    _, shared = multipletests(p, alpha=0.05, method="fdr_bh")[:2]
    yield "Two better runs and a copy of the baseline"
    yield f"  PyTerrier's Holm: the copy is {'' if rejected[2] else 'not '}rejected, p {corrected[2]}"
    yield f"  PyTerrier's fdr_bh: p {shared.tolist()}"
    yield f"  rankconv's Holm: p {holm(np.array([0.001, 0.002, 1.0])).tolist()}"


def dict_order() -> Iterator[str]:
    """repro_eval takes users in the order of the dict."""
    ours, other = runs()
    users = [f"q{number}" for number in range(len(ours))]
    first = {user: {"map": value} for user, value in zip(users, ours.tolist(), strict=True)}
    second = {user: {"map": value} for user, value in zip(users, other.tolist(), strict=True)}
    turned = dict(sorted(second.items(), reverse=True))
    p = [ttest(first, one)["map"] for one in (second, turned)]
    yield "The same users in another order"
    yield f"  repro_eval {p[0]:.1e} and {p[1]:.2f}; rankconv pairs by id: {sign_test(ours - other).p:.5f} both times"


def all_pairs(simulations: int, seed: int = 0) -> dict[str, float]:
    """How often six equal runs give any false alarm: uncorrected, as ranx and others do it, and by max-T."""
    found: dict[str, Any] = {"uncorrected": 0, "max-T": 0}
    for place in range(simulations):
        values = np.random.default_rng([seed, place]).normal(0, 1, (50, 6))
        pairs = list(combinations(range(6), 2))
        alone = [sign_test(values[:, a] - values[:, b], draws=499, seed=place).p for a, b in pairs]
        found["uncorrected"] += min(alone) <= 0.05
        found["max-T"] += bool((max_t(values, pairs, draws=499, seed=place) <= 0.05).any())
    return {name: count / simulations for name, count in found.items()}


if __name__ == "__main__":
    main()
    section = ", ".join(f"{name} {share:.0%}" for name, share in all_pairs(400).items())
    print(f"A false alarm among all pairs of six equal runs, 400 simulations\n  {section}")
