"""A split in a folder: one table for each part, and what it is."""

import json
from pathlib import Path
from typing import Any

from rankconv.errors import InputError, nearest
from rankconv.protocols.split import Split
from rankconv.writing import draft_of, write_table

ENDINGS = ("csv", "parquet", "jsonl")
ABOUT = "split.json"


def write(split: Split, folder: Path, ending: str = "csv", *, force: bool = False) -> dict[str, Any]:
    """Write all parts; what `split.json` says is returned. InputError where a file is there already."""
    if ending not in ENDINGS:
        allowed = f"The forms are {', '.join(ENDINGS)}"
        raise InputError(f"'{ending}' is no form of a part", allowed=allowed, nearest=nearest(ending, ENDINGS))
    parts = {f"{name}.{ending}": frame for name, frame in split.to_frames().items()}
    _check(folder, [*parts, ABOUT], force)
    for name, frame in parts.items():
        write_table(frame, folder / name, force=force)
    fields = about(split) | {"files": {name: len(frame) for name, frame in parts.items()}}
    with draft_of(folder / ABOUT, force=force) as draft:
        draft.write_text(json.dumps(fields, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return fields


def about(split: Split) -> dict[str, Any]:
    """What a split is: its protocol, each setting, the seed, fingerprints, and the sentence for a paper."""
    return {
        "protocol": split.protocol.text,
        "settings": dict(split.protocol.settings.stated),
        "seed": split.seed,
        "protocol fingerprint": split.protocol.fingerprint,
        "split fingerprint": split.fingerprint,
        "sentence": split.sentence,
    }


def _check(folder: Path, names: list[str], force: bool) -> None:
    """An InputError where a file is in the way, before anything is written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise InputError(f"no folder can be made: {problem.strerror}", where=str(folder)) from None
    there = [name for name in names if (folder / name).exists()]
    if there and not force:
        do, shell = (f"Choose another folder, or overwrite with {one}." for one in ("force=True", "--force"))
        raise InputError(f"there is a {there[0]} already", where=str(folder), do=do, shell=shell)
