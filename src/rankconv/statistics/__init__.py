"""Which of two runs is better, and how sure is that? Tests and intervals over users, on arrays alone."""
