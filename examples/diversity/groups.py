"""Labels in groups: any item of a group will do, or each group is evaluated alone."""

import rankconv as rc

# two facts serve the query, and either of two passages states the first
needed = rc.Labels({"q1": {"fact 1": ["p1", "p2"], "fact 2": ["p7"]}})
found = {"q1": ["p9", "p2", "p1"]}

for spec in ("recall@3", "recall(subtopics=any)@3", "mrr(subtopics=separate)@3", "f1(f-recall=subtopics)@3"):
    print(f"{spec:24} {rc.evaluate(needed, found, spec)[spec]:.4f}")

# an item may serve several groups, with a grade in each
graded = rc.Labels({"q1": {"cars": {"a": 2, "b": 1}, "cats": {"b": 3}}})
print(graded.groups_of("q1"))
print(graded.rows_of("q1"))
