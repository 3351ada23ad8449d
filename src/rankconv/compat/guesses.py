"""What `rankconv.NAME` is where no such name exists: a metric as a function, or an error with what to type."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from rankconv.basics.errors import RankconvError
from rankconv.basics.guessed_names import OF_PACKAGE
from rankconv.conventions.spec import at_cutoff
from rankconv.metrics.base import strategy_of
from rankconv.presets.arguments import metric
from rankconv.presets.preset_registry import HOUSE, preset


def guessed(name: str) -> Callable[..., Any]:
    """Return a metric that is named in lower case as a function of labels, run and k; else raise an AttributeError.

    >>> import rankconv as rc
    >>> rc.ndcg({"u": ["a"]}, {"u": ["x", "a"]}, k=10)
    0.6309297535714575
    """
    if name in preset(HOUSE).metrics or strategy_of(name) == name:
        return _function(name)
    spec = _as_metric(name)
    called = f"rc.evaluate(labels, run, '{spec}')" if spec else ""
    typed = ", or ".join(filter(None, (OF_PACKAGE.get(name, ""), called, *_of_libraries(name, spec.partition(":")[0]))))
    raise AttributeError(f"module 'rankconv' has no attribute '{name}'{f'. Write {typed}' if typed else ''}")


def _function(name: str) -> Callable[..., Any]:
    def evaluate(labels: Any, run: Any, k: int | None = None, **given: Any) -> Any:
        return metric(at_cutoff(name, k))(labels, run, **given)

    evaluate.__name__ = evaluate.__qualname__ = name
    evaluate.__doc__ = f"Evaluate {name} of the default preset, at a cutoff: `rc.metric('{name}@10')(labels, run)`."
    return evaluate


def _as_metric(name: str) -> str:
    """The metric of this name, or the one that its error advises; nothing where there is none."""
    spec = name
    try:
        metric(name)
    except RankconvError as error:
        spec = error.do.removeprefix("Write ").rstrip(".") if error.do.startswith("Write ") else ""
    with suppress(RankconvError):
        return metric(spec).text.removeprefix(f"{HOUSE}:") if spec else ""
    return ""


def _of_libraries(name: str, system: str) -> Iterator[str]:
    """What has a function of this name with the arguments of its library, and the module of the system that has it."""
    for module in iter_modules([str(Path(__file__).parent)]):
        path = f"{__package__}.{module.name}"
        if name in getattr(import_module(path), "__all__", ()):
            yield f"{path}.{name}"
        elif module.name == system:
            yield f"a function of {path}"
