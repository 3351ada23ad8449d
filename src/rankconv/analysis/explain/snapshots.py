"""One user's rows and labels at one moment of preparation, kept to be compared with the next."""

from dataclasses import dataclass

from rankconv.analysis.explain.rows import NOBODY_KNOWS
from rankconv.preparation.rows import NOTHING, WorkingBlock


@dataclass(frozen=True)
class LabelSnapshot:
    """A label row at one moment."""

    item: str
    grade: float
    exists: bool
    in_pool: bool
    at_end: bool
    relevant: bool

    @property
    def judged(self) -> bool:
        """Whether it is a judgment."""
        return self.exists and not self.in_pool


@dataclass(frozen=True)
class RowSnapshot:
    """A ranked row at one moment."""

    item: str
    place: int
    score: float
    relevant: bool | None
    """None before it is decided."""
    weight: float

    @property
    def key(self) -> tuple[str, int]:
        """What stays the same while scores and order change."""
        return self.item, self.place


@dataclass(frozen=True)
class Snapshot:
    """Labels and rows at one moment."""

    labels: tuple[LabelSnapshot, ...]
    rows: tuple[RowSnapshot, ...]
    known: int
    """How many labels exist for the metric; 0 before it is settled."""
    refusals: tuple[str, ...]


def moment(block: WorkingBlock) -> Snapshot:
    """The block of one user as it is now."""
    return Snapshot(
        tuple(_labels(block)),
        tuple(_rows(block)),
        0 if block.known is None else len(block.known.item),
        tuple(reason.text.format(item=_name(block, int(reason.item[0]))) for reason in block.reasons),
    )


def _name(block: WorkingBlock, code: int) -> str:
    return NOBODY_KNOWS if code == NOTHING else str(block.joined.items.id(code))


def _labels(block: WorkingBlock) -> list[LabelSnapshot]:
    labels = block.labels
    columns = (labels.grade, labels.exists, labels.in_pool, labels.at_end, labels.relevant)
    names = [_name(block, code) for code in labels.item.tolist()]
    return [LabelSnapshot(*one) for one in zip(names, *(column.tolist() for column in columns), strict=True)]


def _rows(block: WorkingBlock) -> list[RowSnapshot]:
    rows = block.rows
    size = len(rows.item)
    relevant = rows.relevant.tolist() if hasattr(rows, "relevant") else [None] * size
    weights = [1.0] * size if rows.weight is None else rows.weight.tolist()
    names = [_name(block, code) for code in rows.item.tolist()]
    columns = (names, rows.place.tolist(), rows.score.tolist(), relevant, weights)
    return [RowSnapshot(*one) for one in zip(*columns, strict=True)]
