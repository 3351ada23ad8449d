"""Find data problems that change metrics, in data and files, before any value is believed."""
