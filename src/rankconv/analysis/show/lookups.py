"""Lookups of metrics and conventions by name."""

from rankconv.analysis.show.convention_pages import convention_text
from rankconv.errors import ConventionError
from rankconv.metrics import METRICS
from rankconv.specs.convention import CONVENTIONS, Convention


def list_metrics() -> list[str]:
    """List the names of all metrics, also those of loaded plugins.

    Returns
    -------
    list of str
        The names that specs use.

    Examples
    --------
    >>> import rankconv as rc
    >>> rc.list_metrics()[:4]
    ['precision', 'recall', 'f', 'hit_rate']
    """
    return list(METRICS)


def list_conventions() -> list[str]:
    """List the names of all conventions, also those of loaded plugins.

    Returns
    -------
    list of str
        The names that definitions, presets and specs use.

    Examples
    --------
    >>> import rankconv as rc
    >>> {"ties", "gain", "relevant"} <= set(rc.list_conventions())
    True
    """
    return list(CONVENTIONS)


def convention(name: str) -> Convention:
    """Look up a convention: what it decides, and its settings.

    Parameters
    ----------
    name : str
        One of `rc.list_conventions()`.

    Returns
    -------
    Convention
        The convention; `str()` shows its settings and the presets that use them.

    Raises
    ------
    ConventionError
        If there is no convention of that name.

    Examples
    --------
    >>> import rankconv as rc
    >>> list(rc.convention("on-zero-division").setting_types)[:2]
    ['as-computed', 'skip']
    """
    if not isinstance(name, str):
        raise ConventionError(
            f"{name!r:.100} is not the name of a convention", allowed="A name is text, such as 'gain'"
        )
    Convention.shown = convention_text
    return CONVENTIONS[name]
