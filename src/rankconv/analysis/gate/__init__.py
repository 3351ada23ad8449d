"""Gates for continuous integration: whether a run is good enough, and not worse than a baseline."""
