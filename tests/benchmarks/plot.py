"""The races as a picture."""

from pathlib import Path

from tests.benchmarks.rows import Row, said

OURS, THEIRS = "#2a6f97", "#c26a3d"


def draw(rows: list[Row], file: Path) -> bool:
    """A bar for each race of the first size, to the right where we are faster; False where nothing can draw."""
    try:
        import matplotlib
    except ImportError:
        return False
    raced = [row for row in rows if row.kind == "race" and row.ratio is not None]
    raced = [row for row in raced if row.size == raced[0].size][::-1]
    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "rankconv", "svg.fonttype": "none"})
    bars(raced, file)
    return True


def bars(raced: list[Row], file: Path) -> None:
    """Horizontal, on a logarithmic scale whose middle is a draw."""
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(9, 1 + 0.3 * len(raced)), layout="constrained")
    ratios = [row.ratio or 1 for row in raced]
    names = [f"{row.against}: {row.what}, {row.size}" for row in raced]
    axes.barh(range(len(raced)), [ratio - 1 for ratio in ratios], left=1, color=[colour(one) for one in ratios])
    for place, ratio in enumerate(ratios):
        axes.text(max(1, ratio) * 1.05, place, said(ratio, "race"), va="center")
    axes.set_yticks(range(len(raced)), names)
    axes.set_xscale("log")
    axes.margins(x=0.2, y=0.01)
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_xlabel("their CPU time / ours")
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(file, metadata={"Date": None})
    plt.close(figure)


def colour(ratio: float) -> str:
    """Who won."""
    return OURS if ratio >= 1 else THEIRS
