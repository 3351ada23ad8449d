"""How many numbers are called "NDCG@10"? One run of 24 users under every system, grouped by what comes out.

python examples/ragged/values.py > docs/explanation/one-run.md
"""

from pathlib import Path

import yaml

import rankconv as rc
from rankconv.data.joined import Joined
from rankconv.evaluation.results.comparison import values_of
from rankconv.evaluation.results.differences import Differences, EqualNumbers, group
from rankconv.evaluation.results.strips import strip_plot
from rankconv.presets.preset_registry import expand
from rankconv.rendering.pages.page import Page
from rankconv.rendering.pages.table import Table
from rankconv.rendering.pages.text import text
from rankconv.rendering.pages.web.strip_svg import strip_svg

HERE = Path(__file__).parent
K = 10
CHOSEN = "trec_eval"
"""Whose place the pictures show."""
TITLES = {
    "ndcg": "NDCG@10",
    "map": "AP@10",
    "precision": "Precision@10",
    "recall": "Recall@10",
    "hit_rate": "Hit rate@10",
    "f1": "F1@10",
    "mrr": "RR@10",
}
FIELDS = ("search", "recommender", "learning-to-rank", "rag")
OPTIONS: dict[str, dict[str, str]] = yaml.safe_load((HERE / "options.yaml").read_text("utf-8"))
PAGE = """# One run, {most} numbers called NDCG@10

Values of seven metrics on one run, under the {presets} presets of {systems} systems and the options in `options.yaml`.
24 users have 1 to 50 relevant items (`labels.csv`) and a list of 1 to 40 items (`run.csv`). There are no grades, ties
or repeated items, and no users without labels or list: only the lengths of the lists vary.

{counts}

The sections below have a picture of each metric, and in a fold each value with its presets, in rising order. A line
with ^ compares a preset with the most similar one of the value above, and has the settings in which they differ.

{numbers}

## Options

{options}

Printed by `python examples/ragged/values.py > docs/explanation/one-run.md`.
"""


def main() -> None:
    """Print the page."""
    joined = rc.join(HERE / "labels.csv", HERE / "run.csv")
    groups = {metric: groups_of(joined, metric) for metric in TITLES}
    print(page(groups), end="")


def groups_of(joined: Joined, metric: str) -> list[EqualNumbers]:
    """What all definitions of one metric give."""
    result = rc.evaluate(joined, [*entries(metric), *OPTIONS[metric]], on_error="collect")
    named = {shown(spec, metric): [measured] for spec, measured in result.by_spec.items()}
    return group(named, [Differences(joined)])


def entries(metric: str) -> list[str]:
    """Every entry that a system's preset has under the name of the metric, at the cutoff."""
    specs = [(preset, f"{key}@{K}") for preset in presets() for key in preset.metrics if key.startswith(metric)]
    return [f"{preset.name}:{spec}" for preset, spec in specs if preset.offers(spec)]


def presets() -> list[rc.Preset]:
    """Those of all systems."""
    return [rc.preset(name) for field in FIELDS for name in expand(field)]


def shown(spec: str, metric: str) -> str:
    """The preset alone, where it says enough."""
    preset, _, rest = spec.removesuffix(f"@{K}").partition(":")
    return preset if rest == metric else f"{preset}:{rest}"


def page(groups: dict[str, list[EqualNumbers]]) -> str:
    """How many numbers there are, the groups of each metric, and what the options are called there."""
    calls = [[f"`{spec}`", f"`{call}`"] for options in OPTIONS.values() for spec, call in options.items()]
    return PAGE.format(
        most=len(groups["ndcg"]),
        presets=len(presets()),
        systems=len({one.system for one in presets()}),
        counts=Table(
            ["metric", "different numbers", "lowest", "highest"], [*map(counts, groups, groups.values())]
        ).to_markdown(),
        numbers="\n\n".join(section(metric, found) for metric, found in groups.items()),
        options=Table(["here", "there"], calls, labels=2).to_markdown(),
    )


def section(metric: str, groups: list[EqualNumbers]) -> str:
    """The picture of a metric, and its values in a fold."""
    picture = f"![{TITLES[metric]}: a mark for each value, with definitions that give it](one-run/{metric}.svg)"
    every = f"<details><summary>All values, with what separates them</summary>\n\n```text\n{listed(groups)}\n```"
    return f"## {TITLES[metric]}\n\n{picture}\n\n{every}\n\n</details>"


def pictures() -> dict[str, str]:
    """The picture of each metric as SVG."""
    joined = rc.join(HERE / "labels.csv", HERE / "run.csv")
    found: dict[str, str] = {}
    for metric, title in TITLES.items():
        picture = strip_plot(title, groups_of(joined, metric), chosen=CHOSEN, kind="definition")
        found |= {metric: strip_svg([picture])} if picture else {}
    return found


def listed(groups: list[EqualNumbers]) -> str:
    """The numbers from lowest to highest, each with who gives it."""
    return text(Page([[values_of(groups)]]))


def counts(metric: str, groups: list[EqualNumbers]) -> list[str]:
    """How many numbers a metric has, the lowest and the highest."""
    [lowest], [highest] = groups[0].means, groups[-1].means
    return [TITLES[metric], str(len(groups)), f"{lowest:.4f}", f"{highest:.4f}"]


if __name__ == "__main__":
    main()
