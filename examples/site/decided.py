"""The disputes of issue trackers, and the conventions on which each of them turned: `why` says which."""

import re
import shlex
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import yaml

import rankconv as rc

FOLDER = Path(__file__).parents[1] / "disputes"


@dataclass(frozen=True)
class Dispute:
    """A thread about a number, with the commands that settle it."""

    folder: str
    title: str
    commands: tuple[str, ...]

    @property
    def place(self) -> str:
        """Where it is settled, from the front page."""
        return f"examples/disputes.md#{_anchor(self.title)}"

    @property
    def link(self) -> str:
        """To that place, from a page of anything."""
        return f"* [{self.title}](../{self.place})"

    @cached_property
    def decided_by(self) -> set[str]:
        """The conventions whose settings make the difference."""
        return {
            convention_name
            for command in self.commands
            if command.startswith("why")
            for convention_name in self._turned(command)
        }

    def _turned(self, command: str) -> set[str]:
        words = shlex.split(command)[1:]
        metric = words.pop(words.index("-m") + 1) if "-m" in words else None
        labels, run, ours, other = [word for word in words if not word.startswith("-")][:4]
        place = FOLDER / self.folder
        found = rc.why(place / labels, place / run, metric, a=ours, b=other)
        shares = [one for one in found.contributions if one.share]
        return {convention_name for one in shares for convention_name in one.player.turned}


def disputes() -> list[Dispute]:
    """Those that are settled."""
    read = yaml.safe_load((FOLDER / "disputes.yaml").read_text("utf-8"))["settled"]
    return [Dispute(one["folder"], one["title"], tuple(one["commands"])) for one in read]


def _anchor(title: str) -> str:
    """The place that Markdown makes of a heading."""
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", title).strip().lower())
