"""How good are recommendations after 1, 2, … ratings of a new user?"""
