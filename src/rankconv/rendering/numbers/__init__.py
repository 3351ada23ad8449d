"""Numbers that keep the way to them: exact fractions, roots and logarithms, written as text or as LaTeX.

May import conventions and arrays; nothing of rankings, metrics or pages is known here.
"""
