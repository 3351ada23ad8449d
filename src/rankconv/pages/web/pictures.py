"""Pictures inside a page, so that it needs no file beside it and no script."""

import base64
import io
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from rankconv.errors import RankconvError
from rankconv.pages.page import Drawing
from rankconv.pages.web.elements import element


def pictured(given: Drawing) -> Iterator[Element]:
    """The picture; nothing where it cannot be drawn, since the page tells all of it in words and tables too."""
    file = io.BytesIO()
    try:
        given.draw(file)
    except RankconvError:
        return
    packed = base64.b64encode(file.getvalue()).decode()
    yield element("img", src=f"data:image/svg+xml;base64,{packed}", alt=given.words)
