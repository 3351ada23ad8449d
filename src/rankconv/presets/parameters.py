"""The conventions of a definition: the allowed settings, and those taken, for a terminal and a notebook."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from rankconv.errors import unknown
from rankconv.escaping import markdown
from rankconv.read_only import ReadOnlyDict
from rankconv.specs.convention import Convention


@dataclass(frozen=True, repr=False)
class Parameter:
    """One convention of a definition: which settings are allowed, and which is taken."""

    convention: Convention
    setting: str

    @property
    def description(self) -> str:
        """What is requested."""
        return self.convention.description

    @property
    def rule(self) -> str:
        """What the setting does, in a few words."""
        return self.convention(self.setting).setting_type.rule

    @property
    def allowed(self) -> dict[str, str]:
        """The names of the settings, each with its rule."""
        return {name: setting_type.rule for name, setting_type in self.convention.setting_types.items()}

    @property
    def settings(self) -> dict[str, str]:
        """The allowed settings, the one taken as it was given, which may be a function, each with its rule."""
        taken = self.convention(self.setting).setting_type.name
        fields = {self.setting if name == taken else name: rule for name, rule in self.allowed.items()}
        return fields | {self.setting: self.rule}

    def __repr__(self) -> str:
        width = max(13, *(len(setting) for setting in self.settings))
        lines = [
            f"{'*' if setting == self.setting else ' '} {setting:<{width}} {rule}"
            for setting, rule in self.settings.items()
        ]
        return "\n".join([f"{self.convention.name}: {self.description}", *lines])

    def _repr_markdown_(self) -> str:
        rows = [["→" if setting == self.setting else "", setting, rule] for setting, rule in self.settings.items()]
        return f"{markdown(f'{self.convention.name}: {self.description}')}\n\n{_table(['', 'setting', 'rule'], rows)}"


class Parameters(ReadOnlyDict[str, Parameter]):
    """The conventions of a definition by name; `gain` and `ideal-cutoff`, or `ideal_cutoff`."""

    def __missing__(self, name: str) -> Parameter:
        known = str(name).replace("_", "-")
        if known != name and known in self:
            return self[known]
        raise unknown("convention of this definition", str(name), list(self))

    def __repr__(self) -> str:
        return "\n".join(f"{name}={one.setting}" for name, one in self.items())

    def _repr_markdown_(self) -> str:
        return _table(["convention", "setting", "rule"], [[name, one.setting, one.rule] for name, one in self.items()])

    def markdown(self, texts: Sequence[str], own: Collection[str], elsewhere: Mapping[str, str], preset: str) -> str:
        """A definition for a notebook: its description, its metric's conventions, and the settings of its preset."""
        rows = [
            [name, one.setting, one.rule, elsewhere.get(name, "")]
            for name, one in self.items()
            if name in own or name in elsewhere
        ]
        table = _table(["convention", "setting", "rule", f"{preset} says"], rows)
        return "\n\n".join([*(markdown(one) for one in texts if one), table])


def _table(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    from rankconv.pages.table import Table

    return Table(headers, rows, labels=len(headers)).to_markdown()
