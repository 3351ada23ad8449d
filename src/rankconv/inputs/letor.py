"""LETOR and SVMrank text: `2 qid:10 1:0.5 2:0.1 # docid = GX029`."""

import re
from typing import Any

from rankconv.errors import InputError
from rankconv.inputs.blocks import blocks
from rankconv.inputs.file import File
from rankconv.inputs.pieces import Pieces, gathered, in_memory
from rankconv.inputs.reader import Reader, Wanted

ENDINGS = (".letor", ".svmrank", ".svmlight", ".libsvm")
_START = re.compile(rb"\s*\S+\s+qid:\S")
_LINE = re.compile(rb"\s*(?P<grade>\S+)\s+qid:(?P<user>[^\s#]+)(?:\s[^#\r]*)?(?:#(?P<comment>[^\r]*))?$")
_NAMED = re.compile(rb"\bdocid\s*=\s*(\S+)")


def takes(data: Any) -> bool:
    """Files whose first line that is no comment has a `qid:`."""
    return isinstance(data, File) and _START.match(data.first_line) is not None


def pieces(file: File, wanted: Wanted) -> Pieces:
    """The grade of each line; its document is the one of the comment `docid = …`, else the number of the line."""
    if wanted.what == "rankings":
        do = "Pass a file with the scores of its lines: rc.Run(scores, letor=path)"
        shell = "Pass a file with the scores of its lines as the run, and this one as the labels"
        raise InputError("a LETOR file holds labels and features, and no scores", where=str(file), do=do, shell=shell)
    rows = (
        (number, _fields(line.rstrip(), number, file))
        for block in blocks(file)
        for number, line in block.lines
        if line.strip() and not line.lstrip().startswith(b"#")
    )
    return Pieces(gathered(rows, ("user", "item", "grade"), file))


def _fields(line: bytes, number: int, file: File) -> tuple[str, str, str]:
    """User, item and grade."""
    found = _LINE.match(line)
    if found is None:
        shown = line.strip()[:400].decode(errors="replace")
        allowed = "A line is: grade qid:… feature:value … # docid = …"
        raise InputError(f"'{shown:.60}' has no grade with a qid:", where=f"{file}, line {number}", allowed=allowed)
    named = _NAMED.search(found["comment"] or b"")
    return found["user"].decode(), named[1].decode() if named else str(number), found["grade"].decode()


READER = Reader(
    f"LETOR and SVMrank files ({', '.join(ENDINGS)}, or lines with qid:)",
    takes,
    in_memory(pieces),
    pieces=pieces,
    endings=ENDINGS,
)
