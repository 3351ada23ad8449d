"""The pages on five sources of the registry: their numbers and pictures are those of `conventions/registry`.

`python -m tests.generate stories` writes them into `docs/explanation/registry/`.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from textwrap import fill

from rankconv.analysis.reproduce.printed_numbers import PrintedNumber, printed_numbers
from rankconv.analysis.reproduce.sources import source

FOLDER = Path(__file__).parent / "explanation" / "registry"
HEIGHT, TOP, BETWEEN, LETTER = 420, 40, 180, 5.6
"""Of a picture: its height, the margin above and below, the width of the lines, and of a letter."""
NAMES_AT_MOST = 20
"""Lines whose names are written; of more only those whose place changes."""


@dataclass(frozen=True)
class Pair:
    """A run with two values: as printed, and by another definition."""

    run: str
    printed: float
    other: float


@dataclass(frozen=True)
class Story:
    """A page: its text with a place for the table, the pairs of its picture, and what the two columns are."""

    name: str
    title: str
    text: str
    pairs: Sequence[Pair]
    heads: tuple[str, str]

    def page(self) -> str:
        """Return the page as Markdown."""
        picture = f"![A line for each run, from {self.heads[0]} to {self.heads[1]}]({self.name}.svg)"
        legend = "Red are the lines whose place changes. Names are shown where they have space"
        legend += f", and of {len(self.pairs)} lines to the red ones." if len(self.pairs) > NAMES_AT_MOST else "."
        paragraphs = [paragraph(one) for one in self.text.strip().split("\n\n")]
        return "\n\n".join([f"# {self.title}", *paragraphs, picture, legend, table(self.pairs, self.heads)]) + "\n"

    def picture(self) -> str:
        """Return the picture as SVG: a line a run, and those whose place changes are dark."""
        values = [value for pair in self.pairs for value in (pair.printed, pair.other)]
        low, high = min(values), max(values)
        ranks = [ranked(self.pairs, lambda pair: pair.printed), ranked(self.pairs, lambda pair: pair.other)]

        left = round(LETTER * (max(len(pair.run) for pair in self.pairs) + len(" 0.000")))
        right, width = left + BETWEEN, 2 * left + BETWEEN

        def height(value: float) -> float:
            return TOP + (high - value) / (high - low) * (HEIGHT - 2 * TOP)

        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" font-family="sans-serif" '
            'font-size="10">',
            f'<rect width="{width}" height="{HEIGHT}" fill="white"/>',
            f'<text x="{left}" y="20" text-anchor="end" font-weight="bold">{escape(self.heads[0])}</text>',
            f'<text x="{right}" y="20" font-weight="bold">{escape(self.heads[1])}</text>',
        ]
        taken: list[list[float]] = [[], []]
        for pair in sorted(self.pairs, key=lambda pair: -pair.printed):
            moved = ranks[0][pair.run] != ranks[1][pair.run]
            ends = [height(pair.printed), height(pair.other)]
            colour = "#b03a2e" if moved else "#9aa0a6"
            lines.append(
                f'<path d="M{left + 6} {ends[0]:.1f}L{right - 6} {ends[1]:.1f}" stroke="{colour}" fill="none"/>'
            )
            if not moved and len(self.pairs) > NAMES_AT_MOST:
                continue
            for side, (x, value, anchor) in enumerate([(left, pair.printed, "end"), (right, pair.other, "start")]):
                if all(abs(ends[side] - other) > 9 for other in taken[side]):
                    taken[side].append(ends[side])
                    words = f"{escape(pair.run)} {value:.3f}" if side == 0 else f"{value:.3f} {escape(pair.run)}"
                    lines.append(f'<text x="{x}" y="{ends[side] + 3:.1f}" text-anchor="{anchor}">{words}</text>')
        return "\n".join([*lines, "</svg>"]) + "\n"


def paragraph(words: str) -> str:
    """Words in lines that an editor shows."""
    return fill(" ".join(words.split()), 120, break_on_hyphens=False, break_long_words=False)


def ranked(pairs: Sequence[Pair], value: Callable[[Pair], float]) -> dict[str, int]:
    """Each run and how many are better."""
    return {pair.run: sum(value(other) > value(pair) for other in pairs) for pair in pairs}


def table(pairs: Sequence[Pair], heads: tuple[str, str]) -> str:
    """A Markdown table of the pairs, best printed value first."""
    rows = sorted(pairs, key=lambda pair: -pair.printed)
    lines = [f"| `{pair.run}` | {pair.printed:.4g} | {pair.other:.4g} |" for pair in rows]
    return "\n".join([f"| run | {heads[0]} | {heads[1]} |", "|---|--:|--:|", *lines])


def numbers_of(name: str) -> list[PrintedNumber]:
    """The numbers of a source."""
    return list(printed_numbers(source(name)))


def against_claims(numbers: Iterable[PrintedNumber]) -> list[Pair]:
    """Printed values and what the claimed definition gives, where it gives a number."""
    found = []
    for one in numbers:
        gives = one.entry.claim.gives if one.entry.claim else None
        if gives not in (None, "error"):
            found.append(Pair(one.inputs, float(one.printed.text), float(gives)))
    return found


def of_two_tables(ones: Iterable[PrintedNumber], others: Iterable[PrintedNumber]) -> list[Pair]:
    """Two printed values of each run."""
    second = {one.inputs: float(one.printed.text) for one in others}
    return [Pair(one.inputs, float(one.printed.text), second[one.inputs]) for one in ones]


def largest_change(pairs: Sequence[Pair]) -> Pair:
    """The run whose two values differ most."""
    return max(pairs, key=lambda pair: abs(pair.printed - pair.other))


def best(pairs: Sequence[Pair]) -> tuple[Pair, Pair]:
    """The best run by the printed values, and the best by the others."""
    return max(pairs, key=lambda pair: pair.printed), max(pairs, key=lambda pair: pair.other)


def moved(pairs: Sequence[Pair]) -> int:
    """How many runs change places."""
    before, after = ranked(pairs, lambda pair: pair.printed), ranked(pairs, lambda pair: pair.other)
    return sum(before[pair.run] != after[pair.run] for pair in pairs)


def reproduced_by(name: str) -> str:
    """How a reader computes the numbers again."""
    return f"`rankconv reproduce {name}` has the commands for the files; with `--data FOLDER` it computes all again."


def p_at_15() -> Story:
    """Robust 2003."""
    pairs = against_claims(one for one in numbers_of("trec-robust-2003") if one.entry.called == "P_10")
    lower = sum(pair.other - pair.printed for pair in pairs) / len(pairs)
    text = f"""
NIST's TREC browser has five numbers for each run of TREC 2003 Robust. Four of them, MAP, R-precision, P_100 and
P_1000, are those of trec_eval. The fifth is called P_10. In all {len(pairs)} runs that are public in the repository
of trectools it is precision at 15, rounded or cut off to four digits, and never precision at 10. It is {lower:.3f}
lower on average, and {moved(pairs)} of the {len(pairs)} runs change places.

Recomputed: {len(pairs)} runs with the labels of the same repository. Not recomputed: the other runs of the page, and
other pages of the browser. {reproduced_by("trec-robust-2003")}
"""
    return Story("p-at-15", "A column called P_10 that holds P@15", text, pairs, ("printed as P_10", "P@10"))


def ideal_list() -> Story:
    """LeCaRD."""
    numbers = [one for one in numbers_of("lecard") if one.entry.called == "NDCG@10" and "overall" in one.where]
    pairs = against_claims(numbers)
    first, last = best(pairs)
    of_first = next(pair for pair in pairs if pair.run == first.run)
    text = f"""
The README of LeCaRD has NDCG@10 of three systems. The best is {first.run.partition("-first")[0]} with
{first.printed:.3f}. This is NDCG whose ideal list holds only what the system retrieved (`ideal=retrieved`). With the
ideal list of all labels, which `metrics.py` of the same repository takes at the commit of the registry, it is
{of_first.other:.3f} and the last of the three; the best is then {last.run.partition("-first")[0]} with
{last.other:.3f}. A system that returns few judged cases has a poor ideal list, against which it looks good.

The table of all queries holds means over the first 100 of 107. Recomputed: three systems, with labels and lists of
the repository. Five other numbers of the README, precision on its test split, did not come out.
{reproduced_by("lecard")}
"""
    return Story("ideal-list", "An ideal list of what was retrieved", text, pairs, ("printed NDCG@10", "all labels"))


def order_and_topics() -> Story:
    """CLEF TAR, average precision."""
    every = [one for one in numbers_of("clef-tar") if one.entry.called == "ap"]
    pairs = against_claims(every)
    largest = largest_change(pairs)
    given = sum(one.recorded == "as claimed" for one in numbers_of("clef-tar") if one.spec == "map")
    refused = sum(one.entry.claim is not None and one.entry.claim.gives == "error" for one in every)
    text = f"""
The result files of CLEF TAR 2017 and 2019 have a number called ap. It is average precision of the lines in the order
of the file, and its mean leaves out topics without a relevant document. trec_eval sorts by score, and counts such
topics 0. {given} printed values are those of trec_eval. {len(pairs)} are not: the largest difference is that of
{largest.run}, {largest.printed:g} printed and {largest.other:g} by trec_eval. {refused} more are of runs that
trec_eval refuses, as they hold a document twice. These {len(pairs) + refused} are `map(order=given,
on-no-ranking=skip, on-no-relevant=skip)`. One printed value did not come out: most values of its file are those of
another run.

Recomputed: the runs below 4 MiB of the repository. Not recomputed: longer runs, costs, loss and the normalised area.
{reproduced_by("clef-tar")}
"""
    return Story(
        "order-and-topics", "Order of lines and topics without a document", text, pairs, ("printed ap", "trec_eval")
    )


def micro_and_macro() -> Story:
    """CLEF TAR 2018, recall."""
    numbers = [
        one for one in numbers_of("clef-tar") if (one.entry.called or "").startswith("recall") or "recall" in one.spec
    ]
    recalls = [one for one in numbers if one.inputs.startswith("2018") and one.entry.claim]
    pairs = [
        Pair(f"{pair.run.removeprefix('2018-').removesuffix('-content')}, {one.entry.called}", pair.printed, pair.other)
        for one, pair in zip(recalls, against_claims(recalls), strict=True)
    ]
    largest = largest_change(pairs)
    text = f"""
A table of CLEF TAR 2018 has, in the row of a run, its MAP and its recall at several cutoffs. MAP is a mean over
topics. Recall is not: it is the hits of all topics by the relevant documents of all topics (`aggregate=micro`), so a
topic with many relevant documents counts more. The {len(pairs)} printed recalls of three runs are all micro; the
table does not say so. As means over topics they differ by up to {abs(largest.printed - largest.other):.3f}:
{largest.run} is {largest.printed:g} in print and {largest.other:g} as a mean.

Recomputed: the three runs that the repository holds with the labels of 2018. {reproduced_by("clef-tar")}
"""
    return Story(
        "micro-and-macro", "Micro recall in the row of a macro MAP", text, pairs, ("printed recall", "mean of topics")
    )


def level_of_relevance() -> Story:
    """RankLLM and Deep Learning 2019."""
    runs = [one for one in numbers_of("rankllm") if (one.entry.called or one.spec) == "map_cut_100"]
    one_file = [one for one in runs if "at-least" not in one.spec]
    other_file = [one for one in runs if "at-least" in one.spec]
    rankllm = of_two_tables(one_file, other_file)
    official = [one for one in numbers_of("trec-dl-2019-passage") if (one.entry.called or one.spec) == "map"]
    pairs = of_two_tables(
        [one for one in official if "at-least" not in one.spec], [one for one in official if "at-least" in one.spec]
    )
    first, second = best(pairs)
    largest = largest_change(rankllm)
    text = f"""
Labels of TREC Deep Learning have four grades. A passage is relevant from grade 1 on, or from grade 2 on, and both are
in use. Two files of the repository of RankLLM print MAP@100 of the same {len(rankllm)} runs, the one at level 1, the
other at level 2, for {largest.run} {largest.printed:g} and {largest.other:g}. The names of the two numbers are the
same. Recall is at level 1 in both files.

NIST's summaries of the {len(pairs)} passage runs of 2019 have both in two blocks. The level decides which run is
best: {first.run} at level 1, {second.run} at level 2, and {moved(pairs)} runs change places.

Recomputed: {len(rankllm)} and {len(pairs)} runs with the labels of NIST; all printed numbers came out.
{reproduced_by("rankllm")}
"""
    return Story(
        "level-of-relevance", "Relevant from grade 1 or from grade 2", text, pairs, ("AP, level 1", "AP, level 2")
    )


STORIES = (p_at_15, ideal_list, order_and_topics, micro_and_macro, level_of_relevance)


def index(stories: Sequence[Story]) -> str:
    """The page that links the others."""
    entries = "\n".join(f"* [{one.title}]({one.name}.md)" for one in stories)
    names = "\n".join(one.name for one in stories)
    about = """
Numbers of public runs, each with the definition that gives it. The files are in `conventions/registry`, and
[how to reproduce them](../../how-to/reproduce.md) says what is computed from what.
"""
    head = f"# Printed numbers, computed again\n\n{about.strip()}\n\n"
    return f"{head}{entries}\n\n```{{toctree}}\n:hidden:\n\n{names}\n```\n"


def files() -> dict[Path, str]:
    """Every page and picture."""
    stories = [story() for story in STORIES]
    found = {FOLDER / "index.md": index(stories)}
    for one in stories:
        found |= {FOLDER / f"{one.name}.md": one.page(), FOLDER / f"{one.name}.svg": one.picture()}
    return found
