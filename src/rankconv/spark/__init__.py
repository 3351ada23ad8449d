"""The numbers of labels and a run that are tables of Spark: each partition is judged where it is.

Rows are divided by user, each worker makes one `Partial` of its users, and these are merged.
"""

from rankconv.spark.evaluation import evaluate
