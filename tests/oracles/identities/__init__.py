"""Which preset and spec give a result of a real system: one module per system, each with a function `identity`.

A result is identified by its metric, call, input and note together. The function answers None for a metric that the
package does not have yet.
"""

from importlib import import_module
from pkgutil import iter_modules

from tests.oracles.identities.base import Identify, Identity, Result

__all__ = ["IDENTITIES", "Identity", "Result"]

SYSTEMS = [info.name for info in iter_modules(__path__) if info.name != "base"]
IDENTITIES: dict[str, Identify] = {name: import_module(f"{__name__}.{name}").identity for name in SYSTEMS}
