"""What a paper says of a test: the sentence, the definitions, the sources."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rankconv.analysis.test.runs import PairTests
from rankconv.citing.citations import Cited, Methods, bibtex, entry
from rankconv.data.clusters import Cluster
from rankconv.pages.cells import plural
from rankconv.pages.display import Shown
from rankconv.pages.page import Code, Page, Paragraph
from rankconv.presets.definition import Definition
from rankconv.presets.folders import bibliography
from rankconv.statistics.intervals import kinds_of
from rankconv.statistics.tests import EXACT

SOURCES = {"max-t": "westfall1993", "tukey": "carterette2012", "holm": "holm1979", "bh": "benjamini1995"}
"""The papers and books of corrections, by their keys in the bibliography."""
SCALES = (
    "Means, and tests of them, take the metric as an interval scale: Ferrante, Ferro and Fuhr (2021) hold that most "
    "metrics are none, Moffat (2022) that they may be averaged all the same."
)
CORRECTED = {
    "max-t": "the largest difference of all in each of {draws:,} draws of signs (seed {seed}; Westfall and Young, "
    "step-down)",
    "tukey": "the range of all runs in each of {draws:,} shuffles of the users' values (seed {seed}; randomised Tukey, "
    "Carterette 2012)",
    "holm": "their number, step-down (Holm)",
    "bh": "the share of false findings (Benjamini and Hochberg)",
    "none": "nothing",
}
COUNTED = {
    "both": "who count in both runs of a pair",
    "either": "who count in one run of a pair at least, with 0 where they do not",
    "baseline": "who count in the run that others are put against, with 0 where they do not count in the other",
}


@dataclass(frozen=True, eq=False, repr=False)
class TestMethods(Shown):
    """What a paper says of a test."""

    __test__ = False  # so that pytest does not collect it

    paragraph: str
    """Test, users, correction, seed."""
    keys: Sequence[str]
    """Of the sources of the test."""
    definitions: Methods

    @classmethod
    def of(cls, found: PairTests) -> "TestMethods":
        """Of what was tested."""
        cells = (found.comparison.cell(one.metric, one.presets[0], one.runs[0]) for one in found.tests)
        definitions: list[Definition] = []
        for cell in cells:
            if cell is not None and cell.definition not in definitions:
                definitions.append(cell.definition)
        chances = [one.permutation for one in found.tests]
        keys = [] if all(one.mid for one in chances) else ["smucker2007"]
        keys += ["fagerland2013"] if any(one.mid for one in chances) else []
        keys += [] if all(one.exact for one in chances) else ["phipson2010"]
        keys += [SOURCES[found.correction]] if found.correction in SOURCES and len(found.tests) > 1 else []
        keys += [] if found.cluster is None else ["canay2017", "cameron2015"]
        return cls(_paragraph(found), [*keys, "ferrante2021", "moffat2022"], Methods(tuple(map(Cited, definitions))))

    def to_bibtex(self) -> str:
        """The sources of the test and of the definitions, for a .bib file."""
        entries = [pair for one in self.definitions.cited for pair in one.entries]
        return bibtex([*(entry(bibliography()[key]) for key in self.keys), *entries])

    def _page(self) -> Page:
        """The paragraph, each definition, and the sources of all."""
        sources = Code(self.to_bibtex(), "bibtex")
        return Page([[Paragraph(self.paragraph)], *([one.stated] for one in self.definitions.cited), [sources]])

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {"paragraph": self.paragraph, "bibtex": self.to_bibtex(), "definitions": self.definitions.to_dict()}


def _paragraph(found: PairTests) -> str:
    said = (
        f"Differences between runs were tested, two-sided, by {' and '.join(_tests_of(found))}, over the "
        f"{counts(one.users for one in found.tests)} users {COUNTED[found.include_users]}. "
    )
    intervals = kinds_of(one.interval for one in found.tests).partition(". ")[0]
    said += f"{intervals} ({100 * (1 - found.alpha):g} %, of the mean difference). " if intervals else ""
    if found.cluster is not None:
        said += (
            f"The unit of chance is the cluster of users ({said_of(found.cluster)}; "
            f"{counts(one.units for one in found.tests)} clusters): the signs of its users change together, and "
            "intervals are of cluster-robust standard errors. "
        )
    return said + family_of(found) + f" The level is {found.alpha:g}."


def counts(each: Iterable[int]) -> str:
    """One count, or the least and the greatest of several."""
    ends = sorted({*each})
    return f"{ends[0]:,}" if len(ends) == 1 else f"{ends[0]:,} to {ends[-1]:,}"


def _tests_of(found: PairTests) -> list[str]:
    """The tests that were made, with the number of random signs of those that drew some."""
    chances = [one.permutation for one in found.tests]
    signs = [f"{found.n_resamples:,} random signs, seed {found.seed}"] if not all(one.exact for one in chances) else []
    if any(one.exact and not one.mid for one in chances):
        signs.append(f"every choice of signs where at most {EXACT} {found.unit} differ")
    tests = [f"Fisher's paired randomisation test ({'; '.join(signs)})"] if signs else []
    where = f", where {found.unit} differ by 1 or not at all" if signs else ""
    return [*tests, *([f"McNemar's mid-p test{where}"] if any(one.mid for one in chances) else [])]


def said_of(cluster: Cluster) -> str:
    """Which clusters these are, in words."""
    if isinstance(cluster, Mapping):
        return "as given by the caller"
    parts = [cluster] if isinstance(cluster, int) else list(cluster)
    return f"part {' and '.join(map(str, parts))} of their ids"


def family_of(found: PairTests) -> str:
    """Which tests were corrected together, and how."""
    tests, metrics = found.tests, {one.metric for one in found.tests}
    if len(tests) == 1:
        return "One test was made, and nothing is corrected."
    definitions = len({(one.metric, tuple(one.presets)) for one in tests})
    parts = [plural(len(metrics), "metric"), f"{plural(len(found.pairs), 'pair')} of runs"]
    parts += [f"{definitions} definitions that differ on these users"] if definitions > len(metrics) else []
    if found.correction == "none":
        return f"The p-values of the {len(tests)} tests ({', '.join(parts)}) are not corrected."
    over = "all" if found.family == "all" or len(metrics) == 1 else "each metric by itself, of"
    what = CORRECTED[found.correction].format(draws=found.n_resamples, seed=found.seed)
    return f"p-values are corrected for {what}, over {over} {len(tests)} tests ({', '.join(parts)})."
