"""Which definitions give a printed number, and what would tell them apart."""
