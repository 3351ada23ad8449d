"""What a paper says of how ratings were divided: the sentence, the sources, the fingerprint."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rankconv import escaping
from rankconv.citing.cited import bibtex, entry, own_entry
from rankconv.pages import forms
from rankconv.pages.page import Code, Page, Paragraph
from rankconv.pages.shown import Shown
from rankconv.presets.model import Citation


@dataclass(frozen=True, eq=False, repr=False)
class ProtocolMethods(Shown):
    """A protocol told to the readers of a paper.

    >>> import rankconv as rc
    >>> told = rc.protocol("fastml").methods()
    >>> told.short[:28], told.bibtex().split(",")[0]
    ('fastml [protocol; repeated=l', '@misc{fastml-recsys')
    """

    name: str
    paragraph: str
    """Every setting in words, and the fingerprint."""
    fingerprint: str
    settings: Mapping[str, str]
    """Those that are not neutral."""
    cite: tuple[Citation, ...]
    version: str = ""

    @property
    def short(self) -> str:
        """One line, to print next to a number."""
        told = "; ".join(f"{convention_name}={setting}" for convention_name, setting in self.settings.items())
        return f"{self.name} [protocol{' ' + self.version if self.version else ''}; {told}; {self.fingerprint}]"

    def bibtex(self) -> str:
        """The sources, and rankconv itself, for a .bib file."""
        return bibtex([*(entry(one, self.version) for one in self.cite), own_entry()])

    def page(self) -> Page:
        """The paragraph, then the sources."""
        return Page([[Paragraph(self.paragraph)], [Code(self.bibtex(), "bibtex")]])

    def text(self, width: int | None = 100) -> str:
        """For a terminal of this width."""
        return forms.text(self.page(), width)

    def markdown(self) -> str:
        """As GitHub Markdown."""
        return forms.markdown(self.page())

    def latex(self) -> str:
        """The paragraph, with its sources cited by their keys."""
        keys = ",".join(one.key for one in self.cite)
        return escaping.latex(self.paragraph) + (f" \\cite{{{keys}}}" if keys else "")

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data."""
        told = {"protocol": self.name, "paragraph": self.paragraph, "fingerprint": self.fingerprint}
        return {**told, "settings": dict(self.settings), "bibtex": self.bibtex()}
