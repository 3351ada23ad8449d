"""Traits as a plugin declares them, in a module, so that they can be pickled."""

from rankconv import plugin


class NoteTraits(plugin.Traits):
    """The traits of a note."""

    loud: bool = False
    """It is worth more."""
