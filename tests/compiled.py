"""Where Python is told to keep no compiled files, a run of the tests has a folder for them that is gone afterwards.

Its workers and the hundreds of processes that tests start then compile each file once, not each for itself.
"""

import os
from tempfile import TemporaryDirectory

import pytest

KEEPS_NONE = "PYTHONDONTWRITEBYTECODE"


def pytest_configure(config: pytest.Config) -> None:
    """Before workers are started, which have the environment of this process."""
    if os.environ.get(KEEPS_NONE) and config.getoption("numprocesses", None):
        folder = TemporaryDirectory(ignore_cleanup_errors=True)
        config.add_cleanup(folder.cleanup)
        del os.environ[KEEPS_NONE]
        os.environ["PYTHONPYCACHEPREFIX"] = folder.name
