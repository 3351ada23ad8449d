"""One user's number worked out as in a textbook, from the rows that are printed and without the engine."""
