"""The data as it is where labels and run were given in each other's place."""

import numpy as np

from rankconv.data.joined import Joined, join
from rankconv.data.labels_and_rankings import Labels, Run


def exchanged(joined: Joined) -> Joined:
    """What was returned as labels of grade 1, and the labels as lists by falling grade.

    >>> import rankconv as rc
    >>> turned = exchanged(rc.join({"u": ["a", "b"]}, {"u": ["a", "x", "y"]}))
    >>> rc.evaluate(turned, "recall")["recall"], rc.evaluate(turned, "precision")["precision"]
    (0.3333333333333333, 0.5)
    """
    labels, run = joined.labels, joined.rankings
    owner = np.repeat(np.arange(len(labels.users)), labels.lengths)
    order = np.lexsort((-labels.grade, owner))
    returned = Labels(run.users, run.items, run.starts, run.item, np.ones(len(run.item)), run.source)
    lists = Run(labels.users, labels.items, labels.starts, labels.item[order], None, labels.source)
    return join(returned, lists)
