"""Whether a file is text in UTF-8."""

from pathlib import Path

from rankconv.errors import InputError
from rankconv.inputs.paths import opened

SAVE_AS_UTF8 = "Save the file as UTF-8 text; if it is Latin-1: iconv -f LATIN1 -t UTF-8 OLD > NEW"
_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")
_LOOKED_AT = 1000
_BYTES = 1 << 20
"""So many are read in one go."""


def refuse_other_than_text(path: Path, said: object) -> None:
    """Names the first line with a NUL byte, which no text has; and UTF-16, where every other byte is one."""
    if _is_wide(path):
        do = "Save it as UTF-8 text: iconv -f UTF-16 -t UTF-8 OLD > NEW"
        raise InputError("this is UTF-16 or UTF-32, and only UTF-8 is read", where=str(said), do=do)
    with opened(path) as file:
        if any(b"\0" in piece for piece in iter(lambda: file.read(_BYTES), b"")):
            file.seek(0)
            line = next(number for number, line in enumerate(file, 1) if b"\0" in line)
            do = "Fetch or write the file again: it is damaged, or no text"
            raise InputError("the line has a NUL byte, and text has none", where=f"{said}, line {line}", do=do)


def _is_wide(path: Path) -> bool:
    """Whether it begins as UTF-16 and UTF-32 do: with their mark, or with some bytes of every letter zero."""
    with opened(path) as file:
        start = file.read(_LOOKED_AT)
    return start.startswith(_WIDE_MARKS) or 0.25 < start.count(0) / len(start) < 0.9


def refuse_other_than_utf8(path: Path, said: object) -> None:
    """Names the first line that is not UTF-8, if there is one."""
    with opened(path) as file:
        for number, line in enumerate(file, 1):
            try:
                line.decode()
            except UnicodeDecodeError:
                where = f"{said}, line {number}"
                raise InputError("the line is not UTF-8", where=where, do=SAVE_AS_UTF8) from None
