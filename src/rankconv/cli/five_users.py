"""The five users of Bellei 2017, which `rankconv compare` shows without files."""

LABELS: dict[int, list[int]] = {1: [1, 2, 3, 4, 5, 6], 2: [2, 4, 6], 3: [2, 4, 6], 4: [], 5: []}
RUN: dict[int, list[int]] = {1: [1, 6, 8], 2: [1, 2, 3, 4, 5], 3: [], 4: [1, 2, 3, 4], 5: []}
METRICS = ["precision@1,3,5", "recall@1,3,5", "f1@1,3,5", "map@1,3,5", "mrr@1,3,5", "ndcg@1,3,5"]
SOURCE = "the five users of Bellei 2017, claudiobellei.com/2017/06/18/information-retrieval"
