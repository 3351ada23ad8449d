"""Recommenders: what gives, in a learning curve, a user's list, given some of their ratings."""
