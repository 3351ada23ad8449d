"""Whether a run is good enough for a build to pass."""
