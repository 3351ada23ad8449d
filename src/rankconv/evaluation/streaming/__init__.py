"""Evaluation in pieces: batches of users, partial sums that merge, and files within a budget of memory."""
