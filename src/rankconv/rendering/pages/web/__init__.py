"""A page for browsers and notebooks: its writer, the style and the script that are put into it."""
