"""What messages advise is done, on the input that caused them, and ends in the right number."""
