"""Packed files: gzip and Zstandard are unpacked, other forms are named."""

import gzip
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

from rankconv.errors import InputError
from rankconv.inputs.paths import plain_errors
from rankconv.inputs.wanting import needed

PACKED_ENDINGS = (".gz", ".zst")
_OTHERS = {
    b"BZh91AY&SY": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"PK\x03\x04": "zip, as spreadsheets are too",
}
_BYTES = 1 << 20
_FEW_BYTES = 1 << 10
"""Zstandard can make 32,768 bytes of one."""
_LARGE, _MOST = 1 << 28, 500
"""A file that is larger than this, and this many times what was packed, was made to fill the disk."""


def unpacked(path: Path, said: str, folder: Callable[[], Path]) -> Path:
    """The file itself, or a copy of what is packed in it, in a folder made for it; the first bytes tell."""
    with plain_errors(path):
        if not path.is_file():
            return path
        with path.open("rb") as file:
            start = file.read(10)
    unpacker = next((unpacker for magic, unpacker in _UNPACKERS.items() if start.startswith(magic)), None)
    if unpacker is None:
        _refuse_others(start, said)
        return path
    copy = folder() / "unpacked"
    try:
        _write(unpacker(path, said), copy, max(_LARGE, _MOST * path.stat().st_size), said)
    except (OSError, EOFError, zlib.error) as problem:
        raise InputError(f"the file cannot be unpacked: {problem}", where=said, do="Fetch or pack it again") from None
    return copy


def _write(pieces: Iterator[bytes], copy: Path, most: int, said: str) -> None:
    size = 0
    with copy.open("wb") as plain:
        for piece in pieces:
            size += len(piece)
            if size > most:
                wrong = f"it unpacks to over {_MOST} times its size"
                raise InputError(wrong, where=said, do="Unpack it yourself if that is right")
            plain.write(piece)


def _refuse_others(start: bytes, said: str) -> None:
    for magic, name in _OTHERS.items():
        if start.startswith(magic):
            do = f"Unpack it first; {' and '.join(PACKED_ENDINGS)} are unpacked here"
            raise InputError(f"this is packed ({name}), and not read", where=said, do=do)


def _gzip(path: Path, _said: str) -> Iterator[bytes]:
    with gzip.open(path, "rb") as file:
        while piece := file.read(_BYTES):
            yield piece


def _zstandard(path: Path, said: str) -> Iterator[bytes]:
    """Frame by frame: only so is it told from a file that is cut off."""
    zstandard = needed("zstandard", "zstandard", f"{said}: a .zst file")
    frame = None
    with path.open("rb") as file:
        while block := file.read(_FEW_BYTES):
            while block:
                frame = frame or zstandard.ZstdDecompressor().decompressobj()
                try:
                    yield frame.decompress(block)
                except zstandard.ZstdError as problem:
                    raise OSError(problem) from None
                block, frame = (frame.unused_data, None) if frame.eof else (b"", frame)
    if frame is not None:
        raise EOFError("it ends in the middle")


_UNPACKERS: dict[bytes, Callable[[Path, str], Iterator[bytes]]] = {
    b"\x1f\x8b": _gzip,
    b"\x28\xb5\x2f\xfd": _zstandard,
}
