"""What in labels and a run makes metrics lie, before any number is believed."""
