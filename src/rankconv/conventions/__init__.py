"""Conventions on which systems differ, and their settings: as text, as functions, in words and in LaTeX.

May import nothing but errors and plugins: no data, no ranking, no number is known here.
"""

from rankconv.basics.guessed_names import refuse_calls

refuse_calls(__name__)
