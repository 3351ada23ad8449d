"""Why does one protocol, or one definition, put another recommender first than the other?

May import `why`, `learning_curve` and what is below them.
"""
