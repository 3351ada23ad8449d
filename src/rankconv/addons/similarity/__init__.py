"""How similar two runs are, without labels."""
