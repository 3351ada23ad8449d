"""`python -m examples.site --to DIR`: write the site, and say what is wrong with it.

A page for every convention, preset, metric, system and source, made from what the package says of them. What is shown
is in the package; here is only where it goes.
"""

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from build_site import build


def main() -> None:
    """Read the command and carry it out."""
    parser = argparse.ArgumentParser(prog="python -m examples.site", description="Write the site into a folder.")
    parser.add_argument("--to", type=Path, required=True, help="The folder; what is in it is replaced.")
    parser.add_argument("--work", type=Path, help="Keep the Markdown in this folder.")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = build(given.to, given.work or Path(folder), lambda words: print(words, file=sys.stderr))
    pages = sum(1 for _ in given.to.rglob("*.html"))
    print(*found, f"{pages:,} pages in {given.to}, {len(found)} faults.", sep="\n")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
