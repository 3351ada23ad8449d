"""`python -m tests.benchmarks`: makes the data, runs us and the peers, prints a table; `--write` publishes it."""

import sys

from tests.benchmarks.threads import one_thread

one_thread()

from tests.benchmarks.command import main  # noqa: E402

sys.exit(main())
