"""Evaluation of runs: of whole data, of batches, and while a model is trained.

May import the engine and what is below it; the other verbs ask here.
"""
