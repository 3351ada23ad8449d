"""Numbers as one would write them, and pages of text, Markdown, LaTeX and HTML."""
