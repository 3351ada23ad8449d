"""What Python offers: every public name with its signature and docstring, as they stand in the code."""

import inspect
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from writer import heading, site_page

import rankconv as rc

PAGES = {"verbs": "Functions", "values": "Classes"}


def public() -> dict[str, dict[str, Any]]:
    """Functions and classes by name; metrics that factories make are described on their own pages."""
    found = {name: getattr(rc, name) for name in sorted(rc.__all__, key=str.casefold)}
    own = {name: one for name, one in found.items() if not _is_factory(one)}
    verbs = {name: one for name, one in own.items() if inspect.isfunction(one)}
    return {"verbs": verbs, "values": {name: one for name, one in own.items() if name not in verbs}}


def _is_factory(one: Any) -> bool:
    return getattr(one, "__module__", "").endswith("presets.factories")


def api_page(kind: str) -> str:
    """One page of names."""
    return site_page(PAGES[kind], *(block for name, one in public()[kind].items() for block in _entry(name, one)))


def _entry(name: str, one: Any) -> Iterator[str]:
    yield heading(f"rc.{name}", 2, name)
    if inspect.isfunction(one) or inspect.isclass(one):
        yield from _signed(name, one)
    else:
        yield f"A {type(one).__name__}. {(inspect.getdoc(one) or '').partition(chr(10))[0]}"
    if inspect.isclass(one):
        for method, made in sorted(vars(one).items()):
            function = getattr(made, "__func__", made)
            if not method.startswith("_") and (inspect.isfunction(function) or isinstance(made, property)):
                yield heading(f"{name}.{method}", 3, f"{name}.{method}")
                yield from [documented(made)] if isinstance(made, property) else _signed(method, function)


def _signed(name: str, one: Any) -> Iterator[str]:
    with suppress(TypeError, ValueError):  # a class written in C has none
        yield f"```python\n{name}{_signature(one)}\n```"
    yield documented(one)


def _signature(one: Any) -> str:
    """What may be given; types as they are written, without the names of modules."""
    signature = re.sub(r"\b(?:[a-z_]+\.)+(?=[A-Z])", "", str(inspect.signature(one)))
    return (
        signature
        if len(signature) < 90
        else "(\n    " + re.sub(r", (?=\*|[a-z_]+:)", ",\n    ", signature[1:]).replace(")", "\n)", -1)
    )


def documented(one: Any) -> str:
    """A docstring, its examples as Python at a prompt."""
    paragraphs = re.split(r"\n\s*\n", inspect.getdoc(one) or "")
    return "\n\n".join(f"```pycon\n{one}\n```" if one.startswith(">>>") else _escaped(one) for one in paragraphs)


def _escaped(words: str) -> str:
    return words.replace("<", "&lt;").replace("*", r"\*").replace("](", "]\\(")
