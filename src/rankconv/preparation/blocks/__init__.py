"""What the steps leave: the prepared lists of a block of users, which every metric reads."""
