"""Recommenders: what is asked in a learning curve for a user's list, given some of their ratings."""
