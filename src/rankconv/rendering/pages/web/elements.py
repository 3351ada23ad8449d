"""Elements of HTML and SVG: made of texts and other elements, and written as markup."""

from collections.abc import Iterable
from xml.etree.ElementTree import Element, tostring

from rankconv.basics.escaping import printable

Child = Element | str


def element(tag: str, *children: Child, **attributes: str) -> Element:
    """An element with these texts and elements in it; `class_` is the attribute `class`, `aria_sort` `aria-sort`.

    >>> markup_text(element("td", "<b> & co", class_="label"))
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


def markup_text(root: Element) -> str:
    """The element as HTML."""
    return tostring(root, encoding="unicode", method="html")


def _lines(text: str) -> str:
    return "\n".join(map(printable, text.split("\n")))
