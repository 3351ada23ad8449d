"""The families of metrics, each imported when one of its names is looked up.

The names are read from the text of the files, which takes a tenth of the time of importing them: `name` and `spellings`
of classes, and what is made by `Convention("…")`. So a new metric is known by its class alone.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from pkgutil import get_data, iter_modules
from typing import NamedTuple

from rankconv.conventions.convention import CONVENTIONS, TABLES
from rankconv.metrics.base import METRICS, SPELLINGS

FIRST = (
    "reader continuation cwl auc pr_auc auc_by_rank judged recall_levels against_ideal sets hit_ranks "
    "beyond.of_all_lists beyond.novelty beyond.diversity beyond.distribution beyond.of_one_system subtopic_ideals "
    "alpha_ndcg relevant_ranks rank_statistics groups.item_groups groups.exposure groups.rates groups.spread "
    "groups.share groups.fairness groups.targets groups.awrf groups.expected"
).split()
"""The families in the order of all lists; those of other files come after them."""
COMMON = {
    f"rankconv.metrics.{name}"
    for name in "precision_recall f_measure hits position dcg gain_sums gains ideals divisors".split()
}
"""The families that are always imported, and what they share."""
_NAME = re.compile(r'\n    name(?:: ClassVar\[str\])? = "(\w+)"')
_SPELLINGS = re.compile(r"\n    spellings(?:: ClassVar\[tuple\[str, \.\.\.\]\])? = \(([^)]*)\)")
_WORD = re.compile(r'"(\w+)"')
_CONVENTION = re.compile(r'\n\w+ = Convention\(\s*"([\w-]+)"(.*?)\)(?=\n)', re.DOTALL)


class FamilyNames(NamedTuple):
    """What a file registers."""

    metrics: dict[str, list[str]]
    """Other spellings by metric."""
    conventions: list[str]
    tables: list[str]

    @classmethod
    def of(cls, text: str) -> "FamilyNames":
        """The names in the text of a file."""
        metrics = dict[str, list[str]]()
        for part in text.split("\nclass ")[1:]:
            if name := _NAME.search(part):
                spellings = _SPELLINGS.search(part)
                metrics[name[1]] = _WORD.findall(spellings[1]) if spellings else []
        tables = {name: "is_table=True" in arguments for name, arguments in _CONVENTION.findall(text)}
        return cls(metrics, [name for name in tables if not tables[name]], [name for name in tables if tables[name]])


def texts(inner: str = "") -> Iterator[tuple[str, str]]:
    """Each file of this folder, which may be in a zip, and of the folders in it: its module and its text."""
    for found in iter_modules([str(Path(__file__).parent / inner)], inner):
        module = f"rankconv.metrics.{found.name.replace('/', '.')}"
        if found.ispkg:
            yield from texts(f"{found.name}/")
        elif module not in COMMON:
            yield module, (get_data("rankconv.metrics", f"{found.name}.py") or b"").decode()


FAMILIES = {module: FamilyNames.of(text) for module, text in texts()}
"""The names in each file, by module."""
for _module in dict.fromkeys([*(f"rankconv.metrics.{name}" for name in FIRST), *FAMILIES]):
    _names = FAMILIES[_module]
    METRICS.defer(_module, _names.metrics)
    CONVENTIONS.defer(_module, _names.conventions)
    TABLES.defer(_module, _names.tables)
    SPELLINGS |= {word: name for name, words in _names.metrics.items() for word in words}
