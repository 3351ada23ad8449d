"""What a paper says of a test: the sentence, the definitions, the sources."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rankconv.analysis.test.runs import PairTests
from rankconv.citing.citations import Cited, Methods, bibtex, entry
from rankconv.data.ids import Cluster
from rankconv.pages.display import Shown
from rankconv.pages.page import Code, Page, Paragraph
from rankconv.presets.yaml_file import Citation
from rankconv.statistics.intervals import kinds_of
from rankconv.statistics.tests import EXACT

SOURCES = {
    "signs": Citation(
        key="smucker2007",
        title="A comparison of statistical significance tests for information retrieval evaluation",
        authors="Smucker, Allan, Carterette",
        year=2007,
        doi="10.1145/1321440.1321528",
    ),
    "mid-p": Citation(
        key="fagerland2013",
        title="The McNemar test for binary matched-pairs data: mid-p and asymptotic are better than exact conditional",
        authors="Fagerland, Lydersen, Laake",
        year=2013,
        doi="10.1186/1471-2288-13-91",
    ),
    "drawn": Citation(
        key="phipson2010",
        title="Permutation p-values should never be zero",
        authors="Phipson, Smyth",
        year=2010,
        doi="10.2202/1544-6115.1585",
    ),
    "max-t": Citation(
        key="westfall1993", title="Resampling-Based Multiple Testing", authors="Westfall, Young", year=1993
    ),
    "tukey": Citation(
        key="carterette2012",
        title="Multiple testing in statistical analysis of systems-based information retrieval experiments",
        authors="Carterette",
        year=2012,
        doi="10.1145/2094072.2094076",
    ),
    "holm": Citation(
        key="holm1979", title="A simple sequentially rejective multiple test procedure", authors="Holm", year=1979
    ),
    "bh": Citation(
        key="benjamini1995",
        title="Controlling the false discovery rate",
        authors="Benjamini, Hochberg",
        year=1995,
        doi="10.1111/j.2517-6161.1995.tb02031.x",
    ),
    "clusters": Citation(
        key="canay2017",
        title="Randomization tests under an approximate symmetry assumption",
        authors="Canay, Romano, Shaikh",
        year=2017,
        doi="10.3982/ECTA13081",
    ),
    "of clusters": Citation(
        key="cameron2015",
        title="A practitioner's guide to cluster-robust inference",
        authors="Cameron, Miller",
        year=2015,
        doi="10.3368/jhr.50.2.317",
    ),
    "interval scale": Citation(
        key="ferrante2021",
        title="Towards meaningful statements in IR evaluation: mapping evaluation measures to interval scales",
        authors="Ferrante, Ferro, Fuhr",
        year=2021,
        doi="10.1109/ACCESS.2021.3116857",
    ),
    "any scale": Citation(
        key="moffat2022",
        title="Batch evaluation metrics in information retrieval: measures, scales, and meaning",
        authors="Moffat",
        year=2022,
        doi="10.1109/ACCESS.2022.3211668",
    ),
    "at scale": Citation(
        key="ihemelandu2023",
        title="Inference at scale: significance testing for large search and recommendation experiments",
        authors="Ihemelandu, Ekstrand",
        year=2023,
        doi="10.1145/3539618.3592004",
    ),
}
"""What the tests come from."""
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
        definitions = []
        for one in found.tests:
            cell = found.comparison.cell(one.metric, one.presets[0], one.runs[0])
            if cell is not None and cell.definition not in definitions:
                definitions.append(cell.definition)
        chances = [one.permutation for one in found.tests]
        keys = ["signs"] if not all(one.mid for one in chances) else []
        keys += ["mid-p"] if any(one.mid for one in chances) else []
        keys += [] if all(one.exact for one in chances) else ["drawn"]
        keys += [found.correction] if found.correction in SOURCES and len(found.tests) > 1 else []
        keys += [] if found.cluster is None else ["clusters", "of clusters"]
        keys += ["interval scale", "any scale"]
        return cls(_paragraph(found), keys, Methods(tuple(map(Cited, definitions))))

    def to_bibtex(self) -> str:
        """The sources of the test and of the definitions, for a .bib file."""
        entries = [pair for one in self.definitions.cited for pair in one.entries]
        return bibtex([*(entry(SOURCES[key]) for key in self.keys), *entries])

    def _page(self) -> Page:
        """The paragraph, each definition, and the sources of all."""
        return Page([[Paragraph(self.paragraph)], *([one.stated] for one in self.definitions.cited), [self._sources]])

    @property
    def _sources(self) -> Code:
        return Code(self.to_bibtex(), "bibtex")

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {"paragraph": self.paragraph, "bibtex": self.to_bibtex(), "definitions": self.definitions.to_dict()}


def _paragraph(found: PairTests) -> str:
    users = sorted({one.users for one in found.tests})
    many = f"{users[0]:,}" if len(users) == 1 else f"{users[0]:,} to {users[-1]:,}"
    intervals = kinds_of(one.interval for one in found.tests).partition(". ")[0]
    said = (
        f"Differences between runs were tested, two-sided, by {' and '.join(_tests_of(found))}, over the {many} users "
        f"{COUNTED[found.include_users]}. "
    )
    said += f"{intervals} ({100 * (1 - found.alpha):g} %, of the mean difference). " if intervals else ""
    if found.cluster is not None:
        units = sorted({one.units for one in found.tests})
        clusters = f"{units[0]:,}" if len(units) == 1 else f"{units[0]:,} to {units[-1]:,}"
        said += (
            f"The unit of chance is the cluster of users ({said_of(found.cluster)}; {clusters} clusters): the signs of "
            "its users change together, and intervals are of cluster-robust standard errors. "
        )
    return said + family_of(found) + f" The level is {found.alpha:g}."


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
    tests = found.tests
    if len(tests) == 1:
        return "One test was made, and nothing is corrected."
    sizes = [len({getattr(one, name) for one in tests}) for name in ("metric", "runs")]
    definitions = len({(one.metric, tuple(one.presets)) for one in tests}) - sizes[0]
    parts = [_several(sizes[0], "metric"), _several(sizes[1], "pair of runs", "pairs of runs")]
    parts += [f"{definitions + sizes[0]} definitions that differ on these users"] if definitions else []
    if found.correction == "none":
        return f"The p-values of the {len(tests)} tests ({', '.join(parts)}) are not corrected."
    over = "all" if found.family == "all" or sizes[0] == 1 else "each metric by itself, of"
    what = CORRECTED[found.correction].format(draws=found.n_resamples, seed=found.seed)
    return f"p-values are corrected for {what}, over {over} {len(tests)} tests ({', '.join(parts)})."


def _several(count: int, one: str, more: str = "") -> str:
    return f"1 {one}" if count == 1 else f"{count} {more or one + 's'}"
