"""What is printed of a split: how much there is in each part, and what a paper says."""

from collections.abc import Mapping

import numpy as np

from rankconv.pages.page import Line, Page, Paragraph
from rankconv.pages.table import Table
from rankconv.protocols.split import Split


def split_page(split: Split, files: Mapping[str, int], folder: str) -> Page:
    """The rows of each file, users and points, fingerprints, and the sentence."""
    rows = [[f"{folder}/{name}", f"{count:,}"] for name, count in files.items()]
    tested, points = len(np.unique(split.points.user)), len(split.points)
    text = f"{tested:,} users are tested" + (f", {points:,} times in all" if points != tested else "")
    named = f"{text}. Protocol {split.protocol.fingerprint}, seed {split.seed}, split {split.fingerprint}."
    return Page([[Table(["file", "rows"], rows)], [Line(named)], [Paragraph(split.sentence)]])
