"""Names of metrics as systems write them: one grammar a file, which presets declare as `native-names:`."""
