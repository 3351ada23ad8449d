"""yardstick: functions of vectors, the first class being the event."""

from tests.oracles.identities.base import by_name

identity = by_name("yardstick")
