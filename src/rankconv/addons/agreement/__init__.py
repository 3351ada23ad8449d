"""How far two label sets agree: in their grades, and in the order of runs."""
