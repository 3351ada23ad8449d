"""MLmetrics: AUC and PRAUC of vectors."""

from tests.oracles.identities.base import by_name

identity = by_name("mlmetrics")
