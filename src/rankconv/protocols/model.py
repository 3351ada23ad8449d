"""What the file of a protocol may say."""

from collections.abc import Mapping

from rankconv.presets.model import Citation, Given, Name, Strict


class ProtocolFile(Strict):
    """A protocol as its file states it: only where it differs from the one it extends."""

    name: Name
    """The name that users type; equal to the file's stem."""
    title: str
    """What it is, in one line."""
    version: str = ""
    """Of the software that it describes."""
    year: int | None = None
    extends: Name | None = None
    """The protocol on which this one stands; `base` where nothing is said."""
    about: str = ""
    """What is peculiar, and which readings were taken where the source is silent."""
    cite: tuple[Citation, ...] = ()
    metric: str = ""
    """The metric that the source reports under it, as a spec."""
    settings: Mapping[str, Given] = {}
    """Its settings by convention."""
