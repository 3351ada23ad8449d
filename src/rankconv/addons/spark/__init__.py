"""Labels and a run that are tables of Spark: each partition is evaluated where it is; public as `rankconv.spark`."""
