"""Whether a file is text in UTF-8."""

from dataclasses import dataclass
from pathlib import Path

from rankconv.errors import InputError
from rankconv.inputs.paths import opened

SAVE_AS_UTF8 = "Save the file as UTF-8 text; if it is Latin-1: iconv -f LATIN1 -t UTF-8 OLD > NEW"
_NUL, _FETCH = "the line has a NUL byte, and text has none", "Fetch or write the file again: it is damaged, or no text"
_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")
_LOOKED_AT = 1000
_BYTES = 1 << 20
"""So many are read in one go."""


@dataclass(frozen=True)
class Damage:
    """The first byte that no text in UTF-8 has."""

    at: int
    wrong: str
    do: str

    def error(self, where: str) -> InputError:
        """What is wrong with the line of this place."""
        return InputError(self.wrong, where=where, do=self.do)


def damage(text: bytes) -> Damage | None:
    """The first damage of whole lines; None where there is none."""
    odd = -1
    if not text.isascii():
        try:
            text.decode()
        except UnicodeDecodeError as problem:
            odd = problem.start
    nul = text.find(b"\0", 0, odd if odd >= 0 else len(text))
    if nul >= 0:
        return Damage(nul, _NUL, _FETCH)
    return Damage(odd, "the line is not UTF-8", SAVE_AS_UTF8) if odd >= 0 else None


def refuse_nul(path: Path, said: object) -> None:
    """Names the first line with a NUL byte, which no text has, in whatever encoding."""
    with opened(path) as file:
        if any(b"\0" in piece for piece in iter(lambda: file.read(_BYTES), b"")):
            file.seek(0)
            line, found = next((number, one) for number, one in enumerate(file, 1) if b"\0" in one)
            raise Damage(found.index(b"\0"), _NUL, _FETCH).error(f"{said}, line {line}")


def refuse_wide(path: Path, said: object) -> None:
    """An InputError for UTF-16 and UTF-32."""
    if _is_wide(path):
        do = "Save it as UTF-8 text: iconv -f UTF-16 -t UTF-8 OLD > NEW"
        raise InputError("this is UTF-16 or UTF-32, and only UTF-8 is read", where=str(said), do=do)


def _is_wide(path: Path) -> bool:
    """Whether it begins as UTF-16 and UTF-32 do: with their mark, or with some bytes of every letter zero."""
    with opened(path) as file:
        start = file.read(_LOOKED_AT)
    return start.startswith(_WIDE_MARKS) or 0.25 < start.count(0) / len(start) < 0.9
