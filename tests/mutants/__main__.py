"""`python -m tests.mutants`: draws mutants, runs the tests against each, and prints which survive."""

import sys

from tests.mutants.command import main

sys.exit(main())
