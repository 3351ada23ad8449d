"""Printed numbers against what comes out: files of published numbers, verdicts, and what a reproduction gives."""
