"""The words of the glossary: retired words occur in no name, text or page.

`language.yaml` holds the retired words. Exempt are the titles of cited sources, which are quotations.
"""

import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

TOP = Path(__file__).parents[1]
FILE = TOP / "tests" / "language.yaml"
LANGUAGE: dict[str, Any] = yaml.safe_load(FILE.read_text())
QUOTED = "bibliography.yaml"
KEYS_OF_OTHERS = {"record_shapes.py": {"question", "answer", "answers"}}
"""Keys of the files of other programs, by the file that lists them."""
RETIRED = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, LANGUAGE['retired']))})(?![\w-])", re.IGNORECASE)
PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
FENCE = re.compile(r"```.*?```", re.DOTALL)


def words_of_code(text: str) -> Iterator[str]:
    """Names with spaces between their parts, strings and comments."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.NAME:
            yield " ".join(PART.findall(token.string))
        elif token.type in (tokenize.STRING, tokenize.COMMENT):
            yield token.string


def found(path: Path) -> Counter[str]:
    """How often each retired word occurs in a file."""
    text = path.read_text()
    parts = words_of_code(text) if path.suffix == ".py" else [text]
    words = (word.lower() for part in parts for word in RETIRED.findall(part))
    return Counter(word for word in words if word not in KEYS_OF_OTHERS.get(path.name, ()))


def rooms() -> dict[str, list[Path]]:
    """The files of each room: a folder of the source, the presets, each folder of examples and of pages."""
    members: dict[str, list[Path]] = {}
    for path in sorted(
        [
            *TOP.glob("src/**/*"),
            *TOP.glob("conventions/**/*.yaml"),
            *TOP.glob("examples/**/*"),
            *TOP.glob("docs/*"),
            *TOP.glob("docs/*/*"),  # what is generated lies deeper
            *TOP.glob(".github/*.md"),
            TOP / "README.md",
        ]
    ):
        if (
            path.suffix in {".py", ".yaml", ".md", ".html", ".js"}
            and path.is_file()
            and "published" not in path.parts
            and path.name != QUOTED
        ):
            parts = path.relative_to(TOP).parts
            depth = 3 if parts[0] == "src" else 2 if parts[0] in ("docs", "examples") else 1
            members.setdefault("/".join(parts[:-1][:depth]) or path.name, []).append(path)
    return members


ROOMS = rooms()


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_has_no_retired_words(room: str) -> None:
    counted = {str(path.relative_to(TOP)): words for path in ROOMS[room] if (words := found(path))}
    assert not counted


LONG = 25
"""Words of a sentence, from which on it is reported."""


def long_sentences(path: Path) -> Iterator[str]:
    """Sentences of a page, or of docstrings and comments, that have more words than a reader takes in at once."""
    text = path.read_text()
    prose = [FENCE.sub("", text)] if path.suffix == ".md" else [one for one in words_of_code(text) if "\n" in one]
    for part in prose:
        for paragraph in re.split(r"\n\s*\n|\n(?=[*|#>-])", part):
            for sentence in re.split(r"(?<=[.:;!?])\s+", paragraph):
                if len(sentence.split()) > LONG and not sentence.startswith(("|", ">>>")):
                    yield " ".join(sentence.split())


if __name__ == "__main__":
    for room, paths in ROOMS.items():
        pages = [path for path in paths if path.suffix in (".md", ".py")]
        sentences = [sentence for path in pages for sentence in long_sentences(path)]
        print(f"{len(sentences):5} {room}" + (f": {max(sentences, key=len)[:200]}" if sentences else ""))
