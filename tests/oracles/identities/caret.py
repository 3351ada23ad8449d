"""caret: summaries of predictions of two classes."""

from tests.oracles.identities.base import by_name

identity = by_name("caret")
