"""The others, one file each: what it needs, how it is handed the data, how it is called at its best."""
