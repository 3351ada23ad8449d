"""Files and folders of parts read a batch at a time: more rows than memory holds."""
