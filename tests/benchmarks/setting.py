"""What every workload of one size is given: the data in all its forms, and how often to measure."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tests.benchmarks.data import Data, load, make
from tests.benchmarks.environments import Answer, Places, ask
from tests.benchmarks.held import HELD
from tests.benchmarks.ours import Pair, coded
from tests.benchmarks.peers.dictionaries import Dicts, dictionaries


@dataclass(frozen=True)
class Setting:
    """A size, made when it is first needed, and each form of it once."""

    size: str
    places: Places
    repetitions: int

    @cached_property
    def folder(self) -> Path:
        """Where peers find the data."""
        return make(self.size, self.places.data)

    @cached_property
    def data(self) -> Data:
        """The arrays."""
        return load(self.folder)

    @cached_property
    def pair(self) -> Pair:
        """Coded labels and run."""
        return coded(self.data)

    @cached_property
    def dicts(self) -> Dicts:
        """Labels and run as dictionaries."""
        return dictionaries(self.data)

    def held(self, form: str) -> tuple[Any, Any]:
        """Labels and run in a form that a peer is raced from."""
        if form == "coded":
            return self.pair.labels, self.pair.run
        return self.dicts if form == "dicts" else HELD[form](self.data)

    def ask(self, name: str) -> Answer:
        """What this peer found."""
        return ask(name, self.folder, self.places, self.repetitions)
