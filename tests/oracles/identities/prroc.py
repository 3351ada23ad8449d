"""PRROC: both areas below precision and recall, and that below the ROC curve."""

from tests.oracles.identities.base import by_name

identity = by_name("prroc")
