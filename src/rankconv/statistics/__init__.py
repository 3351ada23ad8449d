"""Tests and intervals over users, on arrays alone."""
