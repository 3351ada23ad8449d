"""A package that brings a preset and a metric to rankconv; see its pyproject.toml for the two lines that do it."""
