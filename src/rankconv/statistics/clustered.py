"""Values of ids of which several are of one unit of chance: what such a unit gives the mean."""

import numpy as np

from rankconv.data.arrays import Numbers


def linearised(sums: Numbers, sizes: Numbers) -> Numbers:
    """One value for each cluster, shape (clusters,), of which the plain mean is that over all ids.

    `sums` and `sizes` have shape (clusters,): what the values of a cluster's ids add up to, and how many these are. The
    values are m + (sum - size·m)·clusters/ids, m being the mean over ids, so that their spread gives the standard error
    of that mean which is robust to whatever hangs together within clusters (Liang and Zeger 1986, with the factor
    clusters / (clusters - 1)). Of clusters of one id each they are the values themselves, to the last bit.
    Source: Cameron and Miller, A practitioner's guide to cluster-robust inference, Journal of Human Resources 50, 2015.

    >>> import numpy as np
    >>> linearised(np.array([3.0, 1.0]), np.array([2.0, 1.0])).round(4).tolist()
    [1.5556, 1.1111]
    """
    if (sizes == 1).all():
        return sums
    mean = float(sums.sum() / sizes.sum())
    return np.asarray(mean + (sums - sizes * mean) * (len(sums) / sizes.sum()))
