"""Whether definitions give all users the same values, when no value is kept."""

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np

from rankconv.data.arrays import Numbers
from rankconv.data.joined import Joined
from rankconv.engine.again import reported
from rankconv.engine.aggregate import Aggregate
from rankconv.engine.measured import Measured
from rankconv.engine.run import populations
from rankconv.presets.definition import Definition


class Digests:
    """A digest of the values of all users under each definition, while batches of them go by."""

    def __init__(self, definitions: Sequence[Definition]) -> None:
        self._definitions = definitions
        self._of_each = [blake2b(digest_size=16) for _ in definitions]
        self._of_everybody = {
            (one.aggregation.given("users"), value): blake2b(digest_size=16)
            for one in definitions
            for value in _settings_for_all(one)
        }
        """Of the same value for everybody in the population, which some situations of all data give."""

    def add(self, joined: Joined, found: Sequence[Aggregate]) -> None:
        """Take the values of these users, by the order of the definitions."""
        for digest, one in zip(self._of_each, found, strict=True):
            digest.update(_bytes(one.of_each[0]))
        masks = populations(joined, self._definitions, None) if self._of_everybody else {}
        for (users, value), digest in self._of_everybody.items():
            digest.update(_bytes(np.where(masks[users], np.frombuffer(value)[0], np.nan)))

    def of(self, one: Measured) -> bytes:
        """What tells the values of all users, and the mean, from those of another definition."""
        at = next(place for place, each in enumerate(self._definitions) if each is one.definition)
        digest = self._of_each[at]
        if one.of_all:
            digest = self._of_everybody[one.definition.aggregation.given("users"), _bytes_of(one.mean)]
        return digest.digest() + _bytes_of(one.mean)


def _settings_for_all(definition: Definition) -> list[bytes]:
    """What the definition may say of everybody, for what all data are."""
    settings = definition.aggregation.settings
    policies = [*definition.aggregation.asked_of_data, *definition.aggregation.asked_of_judged]
    return [_bytes_of(reported(definition, float(settings[one].keywords.get("value", np.nan)))) for one in policies]


def _bytes_of(value: float) -> bytes:
    return _bytes(np.array([value]))


def _bytes(values: Numbers) -> bytes:
    """Bytes of these values, shape (users,), alike where the values are: NaN equals NaN, and -0 equals 0."""
    return np.where(np.isnan(values), np.nan, values + 0.0).tobytes()
