"""The attribution of a change of the order of recommenders to conventions.

May import `why`, `learning_curve` and what is below them.
"""
