"""A score in each line and nothing else, as programs for LETOR files predict them."""

from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

from rankconv.errors import InputError
from rankconv.inputs import letor, numbers
from rankconv.inputs.blocks import blocks
from rankconv.inputs.file import STDIN, File, as_file
from rankconv.inputs.lines import Layout, split
from rankconv.inputs.pieces import gathered, rows_of
from rankconv.inputs.reader import Reader, Rows, Wanted

LAYOUT = Layout("scores", ("score",))


def takes(data: Any) -> bool:
    """Files whose first line is one number."""
    if not isinstance(data, File) or len(data.first_line) > 100:
        return False
    try:
        float(data.first_line)
    except ValueError:
        return False
    return True


def read(file: File, wanted: Wanted) -> Rows:
    """Scores alone have neither users nor items."""
    do, shell = (
        f"Pass the LETOR file whose lines they score{how}" for how in (": rc.Run(path, letor=…)", " as the labels")
    )
    raise InputError("each line is a score, and says neither user nor item", where=str(file), do=do, shell=shell)


def scored_lines(path: str, labels: str) -> str | None:
    """The file of labels, if it is a LETOR file and the other one scores its lines."""
    if path == STDIN or labels == STDIN or not (Path(path).is_file() and Path(labels).is_file()):
        return None
    with as_file(path) as file, as_file(labels) as known:
        return labels if takes(file) and letor.takes(known) else None


def of_lines(path: str | PathLike[str], letor_path: str | PathLike[str]) -> Rows:
    """The rows of a LETOR file with the scores of its lines."""
    with as_file(str(letor_path)) as file:
        labelled = rows_of(letor.pieces(file, Wanted("labels", {})), file)
        lines = str(file)
    with as_file(str(path)) as file:
        rows = (row for block in blocks(file) for row in split(block, LAYOUT, LAYOUT.fields, file))
        scores = numbers.together([piece.numbers["score"] for piece in gathered(rows, LAYOUT.fields, file)])
        if len(scores.floats) != len(labelled.item):
            wrong = f"there are {len(scores.floats)} scores, and {len(labelled.item)} lines in {lines}"
            raise InputError(wrong, where=str(file), do="Give each line one score")
        return replace(labelled, source=file.name, number=scores)


READER = Reader("scores of the lines of a LETOR file", takes, read, endings=(".predictions",))
