"""A protocol: how ratings become what is learned from, what is given, and what is to be found."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from re import Match
from typing import Any, Self

from typing_extensions import TypedDict

from rankconv.addons.protocols.conventions import evaluated as _conventions
from rankconv.addons.protocols.draws import PROTOCOL
from rankconv.addons.protocols.protocol_traits import ProtocolTraits
from rankconv.basics import escaping
from rankconv.basics.errors import ConventionError, unknown
from rankconv.conventions.convention import Convention
from rankconv.conventions.parameters import Setting
from rankconv.conventions.setting_set import OpenSettings
from rankconv.evaluation.citing.citations import bibtex, entry, own_entry
from rankconv.evaluation.citing.formula import WORDS, filled, no_such_hole, parameter_text, parameters
from rankconv.presets.definition import definition_part, fingerprint
from rankconv.presets.preset_file import Citation
from rankconv.rendering.pages.display import PagedResult
from rankconv.rendering.pages.page import Code, Page, Paragraph


class ProtocolMethodsData(TypedDict):
    """A protocol described for the readers of a paper."""

    protocol: str
    paragraph: str
    """Every setting in words."""
    fingerprint: str
    settings: dict[str, str]
    """Those that are not neutral."""
    bibtex: str


@dataclass(frozen=True, eq=False, repr=False)
class ProtocolMethods(PagedResult):
    """A protocol described for the readers of a paper.

    >>> import rankconv as rc
    >>> methods = rc.protocol("fastml").methods()
    >>> methods.name, methods.to_bibtex().split(",")[0]
    ('fastml', '@misc{fastml-recsys')
    """

    name: str
    paragraph: str
    """Every setting in words, and the fingerprint."""
    fingerprint: str
    settings: Mapping[str, str]
    """Those that are not neutral."""
    cite: tuple[Citation, ...]
    version: str = ""

    def to_bibtex(self) -> str:
        """The sources, and rankconv itself, for a .bib file."""
        return bibtex([*(entry(one, self.version) for one in self.cite), own_entry()])

    def _page(self) -> Page:
        """The paragraph, then the sources."""
        return Page([[Paragraph(self.paragraph)], [Code(self.to_bibtex(), "bibtex")]])

    def to_latex(self, **shown: Any) -> str:
        """The paragraph, with its sources cited by their keys."""
        keys = ",".join(one.key for one in self.cite)
        return escaping.latex(self.paragraph) + (f" \\cite{{{keys}}}" if keys else "")

    def to_dict(self) -> ProtocolMethodsData:
        """Everything as plain data."""
        return {
            "protocol": self.name,
            "paragraph": self.paragraph,
            "fingerprint": self.fingerprint,
            "settings": dict(self.settings),
            "bibtex": self.to_bibtex(),
        }


def words(setting: Setting) -> str:
    """What a setting says, with its parameters; its rule where it says nothing."""
    known = parameters(setting)

    def fill(hole: Match[str]) -> str:
        name, how = hole[1].partition(":")[::2]
        if name not in known:
            raise no_such_hole(name, known, f"{setting.convention_name}={setting.text}")
        return filled(setting, name, how, None, str, lambda value, _: parameter_text(value))

    return WORDS.sub(fill, setting.setting_type.says or setting.setting_type.rule)


assert _conventions


class ProtocolSettings(OpenSettings):
    """The settings of every convention of protocols."""

    @classmethod
    def conventions(cls) -> Mapping[str, Convention]:
        """The conventions of protocols by name, in the order in which they are carried out."""
        return PROTOCOL


@dataclass(frozen=True)
class StatedProtocol:
    """One setting of each convention of `rankconv list protocols --all`, and what its source says of it.

    >>> import rankconv as rc
    >>> rc.protocol("fastml").replace(given="nested(20)").diff(rc.protocol("fastml"))
    {'given': ('nested(20)', 'nested(199)')}
    """

    name: str
    title: str
    settings: ProtocolSettings
    version: str = ""
    year: int | None = None
    about: str = field(default="", repr=False)
    cite: tuple[Citation, ...] = field(default=(), repr=False)
    metric: str = ""
    """The metric that its source reports, as a spec; empty where none is stated."""
    changed: tuple[str, ...] = ()
    """The conventions that differ from those in its file."""
    neutral: ProtocolSettings | None = field(default=None, repr=False, compare=False)
    """The neutral settings; None for the protocol that holds them."""

    def replace(self, **settings: Any) -> Self:
        """Return it with other settings. Raises ConventionError for an unknown convention or setting."""
        fields = {}
        for name, given in settings.items():
            convention_name = name.replace("_", "-")
            if convention_name not in PROTOCOL:
                raise unknown("convention of protocols", convention_name, PROTOCOL)
            fields[convention_name] = PROTOCOL[convention_name].validate(given)
        made = self.settings.replace(fields)
        if made == self.settings:
            return self
        changed = tuple(
            q for q in PROTOCOL if q in self.changed or (q in fields and fields[q] != self.settings.given(q))
        )
        return replace(self, settings=made, changed=changed, neutral=self.neutral or self.settings)

    def diff(self, other: "StatedProtocol") -> dict[str, tuple[str, str]]:
        """Return the conventions in which both differ: the setting here and there."""
        pairs = {q: (ours, other.settings.given(q)) for q, ours in self.settings.stated.items()}
        return {q: (ours, theirs) for q, (ours, theirs) in pairs.items() if ours != theirs}

    @property
    def text(self) -> str:
        """What `rc.protocol` reads back: `fastml(given=nested(20))`."""
        return f"{self.name}({self._changes})" if self.changed else self.name

    @property
    def _changes(self) -> str:
        return ", ".join(f"{q}={self.settings.given(q)}" for q in self.changed)

    @cached_property
    def fingerprint(self) -> str:
        """64 bits that name this protocol: the hash of its settings that are not neutral, written as in signatures."""
        return fingerprint(definition_part("protocol", None, dict(sorted(self.own_settings.items()))))

    @property
    def sentence(self) -> str:
        """What a paper says of it.

        >>> import rankconv as rc
        >>> rc.protocol("leave-one-out").sentence[:68]
        'Ratings were divided as the rankconv protocol leave-one-out has it ('
        """
        version = f", version {self.version}" if self.version else ""
        but = f", but with {self._changes}" if self.changed else ""
        begins = f"Ratings were divided as the rankconv protocol {self.name} has it ({self.title}{version}){but}"
        clauses = [words(setting) for setting in self.settings.settings.values() if not setting.changes_nothing]
        ends = f"The protocol has the fingerprint {self.fingerprint}."
        return f"{begins}: {'; '.join(filter(None, clauses))}. {ends}"

    def methods(self) -> ProtocolMethods:
        """Describe it for a paper: the sentence with every setting, one line, the sources as BibTeX."""
        return ProtocolMethods(self.text, self.sentence, self.fingerprint, self.own_settings, self.cite, self.version)

    @property
    def own_settings(self) -> dict[str, str]:
        """The settings that are not neutral, by convention."""
        neutral = (self.neutral or self.settings).stated
        return {q: setting for q, setting in self.settings.stated.items() if neutral.get(q) != setting}

    def check(self) -> Self:
        """The protocol itself; a ConventionError where its settings are not possible together."""
        settings = self.settings.settings
        nested, separate = settings["given"], ProtocolTraits.of(settings["generalization"]).no_overlap
        rest = ProtocolTraits.of(settings["held-out"]).rest
        if ProtocolTraits.of(nested).gives_first and not separate:
            general = settings["generalization"].text
            ways = "generalization=strong" if rest else "generalization=strong, or given=all"
            raise ConventionError(
                f"given={nested.text} leaves out ratings that train under generalization={general}",
                where=self.text,
                do=f"Take {ways}: else each number given would need a model of its own.",
            )
        if rest and not ProtocolTraits.of(nested).gives_first:
            do = "Say how many are given: given=nested(20) or given=first(5)"
            do += "" if separate else ", with generalization=strong"
            wrong = f"held-out={settings['held-out'].text} and given={nested.text} leave nothing to be found"
            raise ConventionError(wrong, where=self.text, do=do)
        return self

    def __repr__(self) -> str:
        return f"rc.protocol({self.text!r})"
