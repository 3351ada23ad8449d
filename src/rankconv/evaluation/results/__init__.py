"""What an evaluation gives: a result, a comparison, and under which circumstances."""
