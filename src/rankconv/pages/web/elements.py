"""Elements of a page for a browser. Text is text: no id or file name that users bring can become an element."""

from collections.abc import Iterable
from xml.etree.ElementTree import Element, fromstring, tostring

from rankconv.escaping import printable
from rankconv.optional import require

Child = Element | str


def element(tag: str, *children: Child, **attributes: str) -> Element:
    """An element with these texts and elements in it; `class_` is the attribute `class`, `aria_sort` `aria-sort`.

    >>> written(element("td", "<b> & co", class_="label"))
    '<td class="label">&lt;b&gt; &amp; co</td>'
    """
    made = Element(tag, {name.rstrip("_").replace("_", "-"): printable(value) for name, value in attributes.items()})
    add(made, children)
    return made


def add(parent: Element, children: Iterable[Child]) -> None:
    """Put texts and elements after what is there."""
    for child in children:
        if isinstance(child, Element):
            parent.append(child)
        elif len(parent):
            parent[-1].tail = (parent[-1].tail or "") + _lines(child)
        else:
            parent.text = (parent.text or "") + _lines(child)


def mathematics(latex: str, *, alone: bool = True) -> Element:
    """LaTeX as MathML, which browsers draw without a script; on lines of its own, or in a sentence."""
    converter = require("latex2mathml.converter", "rankconv[plots]", "A formula on a page of HTML")
    drawn = fromstring(converter.convert(latex, display="block" if alone else "inline"))
    for part in drawn.iter():
        part.tag = part.tag.rpartition("}")[2]  # HTML knows these names without a namespace
    return drawn


def written(root: Element) -> str:
    """The element as HTML."""
    return tostring(root, encoding="unicode", method="html")


def _lines(text: str) -> str:
    return "\n".join(map(printable, text.split("\n")))
