"""Policies, steps and settings that one system needs, and that no paper, textbook or option of trec_eval names.

Importing registers them. May import preparation, metrics and aggregation, to which each of them belongs.
"""

from rankconv.systems import (
    allrank,
    cofirank,
    cute_ranking,
    elliot,
    evidently,
    fuxictr,
    lenskit,
    lightfm,
    phoenix,
    rankeval,
    recbole,
    recommenders,
    rectools,
    replay_rec,
    rexmex,
    surprise,
    torchmetrics,
    torchrec,
    transformers4rec,
)
