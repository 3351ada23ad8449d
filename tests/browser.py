"""Pages in a real browser: what a page holds after its scripts, and what the browser's console says.

Tests that need one are skipped where no Chromium is installed; with RANKCONV_BROWSER set, as by `.ci/run`, they fail.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
QUIET = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --enable-logging=stderr --v=0"
).split()
in_a_browser = pytest.mark.skipif(
    CHROMIUM is None and "RANKCONV_BROWSER" not in os.environ, reason="no Chromium is installed"
)


def shown(address: str, folder: Path, width: int, *, wait: int = 0) -> tuple[str, str]:
    """The page at an address after its scripts, which may wait so many milliseconds, and the text of the console."""
    if CHROMIUM is None:
        raise RuntimeError("no Chromium is installed: apt-get install chromium")
    options = [f"--user-data-dir={folder / 'profile'}", f"--window-size={width},800", "--dump-dom"]
    options += [f"--virtual-time-budget={wait}"] if wait else []
    command = [CHROMIUM, *QUIET, *options, address]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    return done.stdout, "\n".join(line for line in done.stderr.split("\n") if "CONSOLE" in line)
