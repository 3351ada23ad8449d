"""Tests; also the benchmarks, which run as a module of this package."""
