"""The pages of the examples, the README and the gallery: as they are next to the code, with links that lead here."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml
from writer import site_page

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
_LINK = re.compile(r"\[(?P<words>[^\]]*)\]\((?P<where>[^)\s#]*)(?P<part>#[^)\s]*)?\)")
_ALONE = {".svg", ".png"}


def example_names() -> list[str]:
    """The folders that have a page."""
    return sorted(file.parent.name for file in EXAMPLES.glob("*/README.md"))


def example_page(file: Path, to: Path) -> str:
    """A README as a page; pictures are copied next to it, other files of the repository are named without a link."""
    text = file.read_text("utf-8")
    blocks = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(
        block if block.startswith("```") else _LINK.sub(lambda found: _link(found, file, to), block) for block in blocks
    )


def _link(found: re.Match[str], file: Path, to: Path) -> str:
    words, where, part = found["words"], found["where"], found["part"] or ""
    if not where or "://" in where:
        return found[0]
    target = (file.parent / where).resolve()
    if target.suffix in _ALONE:
        shutil.copy(target, to / target.name)
        return f"[{words}]({target.name}{part})"
    if target.name == "README.md" and target.parent.parent == EXAMPLES:
        return f"[{words}]({target.parent.name}.md{part})"
    if target == ROOT / "README.md":
        return f"[{words}](readme.md{part})"
    return words if words.startswith("`") else f"{words} (`{target.relative_to(ROOT)}`)"


@dataclass(frozen=True)
class Picture:
    """A command that draws, what is seen, and the page that tells more."""

    title: str
    command: str
    folder: str
    text: str
    more: str

    @property
    def name(self) -> str:
        """The file that the command writes."""
        return self.command.rsplit(" ", 1)[1]

    def drawn(self, to: Path) -> str:
        """Run the command in its folder; the picture goes to the site."""
        shell = self.command.replace("rankconv", f"{sys.executable} -m rankconv.cli", 1).rsplit(" ", 1)[0]
        command = [*shell.split(" "), str(to / self.name)]
        subprocess.run(command, cwd=ROOT / self.folder, check=True, capture_output=True)
        lines = [f"## {self.title}", self.text, f"![{self.title}]({self.name})", f"```sh\n{self.command}\n```"]
        return "\n\n".join([*lines, f"[More]({self.more}.md)"])


def gallery(to: Path) -> str:
    """All pictures, each drawn now by the command below it."""
    read = yaml.safe_load((Path(__file__).parent / "gallery.yaml").read_text("utf-8"))
    return site_page("Gallery", *_pictures([Picture(**one) for one in read], to))


def _pictures(pictures: list[Picture], to: Path) -> Iterator[str]:
    for one in pictures:
        yield one.drawn(to)
