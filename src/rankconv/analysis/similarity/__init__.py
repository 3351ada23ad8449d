"""How similar two runs are: rank-biased overlap, Kendall's tau and overlap, each with its conventions."""
