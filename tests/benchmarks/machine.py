"""On what, and when, was it measured?"""

import os
import platform
from datetime import UTC, datetime
from pathlib import Path

import numpy as np


def machine() -> str:
    """The kind of machine, and what runs on it."""
    python = platform.python_version()
    return f"{processor()}, {os.cpu_count()} cores, Python {python}, NumPy {np.__version__}"


def processor() -> str:
    """Its model, where the system tells."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text("utf-8").split("\n") if info.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or platform.machine()


def today() -> str:
    """The date, in UTC."""
    return datetime.now(UTC).date().isoformat()


def load() -> float:
    """How many processes wanted a core during the last minute."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
