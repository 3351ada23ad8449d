"""One thread for everything; this is set before NumPy and polars are imported."""

import os

VARIABLES = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS", "POLARS_MAX_THREADS")


def one_thread() -> None:
    """For this process and all that it starts."""
    os.environ.update(dict.fromkeys(VARIABLES, "1"))
