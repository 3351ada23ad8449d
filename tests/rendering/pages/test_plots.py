"""Pictures: every text that is drawn stands inside the figure, is as large as can be read, and none covers another."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankconv as rc
from tests.rendering.pages.runs import FEW, LABELS, runs

pytest.importorskip("matplotlib")
from matplotlib.text import Text

LEGIBLE = 8
"""Points of the smallest letters."""
FIVE = [*FEW, "blog", "rankconv"]
Found = dict[int, tuple[Any, Any, tuple[int, int]]]
"""Texts by identity, each with its box and the size of the canvas, in pixels."""


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Found:
    """Every text that a figure draws."""
    found: Found = {}
    draw = Text.draw

    def watched(self: Any, renderer: Any, *rest: Any, **more: Any) -> None:
        if self.get_visible() and self.get_text().strip():
            found[id(self)] = (self, self.get_window_extent(renderer), renderer.get_canvas_width_height())
        draw(self, renderer, *rest, **more)

    monkeypatch.setattr(Text, "draw", watched)
    return found


def assert_legible(found: Found) -> None:
    assert found
    for text, box, (width, height) in found.values():
        assert text.get_fontsize() >= LEGIBLE, text
        assert (box.x0 >= -1, box.y0 >= -1, box.x1 <= width + 1, box.y1 <= height + 1) == (True,) * 4, (text, box)
    texts = [text for text, _, _ in found.values()]
    boxes = np.array([(box.x0, box.y0, box.x1, box.y1) for _, box, _ in found.values()])
    for place, box in enumerate(boxes):  # each against all behind it
        others = boxes[place + 1 :]
        sides = np.minimum(box[2:], others[:, 2:]) - np.maximum(box[:2], others[:, :2])
        covered = np.flatnonzero((sides >= 1).all(axis=1))
        assert not len(covered), (texts[place], texts[place + 1 + covered[0]])
    assert not [text for text, _, _ in found.values() if "…" in text.get_text()]


@pytest.mark.parametrize("presets", [["mllib"], FIVE])
def test_forest(drawn: Found, tmp_path: Path, presets: list[str]) -> None:
    rc.test(LABELS, runs(2), "ndcg@10", presets).plot(tmp_path / "a.png")
    assert_legible(drawn)


def test_the_check_sees_what_is_covered_or_cut(drawn: Found, tmp_path: Path) -> None:
    from rankconv.rendering.pages.picture import picture

    for second in (0.5, 0.9):
        with picture(tmp_path / "a.png", 3, 2) as axes:
            axes.set_axis_off()
            axes.figure.text(0.5, 0.5, "one thing")
            axes.figure.text(second, second, "another thing")
        with pytest.raises(AssertionError):
            assert_legible(drawn)
        drawn.clear()
