"""What the steps leave: the judged lists of a block of users, which every metric reads."""
