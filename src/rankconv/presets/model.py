"""What a preset file may say: the shape that is validated, and from which the JSON Schema is made."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from rankconv.specs.spec import HIGHEST

Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][\w.+-]*$", max_length=80)]
Given = Any
"""A setting as YAML gives it: text, a number, or a one-key mapping. The convention's own choice validates it."""
Group = Literal["house", "search", "recommender", "learning-to-rank", "rag", "contests", "texts", "own"]


DEFAULT = "default"
"""The key of `metrics` whose settings hold for every metric."""


class Strict(BaseModel):
    """Unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class Citation(Strict):
    """Where a definition is. For a paper or book of `bibliography.yaml` its key is enough."""

    key: Name
    """Short name by which metrics and settings cite it."""
    type: Literal["article", "inproceedings", "incollection", "book", "misc"] = "misc"
    """The type of its BibTeX entry; `misc` for software and pages."""
    title: str = ""
    authors: str = ""
    """Names with commas between them: "A. Moffat, J. Zobel"."""
    year: int | None = None
    in_: str = Field(default="", alias="in")
    """The journal, the proceedings or the book."""
    volume: int | None = None
    number: int | None = None
    pages: str = ""
    publisher: str = ""
    url: str = ""
    doi: str = ""
    where: str = ""
    """Section, equation, or file and lines."""


class Check(Strict):
    """One number that the preset must give, from an independent source."""

    labels: dict[str | int, Any]
    """User to items (grade 1), or user to item to grade."""
    rankings: dict[str | int, list[Any]] = {}
    """User to items, best first."""
    scores: dict[str | int, dict[str | int, float]] = {}
    """User to item to score, in place of rankings."""
    catalogue: int | None = None
    """How many items there are, where the preset asks."""
    metric: str
    """A spec, such as ndcg@3."""
    value: str
    """A number or an expression: (2/log2(3) + 1/2) / 2."""
    user: str | int | None = None
    """The value is this user's; without it, the mean."""
    printed: bool = False
    """The value is so in print: it must agree to the digits given."""
    source: str = ""
    with_: Literal["unretrieved"] | None = Field(default=None, alias="with")
    """The modifier with which the preset must give the value."""


class Entry(BaseModel):
    """One metric of a preset. Any convention may be answered here again, for this metric alone."""

    model_config = ConfigDict(extra="allow", frozen=True, defer_build=True)

    is_: str | None = Field(default=None, alias="is")
    """The strategy, where the key differs from its name."""
    called: str | list[str] = []
    """The system's own names, accepted as spellings; `{k}` represents the cutoff, `{convention}` for a number that
    settings it, `{convention=setting}` for the parameter of that setting."""
    k: int | None = Field(default=None, ge=1, le=HIGHEST, strict=True)
    """A hidden cutoff that holds where none is given."""
    with_k: dict[str, Given] = Field(default={}, alias="with-k")
    """Settings that hold only where a cutoff is given."""

    @property
    def settings(self) -> dict[str, Given]:
        """The conventions that it sets."""
        return dict(self.model_extra or {})

    @property
    def names(self) -> list[str]:
        """The system's own names."""
        return [self.called] if isinstance(self.called, str) else self.called


class PresetFile(Strict):
    """A preset as its file states it: only where it differs from the one it extends."""

    name: str = Field(pattern=r"^[A-Za-z0-9][\w.-]*$", max_length=80)
    """The name that users type; equal to the file's stem."""
    title: str
    """What it is, in one line."""
    system: str = Field(default="", max_length=40)
    """The library, contest or paper that it describes, where the title does not begin with it; a preset that extends
    another one describes the same."""
    group: Group = "own"
    """To which field it belongs, for lists."""
    version: str = ""
    """Of the software that it describes."""
    year: int | None = None
    extends: Name | None = None
    """The preset on which this one is based; `+unretrieved` may follow its name."""
    about: str = ""
    """What is peculiar, and which readings were taken where the source is silent."""
    cite: list[Citation] = []
    unretrieved: Given | Literal[True] | None = None
    """What `candidates` is under the modifier `+unretrieved`, which appends judged items that were not returned: a
    setting, or `true` for the one that it inherits. A preset that states this is listed with the modifier too."""
    preparation: dict[str, Given] = {}
    """Settings of how rankings and labels are prepared, and what is relevant."""
    aggregation: dict[str, Given] = {}
    """Settings of how users become one number, and the policies for special users and data."""
    plugin: str = Field(default="", pattern=r"^(\w[\w.-]*\.py)?$")
    """A Python file in the preset's own folder that adds what its words need. It is run only where a user names the
    preset by its path."""
    every_metric: bool | None = Field(default=None, alias="every-metric")
    """Whether metrics without an entry are offered too, under the preset's general settings; inherited."""
    without: list[str] = []
    """Inherited metrics that it does not offer."""
    metrics: dict[str, Entry | None] = {}
    """The metrics that the system offers, and no others; under `default` the settings of all of them."""
    nicknames: dict[str, list[str]] = {}
    """What the system calls several of its metrics together, and these metrics."""
    checks: list[Check] = []

    @property
    def entries(self) -> dict[str, Entry]:
        """The metrics that it states, by name."""
        return {key: entry or Entry() for key, entry in self.metrics.items() if key != DEFAULT}

    @property
    def metric_settings(self) -> dict[str, Given]:
        """The settings of all its metrics."""
        return (self.metrics.get(DEFAULT) or Entry()).settings


def system_named(given: str, above: str, title: str) -> str:
    """Which system a preset describes: what it says, else what it extends says, else how its title begins.

    >>> system_named("", "", "BEIR, EvaluateRetrieval"), system_named("", "LensKit", "LensKit, every item relevant")
    ('BEIR', 'LensKit')
    """
    return given or above or title.partition(",")[0]
