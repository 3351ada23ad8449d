"""The table of systems, with how many of their numbers are held, on the page of systems."""

import re
from collections.abc import Callable
from datetime import date
from pathlib import Path

import yaml

import rankconv as rc
from tests.oracles.exceptions import RULES
from tests.oracles.harness import Tally
from tests.oracles.identities import IDENTITIES

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "systems.md"
COMMAND = "python -m tests.generate pages"
START, END = f"<!-- systems: written by {COMMAND} -->\n", "<!-- systems end -->"
HEADS = ("system", "version", "recorded", "eras", "presets", "metrics", "numbers equal", "by rule", "description")
LONGEST = 110
RECORDED: dict[str, date] = yaml.safe_load(Path(__file__).with_name("data").joinpath("recorded.yaml").read_text())
ERAS = {
    "kbn_evals_2025": "kbn_evals@2025-12",
    "lenskit_0_14": "lenskit@0.14.4",
    "ml_metrics_git": "ml_metrics@git",
    "mllib_2016": "mllib@2.1.3",
    "quepid_7_16": "quepid@7.16.0",
    "quepid_7_18": "quepid@7.18.1",
    "quepid_8_0": "quepid@8.0.1",
    "ranking_metrics_torch_0_2": "ranking_metrics_torch@0.2.3",
    "sklearn_0_18": "sklearn@0.18",
    "surprise_1_1_0": "surprise@1.1.0",
    "torchmetrics_0_6": "torchmetrics@0.6.2",
    "trec_eval_9": "trec_eval@9.0.8",
}
"""The presets of earlier versions whose numbers are held."""
TallyOf = Callable[[str], Tally]


def replaced(page: str, made: str) -> str:
    """The page with this table between the markers."""
    before, rest = page.split(START)
    return f"{before}{START}{made}{END}{rest.split(END, 1)[1]}"


def table(tally: TallyOf) -> str:
    """A line for each system."""
    own = {bare(system): system for system in IDENTITIES}
    rows = [row(name, own, tally(own[name])) for name in sorted(own, key=str.casefold)]
    lines = [HEADS, ("---", "---", "---", "---", "---", "--:", "--:", "--:", "---"), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines) + "\nThe rules:\n\n" + rules(tally)


def rules(tally: TallyOf) -> str:
    """What no definition gives, and how many of the numbers above that is."""
    return "".join(
        f"* {one.system} ({tally(one.system).counts[f'rule: {one.name}']}): {one.reason}.\n" for one in RULES
    )


def row(name: str, own: dict[str, str], tally: Tally) -> tuple[str, ...]:
    """One system: what it is, its presets, how much it offers and how much is held against it."""
    preset, counts = rc.preset(name), tally.counts
    stated = [variant for variant in variants(name, own) if "@" not in variant]
    presets = [f"`{name}`", *(f"`{short(variant, name)}`" for variant in stated)]
    eras = " ".join(f"`@{one.version}`" for one in preset.file.eras) if "@" not in name else ""
    numbers = [f"{counts['equal']:,}", str(counts["excepted"] or "–")]
    about = [preset.system, str(preset.file.version), RECORDED[own[name]].isoformat(), eras or "–"]
    return (*about, " ".join(presets), str(len(preset.metrics)), *numbers, description(preset))


def bare(system: str) -> str:
    """The preset of a system without options."""
    return ERAS.get(system) or next(name for name in rc.list_presets() if re.sub("[-.]", "_", name) == system)


def variants(name: str, own: dict[str, str]) -> list[str]:
    """The presets that stand on it, and on no other system in between."""
    found = []
    for variant in rc.list_presets(eras=True):
        parent = rc.preset(variant).parent
        while parent is not None and parent.name not in own:
            parent = parent.parent
        if parent is not None and parent.name == name and variant not in own:
            found.append(variant)
    return found


def short(variant: str, name: str) -> str:
    """What a variant adds to the name of its system."""
    return variant.removeprefix(name)


def description(preset: rc.Preset) -> str:
    """The first sentence about it, or of how it behaves, cut at a clause where it is long."""
    told = preset.file.about.strip() or next((claim.text for claim in preset.file.says), "")
    sentence = re.split(r"(?<=\.)\s", told)[0].rstrip(".").replace("|", "\\|")
    clauses = [match.start() for match in re.finditer(r"[,;:](?= )", sentence) if match.start() <= LONGEST]
    return sentence if len(sentence) <= LONGEST or not clauses else f"{sentence[: clauses[-1]]} …"
