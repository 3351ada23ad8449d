"""What users bring, such as ids and names of files, made harmless where it is shown: one function for each form."""


def printable(text: str) -> str:
    r"""Text for a terminal: what would move its cursor, colour it or break a line stands as Python writes it.

    >>> print(printable("a\x1b[31mb\nc"))
    a\x1b[31mb\nc
    """
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)
